//! Wordings of errors that depend on the available details.

use super::OutputNoise;

/// A message that begins with the name of the instance, unless it already does.
pub(super) fn of_instance(instance: &str, message: &str) -> String {
    let own = format!("instance `{instance}`: ");
    if message.starts_with(&own) { message.to_owned() } else { own + message }
}

/// A number of few digits, without the digits that result from rounding errors.
pub(super) struct Short(pub(super) f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:e}", self.0 as f32)
    }
}

/// What to do if rollback is so inexact that tolerances must be at least this large.
pub(super) fn above_noise(smallest: f64) -> String {
    if smallest < HOPELESS {
        return format!("use {} or more", Short(smallest));
    }
    "use a fixed `step` without `iterations` and `[events]`, or, if another instance runs the same library, `isolation = \"process\"`"
        .to_owned()
}

/// A tolerance that nobody asks for.
const HOPELESS: f64 = 0.1;

/// A number rounded to four digits.
struct FourDigits(f64);

impl std::fmt::Display for FourDigits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.3e}", self.0);
        match text.parse::<f64>() {
            Ok(rounded) => write!(f, "{rounded:?}"),
            Err(_) => f.write_str(&text),
        }
    }
}

/// Residuals below this share of their terms may be due to noise.
const NEARLY_SOLVED: f64 = 1e-2;

/// Describes where Newton's method ended without a solution.
pub(super) fn no_point(variable: &str, [value, residual, share, noise]: [f64; 4], starts: u32) -> String {
    let help = "set start values of the connected inputs closer to a solution";
    if !residual.is_finite() {
        return format!(
            "`{variable}` is not finite for the assumed value {value}, nor from any of {starts} starting points; {help}"
        );
    }
    let given = value + residual;
    let noise = if noise > 0.0 { format!("; the outputs have a relative noise of {noise:.1e}") } else { String::new() };
    let key = format!("; set loop-tolerance = {:.1e} in [initialization] to accept these values", 1.1 * share);
    let key = if share < NEARLY_SOLVED { key } else { String::new() };
    format!(
        "at the closest point, `{variable}` is {given} for the assumed value {value} (residual {}; Newton's method \
         from {starts} starting points){noise}; {help}{key}",
        FourDigits(residual)
    )
}

/// Describes the changes in the last iteration of a loop, and the remedies, most likely first.
pub(super) fn still_changing(
    variable: Option<&str>,
    norm: f64,
    accelerated: bool,
    output_noise: Option<&OutputNoise>,
    is_smallest: bool,
) -> String {
    let (end, smaller) =
        if is_smallest { (" at the smallest allowed step size", "a smaller `min-step`") } else { ("", "a smaller `step`") };
    let Some(variable) = variable else {
        return format!("integers, booleans or strings keep changing{end}; use {smaller}; more `iterations` may also help");
    };
    if let Some(OutputNoise { variable: noisy, relative, smallest }) = output_noise {
        return format!(
            "`{variable}` changes most (norm of the change: {norm:.3e} times the iteration tolerance), and `{noisy}` has a \
             relative noise of {relative:.1e} for smooth inputs, as with single precision or solver tolerances inside the FMU; \
             set iteration-tolerance = {} or more",
            Short(*smallest)
        );
    }
    let help = if accelerated {
        format!("use {smaller}; another `acceleration`, more")
    } else {
        format!("set acceleration = \"anderson\" or \"newton\"; {smaller}, more")
    };
    format!(
        "`{variable}` changes most (norm of the change: {norm:.3e} times the iteration tolerance){end}; {help} `iterations` or \
         a looser `iteration-tolerance` may also help"
    )
}
