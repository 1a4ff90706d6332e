//! The simulated world next to the recorded states.

use std::fs;
use std::sync::Arc;

use serde_json::json;
use trellis_simulator::Options;

use super::{ended, trellis};
use crate::infrastructure::site::shoot;

#[test]
fn a_plan_reads_a_world_that_another_command_holds() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("shoot.json");
    fs::write(&file, shoot(1, &json!({})).to_string()).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = trellis(arguments);
        command.args(["--clock", "1000", "--state-dir", "states"]).arg(&file).current_dir(folder.path());
        ended(&command.output().unwrap())
    };
    let world = folder.path().join("states/world.json");
    assert_eq!(run(&["plan"]).0, Some(0));
    assert!(!folder.path().join("states").exists(), "a plan writes nothing");
    assert_eq!(run(&["apply", "--yes"]).0, Some(0));
    let before = fs::read(&world).unwrap();

    let holder = Options { state: Some(world.clone()), ..Options::default() }.start().unwrap();
    let holder = Arc::new(holder.gateway);
    let (code, stdout, stderr) = run(&["plan", "--detailed-exitcode"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("No changes: everything is as it should be."), "{stdout}");
    assert!(
        stderr.contains(
            "another command changes this world; the plan is of the world and the state as they were saved last"
        ),
        "{stderr}"
    );
    assert_eq!(fs::read(&world).unwrap(), before);
    let (code, _, stderr) = run(&["apply", "--yes"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("is in use by another simulator"), "{stderr}");
    drop(holder);
    let (_, _, stderr) = run(&["plan"]);
    assert!(!stderr.contains("another command"), "{stderr}");
}
