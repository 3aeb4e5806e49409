//! Colors that everybody can distinguish, including people with color vision deficiency (Okabe, Ito 2008), dark enough for white text.

pub(in crate::picture) const ALGEBRAIC: &str = "#bf5200";
pub(in crate::picture) const LOOP: &str = "#0072b2";
pub(in crate::picture) const FEEDTHROUGH: &str = "#222222";
pub(in crate::picture) const STATE: &str = "#7a7a7a";
pub(in crate::picture) const TEXT: &str = crate::svg_text::INK;
pub(super) const FAINT: &str = "#666666";
pub(super) const BACKGROUND: &str = "#ffffff";
pub(super) const WITH_MEMORY: &str = "#eef3f8";
pub(super) const MEMORYLESS: &str = "#fffbe8";

/// Colors with what they lie on.
#[cfg(test)]
pub(crate) type Pairs = Vec<(&'static str, &'static str)>;
