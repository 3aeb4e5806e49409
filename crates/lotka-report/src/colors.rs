//! Colors of curves, for light and dark backgrounds.

/// Colors of curves on a light background: those of Okabe and Ito (2008), darkened to a contrast of 3 or more.
pub(crate) const LIGHT: [&str; 6] = ["#0072b2", "#d55e00", "#007a5a", "#b3518a", "#2f8fc9", "#a87800"];

/// Colors of curves on a dark background, in the same order.
pub(crate) const DARK: [&str; 6] = ["#4da3e0", "#f0803c", "#2cc295", "#dd92bf", "#8ccdf5", "#f0b93a"];

/// Patterns of dashes for the curves of other runs.
pub(crate) const DASHES: [&str; 4] = ["6 4", "2 3", "8 3 2 3", "12 4"];

/// Dashes of the curves of a run; none for the first.
pub(crate) fn dashes(run: usize) -> Option<&'static str> {
    run.checked_sub(1).map(|number| DASHES[number % DASHES.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::contrasts;

    /// Least contrast of texts, and of shapes (Web Content Accessibility Guidelines 2.2, 1.4.3 and 1.4.11).
    const TEXTS: f64 = 4.5;
    const SHAPES: f64 = 3.0;

    const STYLE: &str = include_str!("../assets/report.css");

    /// Relative luminance of `#rrggbb` or `#rgb`.
    fn luminance(color: &str) -> f64 {
        let digits = color.trim_start_matches('#');
        let part = |n: usize| match digits.len() {
            3 => u8::from_str_radix(&digits[n..=n].repeat(2), 16),
            _ => u8::from_str_radix(&digits[2 * n..2 * n + 2], 16),
        };
        let linear = |n: usize| {
            let share = f64::from(part(n).unwrap_or_else(|error| panic!("{color}: {error}"))) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The variables of the page: those of the light mode, and those of the dark one.
    fn variables(name: &str) -> Vec<&'static str> {
        let key = format!("--{name}: ");
        STYLE.split(key.as_str()).skip(1).filter_map(|rest| rest.split(';').next()).collect()
    }

    #[test]
    fn contrasts_are_those_of_the_guidelines() {
        assert!((contrast("#ffffff", "#000") - 21.0).abs() < 1e-9);
        assert!((contrast("#777777", "#fff") - 4.478).abs() < 1e-3);
    }

    #[test]
    fn texts_can_be_read_in_both_modes() {
        let papers = variables("paper");
        assert_eq!(papers.len(), 2, "a light and a dark mode");
        for name in ["ink", "faint", "good", "bad"] {
            for (color, paper) in variables(name).iter().zip(&papers) {
                assert!(contrast(color, paper) >= TEXTS, "{name}: {color} on {paper}: {:.2}", contrast(color, paper));
            }
            assert_eq!(variables(name).len(), 2, "{name}");
        }
        // A text has one of these colors, or that of what it is in.
        let colors = STYLE.split(['{', ';']).map(str::trim).filter_map(|rule| rule.strip_prefix("color: "));
        for color in colors {
            let is_checked =
                ["var(--ink)", "var(--faint)", "var(--good)", "var(--bad)", "var(--paper)", "inherit"].contains(&color);
            assert!(is_checked, "color: {color}");
        }
    }

    #[test]
    fn curves_can_be_seen_in_both_modes_and_differ() {
        for (colors, paper) in [LIGHT, DARK].iter().zip(variables("paper")) {
            for color in colors {
                assert!(contrast(color, paper) >= SHAPES, "{color} on {paper}: {:.2}", contrast(color, paper));
            }
            let different: std::collections::HashSet<_> = colors.iter().collect();
            assert_eq!(different.len(), colors.len());
        }
        assert!(contrast("#0072b2", variables("paper")[1]) >= SHAPES, "bars");
    }

    #[test]
    fn the_picture_of_a_system_can_be_read() {
        let (texts, lines) = contrasts();
        for (color, background) in texts {
            assert!(contrast(color, background) >= TEXTS, "{color} on {background}: {:.2}", contrast(color, background));
        }
        for (color, background) in lines {
            assert!(contrast(color, background) >= SHAPES, "{color} on {background}: {:.2}", contrast(color, background));
        }
    }
}
