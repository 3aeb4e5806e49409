//! Runs at the same time: while one is made, idle threads make those that will follow.
//!
//! A run depends only on its [`Job`], so it does not matter when and on which thread it is made. Its cost and its warnings count
//! when it is requested. A run that is never requested leaves no trace.

use std::{
    cmp::Reverse,
    panic::{self, AssertUnwindSafe},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use lotka_step::Error;

use super::{
    job::Job,
    run_factory::{Made, RunFactory, may_differ_here},
};

/// Stack of a thread that makes runs, as large as that of the main thread of most programs.
const STACK: usize = 8 << 20;

/// Runs that follow the requested one.
#[derive(Default)]
pub(super) struct Others {
    /// Those that are made in any case, as far as is known.
    pub(super) needed: Vec<Job<'static>>,
    /// Those that are likely to follow, in order. They are made on threads that would otherwise wait for the runs above.
    pub(super) likely: Vec<Job<'static>>,
}

impl Others {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.needed.is_empty() && self.likely.is_empty()
    }

    /// The runs to make while `job` is made, on this number of threads.
    fn made_with(self, job: &Job<'static>, threads: usize) -> Vec<Job<'static>> {
        let mut chosen = self.needed;
        chosen.retain(|needed| needed != job);
        let mut room = {
            let all = || chosen.iter().chain([job]).map(Job::steps);
            (threads as u64 * all().max().unwrap_or(0)).saturating_sub(all().sum())
        };
        for likely in self.likely {
            if likely.steps() <= room && likely != *job && !chosen.contains(&likely) {
                room -= likely.steps();
                chosen.push(likely);
            }
        }
        chosen
    }
}

/// Runs that were made and not requested yet.
#[derive(Default)]
pub(super) struct SpeculativeRuns(Vec<Attempt>);

/// A run that was made.
struct Attempt {
    job: Job<'static>,
    /// Whether it was made with FMUs in hosts.
    is_hosted: bool,
    /// Its outcome; a panic continues where the run is requested.
    made: thread::Result<Result<Made, Box<Error>>>,
}

/// Where runs are made: the first on this thread, the others on up to `threads` minus one other threads, with these FMUs.
#[derive(Clone, Copy)]
pub(super) struct RunFactories<'a> {
    pub(super) here: RunFactory<'a>,
    pub(super) elsewhere: RunFactory<'a>,
    pub(super) are_hosted: bool,
    pub(super) threads: usize,
}

impl SpeculativeRuns {
    /// Makes a run and, at the same time, others that follow.
    pub(super) fn make(
        &mut self,
        job: &Job<'static>,
        mut others: Others,
        run_factories: RunFactories<'_>,
    ) -> Result<Made, Box<Error>> {
        if !self.has(job) {
            for jobs in [&mut others.needed, &mut others.likely] {
                jobs.retain(|other| !self.has(other));
            }
            let others = others.made_with(job, run_factories.threads);
            if others.is_empty() {
                return run_factories.here.run(job);
            }
            self.0.extend(run_factories.make(std::iter::once(job.clone()).chain(others).collect()));
        }
        match self.take(job) {
            Some(Attempt { made: Err(panic), .. }) => panic::resume_unwind(panic),
            Some(Attempt { made: Ok(made), is_hosted, .. }) if !(is_hosted && may_differ_here(&made)) => made,
            _ => run_factories.here.run(job),
        }
    }

    /// Forgets the runs, because others follow.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether a run is made.
    pub(super) fn has(&self, job: &Job<'_>) -> bool {
        self.0.iter().any(|made| made.job == *job)
    }

    fn take(&mut self, job: &Job<'_>) -> Option<Attempt> {
        let place = self.0.iter().position(|made| made.job == *job)?;
        Some(self.0.swap_remove(place))
    }
}

impl RunFactories<'_> {
    /// Makes all runs. The longest begin first, so that the threads end at about the same time.
    fn make(self, mut jobs: Vec<Job<'static>>) -> Vec<Attempt> {
        jobs.sort_by_key(|job| Reverse(job.steps()));
        let next = AtomicUsize::new(0);
        let work = |run_factory: RunFactory<'_>, is_hosted| {
            let job = || jobs.get(next.fetch_add(1, Ordering::Relaxed));
            let attempt = |job: &Job<'static>| {
                let made = panic::catch_unwind(AssertUnwindSafe(|| run_factory.run(job)));
                Attempt { job: job.clone(), is_hosted, made }
            };
            std::iter::from_fn(job).map(attempt).collect::<Vec<_>>()
        };
        thread::scope(|scope| {
            let builder = || thread::Builder::new().name("lotka-run".to_owned()).stack_size(STACK);
            let start = |_| builder().spawn_scoped(scope, || work(self.elsewhere, self.are_hosted)).ok();
            let threads: Vec<_> = (1..self.threads.min(jobs.len())).filter_map(start).collect();
            let mut made = work(self.here, false);
            for thread in threads {
                made.extend(thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
            }
            made
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use lotka_prepare::mesh::Base;

    fn jobs(subdivisions: &[u32]) -> Vec<Job<'static>> {
        let base = Arc::new(Base::equal((0.0, 1.0), 10));
        subdivisions.iter().map(|n| Job::divided(&base, *n, Vec::new())).collect()
    }

    /// The runs that are made with one of 4 steps per base step.
    fn made_with(needed: &[u32], likely: &[u32], threads: usize) -> Vec<u32> {
        let others = Others { needed: jobs(needed), likely: jobs(likely) };
        others.made_with(&jobs(&[4])[0], threads).iter().map(Job::subdivisions).collect()
    }

    #[test]
    fn likely_runs_are_made_where_threads_would_wait() {
        assert_eq!(made_with(&[], &[1, 2, 3], 2), [1, 2]);
        assert_eq!(made_with(&[], &[3, 2, 1], 2), [3, 1]);
        assert_eq!(made_with(&[], &[5, 4, 1], 2), [1], "no longer run than the one that is needed, and not twice the same");
        assert_eq!(made_with(&[5], &[1, 2], 2), [5, 1]);
        assert_eq!(made_with(&[5], &[1, 2, 5], 3), [5, 1, 2]);
        assert_eq!(made_with(&[4, 5, 6], &[1], 1), [5, 6], "needed runs are made anyway");
    }

    #[test]
    fn jobs_are_equal_only_if_their_runs_are() {
        let of = |n| jobs(&[n]).remove(0);
        assert_eq!(of(2), of(2));
        let others = [of(3), of(2).with_tolerance_share(0.1), of(2).with_event_share(0.1)];
        let trial = of(2).with_trial(Some(lotka_run::RunTrial::Turns));
        let expecting = Job::divided(&Arc::new(Base::equal((0.0, 1.0), 10)), 2, vec![0.5]);
        let elsewhere = Job::divided(&Arc::new(Base::equal((0.0, 1.0), 11)), 2, Vec::new());
        assert!(others.into_iter().chain([trial, expecting, elsewhere]).all(|other| other != of(2)));
    }
}
