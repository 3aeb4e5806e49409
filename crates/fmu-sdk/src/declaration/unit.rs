//! SI dimensions of a unit, derived from its name in Modelica's notation, such as `kg.m/s2`.

use lotka_instance::description::{BaseUnit, Unit};

/// Returns the unit with this name, with its dimensions if its name determines them. Such a name is a product of base and derived
/// SI symbols with exponents and at most one `/`, whose right side may be in parentheses. Any other name is a unit without
/// dimensions.
pub(crate) fn unit(name: &str) -> Unit {
    Unit { name: name.into(), base_unit: dimensions(name).map(base_unit), display_units: Vec::new() }
}

/// Exponents of kg, m, s, A, K, mol, cd, rad.
type Dimensions = [i32; 8];

fn base_unit([kg, m, s, a, k, mol, cd, rad]: Dimensions) -> BaseUnit {
    let given = |exponent: i32| (exponent != 0).then_some(exponent);
    BaseUnit {
        kg: given(kg),
        m: given(m),
        s: given(s),
        a: given(a),
        k: given(k),
        mol: given(mol),
        cd: given(cd),
        rad: given(rad),
        factor: None,
        offset: None,
    }
}

fn dimensions(name: &str) -> Option<Dimensions> {
    let (over, under) = name.split_once('/').unwrap_or((name, "1"));
    let under = under.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(under);
    let (over, under) = (product(over)?, product(under)?);
    Some(std::array::from_fn(|i| over[i] - under[i]))
}

fn product(text: &str) -> Option<Dimensions> {
    let mut sum = [0; 8];
    for factor in text.split('.') {
        let digits = factor.find(|c: char| c.is_ascii_digit() || c == '-').filter(|at| *at > 0).unwrap_or(factor.len());
        let (symbol, exponent) = factor.split_at(digits);
        let exponent = if exponent.is_empty() { 1 } else { exponent.parse().ok()? };
        let one = symbol_dimensions(symbol)?;
        sum = std::array::from_fn(|i| sum[i] + exponent * one[i]);
    }
    Some(sum)
}

fn symbol_dimensions(symbol: &str) -> Option<Dimensions> {
    Some(match symbol {
        "1" => [0; 8],
        "kg" => [1, 0, 0, 0, 0, 0, 0, 0],
        "m" => [0, 1, 0, 0, 0, 0, 0, 0],
        "s" => [0, 0, 1, 0, 0, 0, 0, 0],
        "A" => [0, 0, 0, 1, 0, 0, 0, 0],
        "K" => [0, 0, 0, 0, 1, 0, 0, 0],
        "mol" => [0, 0, 0, 0, 0, 1, 0, 0],
        "cd" => [0, 0, 0, 0, 0, 0, 1, 0],
        "rad" => [0, 0, 0, 0, 0, 0, 0, 1],
        "Hz" => [0, 0, -1, 0, 0, 0, 0, 0],
        "N" => [1, 1, -2, 0, 0, 0, 0, 0],
        "Pa" => [1, -1, -2, 0, 0, 0, 0, 0],
        "J" => [1, 2, -2, 0, 0, 0, 0, 0],
        "W" => [1, 2, -3, 0, 0, 0, 0, 0],
        "C" => [0, 0, 1, 1, 0, 0, 0, 0],
        "V" => [1, 2, -3, -1, 0, 0, 0, 0],
        "Ohm" => [1, 2, -3, -2, 0, 0, 0, 0],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_follow_from_the_name() {
        assert_eq!(dimensions("1"), Some([0; 8]));
        assert_eq!(dimensions("1/s"), Some([0, 0, -1, 0, 0, 0, 0, 0]));
        assert_eq!(dimensions("kg.m/s2"), dimensions("N"));
        assert_eq!(dimensions("kg/(m.s2)"), dimensions("Pa"));
        assert_eq!(dimensions("s-1"), dimensions("Hz"));
        assert_eq!(dimensions("rabbits"), None);
        assert_eq!(dimensions("m/"), None);
    }

    #[test]
    fn a_unit_of_its_own_has_no_base_unit() {
        assert_eq!(unit("rabbits").base_unit, None);
        assert_eq!(unit("1").base_unit, Some(BaseUnit::default()));
    }
}
