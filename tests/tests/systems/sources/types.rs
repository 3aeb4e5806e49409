//! Integers, booleans, texts, and units.

use tests::{joined, systems::driven::Panel};

use super::*;

/// A panel until t = 4 s.
fn panel() -> System {
    System::new().instance_of("panel", &joined::<Panel>()).stop(4.0)
}

#[test]
fn columns_have_the_type_of_what_reads_them_and_are_held() {
    let folder = Folder::new();
    let path = folder.write("t.csv", "time,n,on,label\n0,1,false,a\n1.5,2,true,\"b, c\"\n2.75,3,0,d\n9,4,1,e\n");
    let system = panel().source("t", csv(&path, Interpolation::Linear));
    let system =
        ["n", "on", "label"].iter().fold(system, |system, name| system.connect(&format!("panel.{name}"), &format!("t.{name}")));
    for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
        let (_, rows) = run(&system.clone().sweep(sweep).step(1.0));
        assert_eq!(rows.time(), [0.0, 1.0, 1.5, 1.5, 2.0, 2.75, 2.75, 3.0, 4.0], "{sweep}");
        assert_eq!(rows.text("panel.shown").unwrap(), ["", "a 1", "a 1", "a 1", "b, c 2", "b, c 2", "b, c 2", "d 3", "d 3"]);
        assert_eq!(rows.real("panel.total").unwrap()[8], 1.25);
        assert_eq!(rows.real("t.n").unwrap(), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0]);
        assert_eq!(rows.real("t.on").unwrap()[4], 1.0);
        assert_eq!(rows.text("t.label").unwrap()[3], "b, c");
    }
}

#[test]
fn fields_and_values_of_another_type_are_refused() {
    let folder = Folder::new();
    let path = folder.write("t.csv", "time,n,on\n0,1.5,maybe\n9,2,1\n");
    let system = panel().source("t", csv(&path, Interpolation::Linear)).connect("panel.n", "t.n").connect("panel.on", "t.on");
    let system = system.source("c", SourceSignal::Constant { value: StartValue::Real(0.5) }).connect("panel.label", "c.y");
    let error = system.step(1.0).build().map(|_| ()).unwrap_err().to_string();
    for part in [
        ":2: column `n`: expected a whole number for the connected input, found `1.5`",
        ":2: column `on`: expected true or false for the connected input, found `maybe`",
        "source `c` has a value that is not a string, which the connected input needs",
    ] {
        assert!(error.contains(part), "no `{part}` in\n{error}");
    }
}

#[test]
fn units_are_converted_whether_an_fmu_defines_them_or_not() {
    let folder = Folder::new();
    for (header, values) in [("u [degC]", "26.85"), ("u [K]", "300"), ("u [degF]", "80.33"), ("u", "300")] {
        let path = folder.write("t.csv", &format!("time,{header}\n0,{values}\n10,{values}\n"));
        let (_, rows) = run(&driven(&path).step(1.0));
        let x = rows.real("lag.x").unwrap()[10];
        assert!((x - 300.0 * (1.0 - (-10.0_f64).exp())).abs() < 1e-9, "{header}: {x}");
    }
    let path = folder.write("t.csv", "time [min],u [bar]\n0,1\n1,1\n");
    let error = driven(&path).step(1.0).build().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("the units of `table.u` and `lag.u` differ: `bar` does not convert to `K`"), "{error}");
    let path = folder.write("t.csv", "time [min],u [furlong]\n0,1\n1,1\n");
    let error = driven(&path).step(1.0).build().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("cannot convert the unknown unit `furlong` of `table.u`"), "{error}");
}
