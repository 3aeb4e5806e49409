//! The valid name nearest to a wrong one.

/// Returns `did you mean ...` for the valid name nearest to `wrong`, or a list of valid names if none is near.
#[must_use]
pub fn nearest<'a>(wrong: &str, valid: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let best = valid.clone().map(|name| (strsim::damerau_levenshtein(wrong, name), name)).min();
    match best {
        Some((distance, name)) if is_near(distance, name, wrong) => Some(format!("did you mean `{name}`?")),
        Some(_) => {
            let names: Vec<_> = valid.take(12).map(|name| format!("`{name}`")).collect();
            Some(format!("available: {}", names.join(", ")))
        }
        None => None,
    }
}

/// Returns whether the difference can be a typo: a third of the letters may differ, or a single one, but not all.
fn is_near(distance: usize, name: &str, wrong: &str) -> bool {
    let length = name.chars().count().max(wrong.chars().count());
    distance <= (1 + length / 3).min(length - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_and_else_the_list() {
        let names = ["prey", "predator"];
        assert_eq!(nearest("pray", names.iter().copied()), Some("did you mean `prey`?".into()));
        assert_eq!(nearest("x", names.iter().copied()), Some("available: `prey`, `predator`".into()));
        assert_eq!(nearest("z", ["a", "b"].into_iter()), Some("available: `a`, `b`".into()));
        assert_eq!(nearest("x", std::iter::empty()), None);
    }
}
