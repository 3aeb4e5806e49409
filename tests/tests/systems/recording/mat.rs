//! Trajectories as OpenModelica and Dymola write them: the bytes, and what is read back.

use std::io::{Cursor, Seek, SeekFrom, Write};

use lotka::{Direction, Mat, Memory, Results, ResultsError, System, Values};
use models::BouncingBall;
use tests::{joined, predator_prey, systems::machines};

fn written(system: &System) -> (Vec<u8>, Memory) {
    let (mut file, mut rows) = (Cursor::new(Vec::new()), Memory::new());
    let mut mat = Mat::new(&mut file);
    system.build().unwrap().run(&mut [&mut mat, &mut rows]).unwrap();
    let length = mat.bytes();
    mat.finish().unwrap();
    assert_eq!(file.get_ref().len() as u64, length);
    (file.into_inner(), rows)
}

fn read(bytes: &[u8]) -> Result<Results, ResultsError> {
    Results::read(Cursor::new(bytes))
}

fn ball() -> System {
    let system = System::new().instance_of("ball", &joined::<BouncingBall>()).stop(2.1).step(0.1);
    system.start_value("ball.impacts", "step_end").event("ball.h", 0.0, Direction::Down).record(&["ball.*"])
}

/// A matrix: type, rows, columns, name, and its bytes.
fn matrix<'a>(bytes: &mut &'a [u8]) -> ([u32; 3], String, &'a [u8]) {
    let mut number = || {
        let (number, rest) = bytes.split_first_chunk().unwrap();
        *bytes = rest;
        u32::from_le_bytes(*number)
    };
    let [kind, rows, columns, imaginary, length] = [(); 5].map(|()| number());
    assert_eq!(imaginary, 0);
    let (name, rest) = bytes.split_at(length as usize);
    let (data, rest) = rest.split_at((rows * columns * [8, 4, 4, 2, 2, 1][kind as usize / 10]) as usize);
    *bytes = rest;
    ([kind, rows, columns], String::from_utf8(name.strip_suffix(&[0]).unwrap().to_vec()).unwrap(), data)
}

/// As the User's Guide of OpenModelica describes them (Technical Details, The MATv4 Result File Format).
#[test]
fn the_matrices_are_those_of_openmodelica() {
    let (bytes, rows) =
        written(&machines().step(0.25).record(&["first.gain", "first.speed", "first.mode", "first.label", "*.on"]));
    let mut rest = bytes.as_slice();
    let class = "A1\0bt.\0ir1\0na\0\0Tj\0\0re\0\0ac\0\0nt\0\0so\0\0\0r\0\0\0y\0\0\0";
    assert_eq!(matrix(&mut rest), ([51, 4, 11], "Aclass".to_owned(), class.as_bytes()));
    let names = "time\0\0\0\0\0\0\0first.gain\0first.speedfirst.on\0\0\0first.mode\0second.on\0\0";
    assert_eq!(matrix(&mut rest), ([51, 11, 6], "name".to_owned(), names.as_bytes()));
    let (shape, name, descriptions) = matrix(&mut rest);
    assert_eq!((shape[0], shape[2], name.as_str()), (51, 6, "description"));
    let descriptions: Vec<_> = descriptions.chunks(shape[1] as usize).map(|text| String::from_utf8_lossy(text)).collect();
    let expected = ["time [s]", "acceleration [rad/s2]", "angular velocity [rad/s]", "it is warm", "what it does", "it is warm"];
    assert_eq!(descriptions.iter().map(|text| text.trim_end_matches('\0')).collect::<Vec<_>>(), expected);
    let info: Vec<i32> = [[0, 1, 0, -1], [1, 2, 0, 0], [2, 2, 0, -1], [2, 3, 0, -1], [2, 4, 0, -1], [2, 5, 0, -1]].concat();
    let info: Vec<u8> = info.iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(matrix(&mut rest), ([20, 4, 6], "dataInfo".to_owned(), info.as_slice()));
    let numbers = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    assert_eq!(matrix(&mut rest), ([0, 2, 2], "data_1".to_owned(), numbers(&[0.0, 1.0, 1.0, 1.0]).as_slice()));
    let all: Vec<f64> = (0..5)
        .flat_map(|row| {
            let t = f64::from(row) * 0.25;
            let on = f64::from(u8::from(t > 0.45));
            [t, t, on, if t > 0.25 { 2.0 } else { 1.0 }, on]
        })
        .collect();
    assert_eq!(matrix(&mut rest), ([0, 5, 5], "data_2".to_owned(), numbers(&all).as_slice()));
    assert_eq!((rest.len(), rows.time().len()), (0, 5));
}

#[test]
fn what_is_read_back_is_what_was_recorded() {
    for system in [predator_prey().step(1.0).record(&["*"]), machines().step(0.1).record(&["*"]), ball()] {
        let (bytes, rows) = written(&system);
        let results = read(&bytes).unwrap();
        assert_eq!(results.time(), rows.time());
        let numbers: Vec<_> = rows.columns().iter().filter(|column| rows.real(&column.name).is_some()).collect();
        assert_eq!(results.columns().len(), numbers.len());
        for column in numbers {
            assert_eq!(results.values(&column.name), Some(&Values::Real(rows.real(&column.name).unwrap().to_vec())));
        }
    }
}

#[test]
fn an_event_is_two_rows_of_the_same_time() {
    let (bytes, rows) = written(&ball());
    let results = read(&bytes).unwrap();
    let doubled: Vec<_> = results.time().windows(2).filter(|times| times[0] == times[1]).map(|times| times[0]).collect();
    assert_eq!(doubled, rows.events().iter().map(|event| event.time).collect::<Vec<_>>());
    assert_eq!(doubled.len(), 5);
}

#[test]
fn error_bars_are_variables_with_units() {
    let mut file = Cursor::new(Vec::new());
    let mut mat = Mat::with_error_bars(&mut file);
    let system = predator_prey().tolerance(1e-6).record(&["prey.x", "prey.a"]);
    let report = system.build().unwrap().run(&mut [&mut mat]).unwrap();
    mat.finish().unwrap();
    let results = read(file.get_ref()).unwrap();
    assert_eq!(
        results.columns().iter().map(|column| column.name.as_str()).collect::<Vec<_>>(),
        ["prey.a", "prey.x", "prey.x (error)"]
    );
    let bars = results.values("prey.x (error)").unwrap();
    let largest = (0..bars.len()).filter_map(|row| bars.number(row)).fold(0.0, f64::max);
    assert_eq!(largest, report.global_error.unwrap().outputs[0].absolute);
    let text = String::from_utf8_lossy(file.get_ref()).into_owned();
    assert!(text.contains("estimated absolute error of prey.x [1]"));
}

/// What a process leaves that is killed: after every write the file has the rows of the last flush.
#[test]
fn a_file_is_whole_whenever_the_writing_stops() {
    struct Dies<'a> {
        file: &'a mut Cursor<Vec<u8>>,
        left: usize,
    }
    impl Write for Dies<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let count = bytes.len().min(self.left);
            self.left -= count;
            if count == 0 { Err(std::io::ErrorKind::StorageFull.into()) } else { self.file.write(&bytes[..count]) }
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl Seek for Dies<'_> {
        fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
            self.file.seek(to)
        }
    }
    let system = || machines().step(0.0005).record(&["*"]);
    let (whole, _) = written(&system());
    let expected = read(&whole).unwrap();
    let mut lengths = Vec::new();
    for left in (4000..whole.len()).step_by(17_001).chain([whole.len() + 100]) {
        let mut file = Cursor::new(Vec::new());
        let mut mat = Mat::new(Dies { file: &mut file, left });
        system().build().unwrap().run(&mut [&mut mat]).unwrap();
        let result = mat.finish();
        // With a part of what is before the rows it is no file yet.
        let Ok(found) = read(file.get_ref()) else { continue };
        assert_eq!(found.time(), &expected.time()[..found.time().len()]);
        assert!(result.is_err() || found.time().len() == 2001, "{left} bytes");
        lengths.push(found.time().len());
    }
    lengths.dedup();
    assert!(lengths.len() > 3 && lengths.is_sorted() && lengths.last() == Some(&2001), "{lengths:?}");
}

#[test]
fn what_other_tools_write_is_read() {
    // Both ways round, aliases with a sign, single precision, text as numbers: as Dymola writes when it saves results anew.
    let texts = |texts: &[&str], length: usize| -> Vec<f32> {
        (0..length)
            .flat_map(|place| texts.iter().map(move |text| text.as_bytes().get(place).map_or(32.0, |byte| f32::from(*byte))))
            .collect()
    };
    let mut bytes = Vec::new();
    let mut matrix = |name: &str, kind: u32, rows: usize, columns: usize, values: &[f32]| {
        [kind, rows as u32, columns as u32, 0, name.len() as u32 + 1]
            .iter()
            .for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(name.bytes().chain([0]));
        assert_eq!(values.len(), rows * columns, "{name}");
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    };
    matrix("Aclass", 11, 4, 11, &texts(&["Atrajectory", "1.1", "", "binNormal"], 11));
    matrix("name", 11, 4, 4, &texts(&["Time", "x", "-x", "k"], 4));
    matrix("description", 11, 4, 1, &texts(&["", "", "", ""], 1));
    // Column by column: matrices, indices, and two that are not looked at.
    matrix("dataInfo", 10, 4, 4, &[0., 2., 2., 1., 1., 2., -2., 2., 0., 0., 0., 0., -1., -1., -1., 0.]);
    matrix("data_1", 10, 2, 2, &[0., 2., 7., 7.]);
    matrix("data_2", 10, 3, 2, &[0., 1., 2., 1.5, 2.5, 3.5]);
    let results = read(&bytes).unwrap();
    assert_eq!(results.time(), [0.0, 1.0, 2.0]);
    assert_eq!(results.values("x"), Some(&Values::Real(vec![1.5, 2.5, 3.5])));
    assert_eq!(results.values("-x"), Some(&Values::Real(vec![-1.5, -2.5, -3.5])));
    assert_eq!(results.values("k"), Some(&Values::Real(vec![7.0; 3])));
}

#[test]
fn what_does_not_hold_together_is_reported() {
    let (whole, _) = written(&predator_prey().step(1.0));
    let problem = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    for length in (5..whole.len()).step_by(97) {
        assert!(problem(&whole[..length]).contains("expected a trajectory file"), "{length}");
    }
    let renamed = |from: &[u8], to: &[u8]| {
        let mut bytes = whole.clone();
        let place = bytes.windows(from.len()).position(|bytes| bytes == from).unwrap();
        bytes[place..place + to.len()].copy_from_slice(to);
        problem(&bytes)
    };
    assert!(renamed(b"dataInfo", b"dataInfi").contains("the matrix `dataInfo` is misplaced"));
    assert!(renamed(b"bt.", b"xt.").contains("neither binTrans nor binNormal"));
    assert!(renamed(b"predator.y", b"prey.x\0\0\0\0").contains("column `prey.x`: two columns have this name"));
}
