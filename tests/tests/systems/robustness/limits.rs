//! Start values outside of what a variable allows.

use tests::predator_prey;

use super::problems;

#[test]
fn a_start_value_beyond_its_limit_is_a_problem_of_the_system() {
    let refused = problems(&predator_prey().step(0.1).start_value("prey.x", -1));
    assert!(refused.contains("the start value of `prey.x` is -1, less than the minimum 0"), "{refused}");
}
