//! How many calls runs make.

use std::fmt::Write as _;
use std::path::Path;
use std::{array, env, fs};

use serde_json::Value;

use crate::infrastructure::layout::{Layout, Scene};

/// Calls of a create, of a run without changes and of a delete. A create and a delete are counted without the
/// closing observation, which sees that nothing is left to do.
type Counts = [u64; 3];

/// What the existing extension makes, measured on the wire with 1 zone and with 3 zones (`alicloud-cloud` 5.0). It
/// observes nothing at the end.
fn existing(layout: Layout) -> [Counts; 2] {
    match layout {
        Layout::Managed => [[43, 17, 41], [73, 31, 75]],
        Layout::ManagedNatGateway => [[42, 18, 37], [72, 32, 71]],
        Layout::OwnNatGateway => [[40, 19, 32], [70, 33, 66]],
        Layout::DualStack => [[53, 21, 45], [89, 37, 79]],
        Layout::RouteTable => [[52, 19, 51], [86, 33, 89]],
        Layout::DualStackAndRouteTable => [[65, 24, 58], [105, 40, 96]],
        Layout::OwnAddresses => [[42, 19, 37], [68, 35, 63]],
    }
}

/// The most that there may be.
fn limits(layout: Layout, zones: usize) -> Counts {
    let existing = existing(layout)[usize::from(zones > 1)];
    match (layout, zones) {
        (Layout::Managed, 1) => [20, 8, 22],
        (Layout::Managed, _) => [28, 8, 32],
        _ => {
            let further = 2 * u64::from(layout.has_route_table()) + u64::from(layout.is_dual_stack());
            [existing[0] / 2, 8 + further, existing[2] / 2]
        }
    }
}

/// Makes a network, looks after it, and takes it down: the calls.
fn measure(layout: Layout, zones: usize) -> Counts {
    let scene = Scene::new(layout, zones);
    let (create, no_change) = scene.apply_twice();
    let delete = scene.destroy();
    let counted = |run: &Value, part: &str| run["calls"][part].as_u64().unwrap();
    let changing = |run: &Value| counted(run, "observe") + counted(run, "steps");
    assert_eq!(counted(&no_change, "steps"), 0);
    let again = counted(&no_change, "observe") + counted(&no_change, "closing");
    // One observation is a plan's: that nothing is left to do.
    let on_the_wire = scene.site.calls(0).len() as u64;
    let reported = [&create, &delete].map(|run| changing(run) + counted(run, "closing"));
    assert_eq!(on_the_wire, reported.iter().sum::<u64>() + 2 * again, "runs report other calls than they made");
    [changing(&create), again, changing(&delete)]
}

/// The table of all layouts.
fn table() -> String {
    let mut table = "| network | create | no-change | delete |\n|---|---|---|---|\n".to_owned();
    for layout in Layout::ALL {
        let [one, three] = [1, 3].map(|zones| {
            let counts = measure(layout, zones);
            let limits = limits(layout, zones);
            let fits = counts.iter().zip(limits).all(|(count, limit)| *count <= limit);
            assert!(fits, "{layout:?} with {zones} zones: {counts:?} calls, of at most {limits:?}");
            counts
        });
        let [old_one, old_three] = existing(layout);
        let cells: [String; 3] = array::from_fn(|run| {
            format!("**{} / {}** of {} / {}", one[run], three[run], old_one[run], old_three[run])
        });
        // Writing to a string does not fail.
        let _ = writeln!(table, "| {} | {} |", layout.name(), cells.join(" | "));
    }
    table
}

/// `UPDATE_COUNTS=1 cargo test -p trellis-cli --test commands infrastructure::counts` writes the table again.
#[test]
fn runs_make_as_many_calls_as_the_table_says_and_no_more_than_they_may() {
    const MARKS: [&str; 2] = ["<!-- calls -->\n", "<!-- /calls -->"];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/performance.md");
    let document = fs::read_to_string(&path).unwrap();
    let (before, rest) = document.split_once(MARKS[0]).unwrap();
    let (reported, after) = rest.split_once(MARKS[1]).unwrap();
    if env::var_os("UPDATE_COUNTS").is_some() {
        fs::write(&path, [before, MARKS[0], &table(), MARKS[1], after].concat()).unwrap();
        return;
    }
    // On a busy machine, two probes may become one: then the runs are measured again.
    let measured = (0..3).map(|_| table());
    let different: Vec<String> = measured.take_while(|table| table != reported).collect();
    assert!(
        different.len() < 3,
        "the page says\n{reported}\nand three measurements gave\n{}",
        different.join("\n")
    );
}
