//! Chaotic systems: no mesh has a result for a long time, but the beginning is kept.

use tests::verified::Verified;

use super::case;

/// Every value that is called kept is, and the end of them is said.
#[test]
fn the_beginning_of_a_chaotic_system_is_kept() {
    for (seed, stop, rows, tolerance, least) in
        [(5, 30.0, 60.0, 1e-3, 3.0), (5, 30.0, 60.0, 1e-6, 2.0), (6, 25.0, 100.0, 1e-3, 3.0), (7, 40.0, 100.0, 1e-6, 2.0)]
    {
        let case = case("lorenz", seed);
        let system = case.system.clone().stop(stop).output_interval(stop / rows).tolerance(tolerance);
        let Verified { global, rows, .. } = Verified::run(&system);
        assert!(!global.reached && global.reason.contains("small differences grow"), "{seed}: {global:?}");
        let states = case.equations.solve(rows.time());
        for (name, value) in &case.outputs {
            let until = global.outputs.iter().find(|output| &output.name == name).unwrap().kept_until.unwrap_or_default();
            assert!((least..stop).contains(&until), "{seed} {name}: {global:?}");
            let exact: Vec<f64> = rows.time().iter().zip(&states).map(|(t, x)| value(*t, x)).collect();
            let largest = exact.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
            for ((time, found), exact) in rows.time().iter().zip(rows.real(name).unwrap()).zip(&exact) {
                let bound = tolerance * exact.abs().max(1e-3 * largest);
                assert!(
                    *time > until || (found - exact).abs() <= bound,
                    "{seed} {name} at t = {time}: {found}, exact {exact}, {global:?}"
                );
            }
        }
    }
}
