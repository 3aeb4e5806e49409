use super::Group;
use crate::hostile_suite::case::Case;
use tests::hostile::Hostile;

pub const GROUP: Group = Group { title: "FMI 3.0: statuses of the initialization", faults };

fn faults() -> Vec<Case> {
    let functions = ["fmi3EnterInitializationMode", "fmi3ExitInitializationMode"];
    let statuses: [(&str, i32, &'static str); 4] = [
        ("Discard", 2, "fmi3Discard"),
        ("Error", 3, "fmi3Error"),
        ("Fatal", 4, "fmi3Fatal"),
        ("status 99", 99, "returned 99, which is not an FMI status"),
    ];
    let of = |function: &'static str| {
        let case = move |(name, status, text)| {
            Case::new(format!("{name} from {function}"), Hostile::family("a", "").reply(function, status))
                .ends(12, &[function, text])
        };
        statuses.map(case)
    };
    functions.into_iter().flat_map(of).collect()
}
