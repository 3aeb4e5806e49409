//! Colors that everybody can distinguish, including people with color vision deficiency (Okabe, Ito 2008), dark enough for white
//! text.

pub(super) const ALGEBRAIC: &str = "#bf5200";
pub(super) const LOOP: &str = "#0072b2";
pub(super) const FEEDTHROUGH: &str = "#222222";
pub(super) const STATE: &str = "#7a7a7a";
pub(super) const TEXT: &str = crate::svg_text::INK;
pub(super) const FAINT: &str = "#666666";
pub(super) const BACKGROUND: &str = "#ffffff";
pub(super) const WITH_MEMORY: &str = "#eef3f8";
pub(super) const MEMORYLESS: &str = "#fffbe8";

/// Colors with what they lie on.
#[cfg(test)]
pub(crate) type Pairs = Vec<(&'static str, &'static str)>;

/// The colors of texts, and of lines, with what they lie on.
#[cfg(test)]
pub(crate) fn contrasts() -> (Pairs, Pairs) {
    let papers = [BACKGROUND, WITH_MEMORY, MEMORYLESS];
    let on_paper =
        |colors: &[&'static str]| colors.iter().flat_map(|&color| papers.map(|paper| (color, paper))).collect::<Vec<_>>();
    // The position in the evaluation order is white on the color of the border.
    let positions = [TEXT, LOOP, ALGEBRAIC].map(|border| ("#ffffff", border));
    (on_paper(&[TEXT, FAINT]).into_iter().chain(positions).collect(), on_paper(&[STATE, FEEDTHROUGH, ALGEBRAIC, LOOP]))
}
