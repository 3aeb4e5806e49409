//! Exact outputs are the known ones.

use coupled::systems::{Exact, Known, exact::*, known};

fn agrees<const N: usize>(exact: Exact, known: Known<N>) {
    for (time, states) in known.states {
        let got = (exact.at)(*time);
        let scale = states.iter().fold(0.0, |scale: f64, state| scale.max(state.abs()));
        for (variable, state) in known.variables.iter().zip(states) {
            let place = exact.outputs.iter().position(|output| output == variable);
            let got = place.map_or(f64::NAN, |place| got[place]);
            assert!((got - state).abs() < 1e-12 * scale, "{variable} at {time}: {got}, known {state}");
        }
    }
}

#[test]
fn outputs_are_the_known_ones_at_the_known_times() {
    agrees(TWO_MASS, known::TWO_MASS);
    agrees(STIFF_PAIR, known::STIFF_PAIR);
    agrees(QUARTER_CAR_FORCE, known::QUARTER_CAR);
    agrees(QUARTER_CAR_DISPLACEMENT, known::QUARTER_CAR);
    agrees(VAN_DER_POL, known::VAN_DER_POL);
}
