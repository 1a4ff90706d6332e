//! Any bytes as a recorded session and as a state file: what is wrong is said, what is refused is left as it was,
//! and what is read is the same when it is written and read again.
#![no_main]

use std::fs;
use std::sync::LazyLock;

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use trellis_simulator::cloud::{Clock, Cloud, Filter, replay};
use trellis_simulator::settings::Settings;
use trellis_simulator::world::World;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("a folder"));

fuzz_target!(|data: &[u8]| {
    let file = FOLDER.path().join("file");
    fs::write(&file, data).expect("a file");

    if let Ok(replayed) = replay(&file) {
        replayed.cloud.inventory(&Filter::default());
        same_again(&replayed.cloud);
    }
    assert!(fs::read(&file).is_ok_and(|bytes| bytes == data), "a session is read alone");

    let cloud = empty("2026-01-02T03:04:05Z".parse().expect("a time"));
    match cloud.keep_state(&file) {
        Ok(found) => {
            assert!(found);
            cloud.inventory(&Filter::default());
            same_again(&cloud);
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(fs::read(&file).is_ok_and(|bytes| bytes == data), "what is no state file is left as it was");
        }
    }
});

fn empty(time: Timestamp) -> Cloud {
    Cloud::new(World::default(), Clock::still(time), Settings::default())
}

/// A state file gives back the world that was written.
fn same_again(cloud: &Cloud) {
    let file = FOLDER.path().join("again");
    // There is none at first.
    let _ = fs::remove_file(&file);
    let written = Cloud::new(cloud.world(), Clock::still(cloud.now()), Settings::default());
    assert!(!written.keep_state(&file).expect("a new state file"));
    let world = written.world();
    drop(written);
    let read = empty(cloud.now());
    assert!(read.keep_state(&file).expect("a state file"));
    assert!(read.world() == world, "another world was read than was written");
}
