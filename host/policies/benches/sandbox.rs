//! What the sandbox costs: a call next to the same call of a linked policy, and getting a policy ready to be
//! called.
//!
//! The policies are those of the release build next to this program, or of the folder in `TRELLIS_POLICIES`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "the inputs are our own")]

mod support;

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use tempfile::TempDir;
use trellis_policies::engine::{Engine, Function, Native};
use trellis_policies::sandbox::{Limits, Sandbox};

fn calls(criterion: &mut Criterion) {
    let sandbox = sandbox(&support::policy(), None);
    let request = support::request();
    let engines: [(&str, &dyn Engine); 2] = [("native", &Native), ("sandbox", &sandbox)];
    let answers = engines.map(|(_, engine)| engine.call("alicloud", Function::Validate, &request).unwrap());
    assert_eq!(answers[0], answers[1]);
    let mut group = criterion.benchmark_group("validate two zones");
    for (name, engine) in engines {
        group.bench_function(name, |bencher| {
            bencher.iter(|| engine.call("alicloud", Function::Validate, black_box(&request)).unwrap());
        });
    }
}

fn loading(criterion: &mut Criterion) {
    let policy = support::policy();
    let cache = TempDir::new().unwrap();
    drop(sandbox(&policy, Some(cache.path())));
    let mut group = criterion.benchmark_group("load");
    // What a load is: the file read and its digest checked, made ready, and asked what it is.
    group.bench_function("from the cache", |bencher| {
        let empty = || Sandbox::new(Limits::default(), Some(cache.path())).unwrap();
        bencher.iter_batched_ref(empty, |sandbox| sandbox.load(&policy).unwrap(), BatchSize::PerIteration);
    });
    group.bench_function("sandbox without policies", |bencher| {
        bencher.iter_with_large_drop(|| Sandbox::new(Limits::default(), Some(cache.path())).unwrap());
    });
    group.sample_size(10).bench_function("compiled", |bencher| {
        let empty = || Sandbox::new(Limits::default(), None).unwrap();
        bencher.iter_batched_ref(empty, |sandbox| sandbox.load(&policy).unwrap(), BatchSize::PerIteration);
    });
    let kept: u64 =
        fs::read_dir(cache.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    let size = fs::metadata(&policy).unwrap().len();
    println!("size of {}: {size} bytes, compiled {kept} bytes", policy.display());
}

fn sandbox(policy: &Path, cache: Option<&Path>) -> Sandbox {
    let mut sandbox = Sandbox::new(Limits::default(), cache).unwrap();
    sandbox.load(policy).unwrap_or_else(|error| panic!("{error}"));
    sandbox
}

criterion_group!(benches, calls, loading);
criterion_main!(benches);
