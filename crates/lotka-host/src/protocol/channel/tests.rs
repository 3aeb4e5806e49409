//! Two sides of one channel.

use super::*;

fn pair() -> (Channel, Channel) {
    let memory = Arc::new(SharedMemory::create(crate::protocol::WORDS).unwrap().0);
    (Channel::new(Arc::clone(&memory), Side::Master), Channel::new(memory, Side::Host))
}

#[test]
fn a_step_passes_there_and_back_bit_by_bit() {
    let (mut master, mut host) = pair();
    assert_eq!(host.take(), Ok(false));
    let step = PostedStep { t: 1.5, h: 0.25, commit: true };
    master.post_step(&[f64::NAN, -0.0], step, 1);
    assert_eq!(host.look(1), Ok(true));
    assert_eq!(host.kind(), Ok(Kind::Step));
    let (mut inputs, mut outputs) = (vec![9.0], Vec::new());
    assert_eq!(host.step(&mut inputs, &mut outputs), Ok(step));
    assert_eq!(inputs.iter().map(|value| value.to_bits()).collect::<Vec<_>>(), [f64::NAN.to_bits(), (-0.0f64).to_bits()]);
    assert_eq!(outputs.len(), 1);
    host.post_stepped(&[8.0]);
    assert_eq!(master.take(), Ok(true));
    master.stepped(&mut outputs);
    assert_eq!((master.kind(), outputs.as_slice()), (Ok(Kind::Stepped), [8.0].as_slice()));
    master.post_step(&[], PostedStep { commit: false, ..step }, 0);
    assert_eq!(host.step(&mut inputs, &mut outputs).map(|step| step.commit), Ok(false));
}

#[test]
fn long_messages_pass_in_parts() {
    let (mut master, mut host) = pair();
    let request = Request::Deserialize(lotka_instance::Slot(1), (0..3_000_000).map(|n| n as u8).collect());
    master.write_request(&request);
    let mut parts = 1;
    while master.post_part() {
        assert_eq!((host.take(), host.kind()), (Ok(true), Ok(Kind::Part)));
        host.read_part(Kind::Part, parts == 1, LONGEST_MESSAGE).unwrap();
        host.post_next();
        assert_eq!((master.take(), master.kind()), (Ok(true), Ok(Kind::Next)));
        parts += 1;
    }
    assert_eq!((host.take(), host.kind()), (Ok(true), Ok(Kind::Message)));
    host.read_part(Kind::Message, parts == 1, LONGEST_MESSAGE).unwrap();
    assert_eq!((host.read_request(), parts), (Ok(request), 3));
}

#[test]
fn sleepers_are_woken() {
    let (mut master, mut host) = pair();
    let thread = std::thread::spawn(move || {
        while !host.sleep(Duration::from_secs(60)).unwrap() {}
        host.post_next();
    });
    master.post_next();
    while !master.sleep(Duration::from_secs(60)).unwrap() {}
    thread.join().unwrap();
}

#[test]
fn each_side_knows_a_partner_of_another_version() {
    let (master, host) = pair();
    assert_eq!((master.other_version(), host.other_version()), (None, None));
    host.halves()[half::MASTER_VERSION].store(VERSION + 1, Relaxed);
    master.halves()[half::HOST_VERSION].store(VERSION + 2, Relaxed);
    assert_eq!((master.other_version(), host.other_version()), (Some(VERSION + 2), Some(VERSION + 1)));
    assert!(Channel::is_ours(&host.memory));
    host.halves()[half::MAGIC].store(0, Relaxed);
    assert!(!Channel::is_ours(&host.memory));
}

#[test]
fn nonsense_is_refused() {
    let (mut master, host) = pair();
    let set = |place: usize, value: u64| host.words()[HOST_POST + place].store(value, Relaxed);
    for kind in [0, 6, u64::MAX] {
        set(0, kind);
        assert!(master.kind().is_err(), "{kind}");
    }
    let full = 8 * PAYLOAD.len() as u64;
    let mut read = |kind: Kind, length: u64, longest: usize| {
        // The value that was read counts, not the later change.
        set(0, Kind::Message as u64);
        set(1, length);
        master.read_part(kind, true, longest).is_ok()
    };
    assert!(read(Kind::Message, 5, 5) && read(Kind::Message, full, LONGEST_MESSAGE) && read(Kind::Part, full, LONGEST_MESSAGE));
    assert!(!read(Kind::Message, u64::MAX, LONGEST_MESSAGE) && !read(Kind::Message, full + 1, LONGEST_MESSAGE));
    assert!(!read(Kind::Message, 6, 5) && !read(Kind::Part, 0, LONGEST_MESSAGE) && !read(Kind::Part, 5, LONGEST_MESSAGE));
    host.halves()[half::HOST_TURN].store(17, Relaxed);
    assert!(master.take().is_err());
}

#[test]
fn a_step_of_more_numbers_than_there_is_room_for_is_refused() {
    let (master, host) = pair();
    let read = |n_inputs: u64, n_outputs: u64| {
        master.own_post(3).store(n_inputs, Relaxed);
        master.own_post(4).store(n_outputs, Relaxed);
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        host.step(&mut inputs, &mut outputs).map(|_| (inputs.len() as u64, outputs.len() as u64))
    };
    let room = PAYLOAD.len() as u64;
    for (n_inputs, n_outputs) in [(0, 0), (room, 0), (0, room), (room, room)] {
        assert_eq!(read(n_inputs, n_outputs), Ok((n_inputs, n_outputs)));
    }
    for (n_inputs, n_outputs) in [(room + 1, 0), (0, room + 1), (room, room + 1), (u64::MAX, 1), (1, u64::MAX)] {
        assert_eq!(read(n_inputs, n_outputs), Err(Garbled("the size of a step")), "{n_inputs} {n_outputs}");
    }
}
