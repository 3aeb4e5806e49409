//! Plots of the steps: their sizes, their error estimates, and what limited them.

use serde_json::{Value, json};

use super::plots::packed;

/// Relative difference up to which step sizes count as equal.
const ROUNDING: f64 = 1e-9;

/// Returns the plots of the entry `steps` of a manifest; none without steps.
pub(super) fn plots(steps: &Value) -> Vec<Value> {
    let ends = numbers(&steps["end"]);
    if ends.is_empty() {
        // There may still be runs of a `tolerance` or rejected steps, which the report shows in tables.
        return Vec::new();
    }
    let times: Vec<_> = steps["start"].as_f64().into_iter().chain(ends).collect();
    let plot = |title: &str, unit: Option<&str>, logarithmic: bool, curves: Vec<Value>| {
        json!({
            "place": "steps",
            "title": title,
            "unit": unit,
            "time": whole(&times),
            "logarithmic": logarithmic,
            "curves": curves,
        })
    };
    let [smallest, largest] = ["smallest", "largest"].map(|key| numbers(&steps[key]));
    let sizes = match smallest.iter().zip(&largest).all(|(smallest, largest)| largest - smallest <= ROUNDING * largest) {
        true => vec![curve("step size", &steps["largest"])],
        false => vec![curve("largest", &steps["largest"]), curve("smallest", &steps["smallest"])],
    };
    let mut plots = vec![plot("step size", Some("s"), true, sizes)];
    if numbers(&steps["estimate"]).iter().any(|estimate| estimate.is_finite()) {
        plots.push(plot(
            "local error estimate, in units of the tolerance",
            None,
            true,
            vec![curve("error estimate", &steps["estimate"])],
        ));
    }
    if numbers(&steps["rejected"]).iter().any(|count| *count > 0.0) {
        plots.push(plot("rejected steps", None, false, vec![curve("rejected", &steps["rejected"])]));
    }
    let names: Vec<_> = steps["limits"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
    if !names.is_empty() && numbers(&steps["limiting"]).iter().any(|place| place.is_finite()) {
        let labels = names.iter().enumerate().map(|(place, name)| json!([place, name])).collect::<Value>();
        let mut limiting = curve("limits most steps", &steps["limiting"]);
        limiting["labels"] = labels;
        plots.push(plot("output that limits the step size", None, false, vec![limiting]));
    }
    plots
}

/// Returns a curve with one value per stretch of time, which is constant over the stretch.
fn curve(name: &str, values: &Value) -> Value {
    let values = numbers(values);
    let from_begin: Vec<_> = values.first().copied().into_iter().chain(values.iter().copied()).collect();
    json!({ "name": name, "values": whole(&from_begin), "stepped": "before" })
}

fn whole(values: &[f64]) -> String {
    packed(values, &(0..values.len()).collect::<Vec<_>>())
}

/// Converts numbers; null becomes NaN.
fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().into_iter().flatten().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(steps: &Value) -> Vec<String> {
        plots(steps).iter().map(|plot| plot["title"].as_str().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn only_what_was_there_is_drawn() {
        let mut steps = json!({
            "start": 0.0, "end": [1.0, 2.0], "steps": [1, 1], "smallest": [1.0, 1.0], "largest": [1.0, 1.0], "estimate": [null, null],
            "rejected": [0, 0], "limiting": [null, null], "limits": {}
        });
        assert_eq!(titles(&steps), ["step size"]);
        assert_eq!(plots(&steps)[0]["curves"].as_array().map(Vec::len), Some(1));
        steps["smallest"][0] = 0.5.into();
        steps["estimate"][1] = 0.7.into();
        steps["rejected"][1] = 1.into();
        steps["limiting"][1] = 0.into();
        steps["limits"] = json!({ "a.y": { "accepted": 1, "rejected": 1 } });
        assert_eq!(titles(&steps).len(), 4);
        assert_eq!(plots(&steps)[0]["curves"].as_array().map(Vec::len), Some(2));
        assert_eq!(plots(&steps)[3]["curves"][0]["labels"], json!([[0, "a.y"]]));
        assert!(plots(&Value::Null).is_empty());
    }
}
