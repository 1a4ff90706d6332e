//! Worker pools (DEF-6 to DEF-9, DEF-81 to DEF-86).

use super::components::swap;
use super::fill::{Row, entry, fill, has, number, put_absent, row, text, text_at};
use super::places::{WORKERS, pools};
use crate::document::Value;
use crate::policy::Defaulted;
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::default as rules;

const KUBELET: &[&str] = &["kubernetes", "kubelet"];
const IN_PLACE: &str = "machines that are updated in place are updated one at a time";
const ROLLING: &str = "machines are replaced one at a time, each after its successor has come";

/// Newer releases choose the architecture by the machine type.
static UNTIL_1_149: &[Row] = &[row(
    &rules::DEF_006,
    &["machine", "architecture"],
    text("amd64"),
    "machines are of this kind unless you say otherwise",
)];

static MACHINES: &[Row] =
    &[row(&rules::DEF_007, &["cri", "name"], text("containerd"), "containers run by containerd")
        .with_its_object()];

static OF_ALL: &[Row] = &[
    row(
        &rules::DEF_081,
        &["updateStrategy"],
        text("AutoRollingUpdate"),
        "machines are replaced by new ones unless you ask for updates in place",
    ),
    row(
        &rules::DEF_086,
        &["systemComponents", "allow"],
        Value::Bool(true),
        "every worker pool may run system components unless you say otherwise",
    )
    .with_its_object(),
];

static AUTO_IN_PLACE: &[Row] = &[
    row(&rules::DEF_082, &["maxSurge"], number("0"), IN_PLACE),
    row(&rules::DEF_082, &["maxUnavailable"], number("1"), IN_PLACE),
];

static REPLACED: &[Row] = &[
    row(&rules::DEF_084, &["maxSurge"], number("1"), ROLLING),
    row(&rules::DEF_084, &["maxUnavailable"], number("0"), ROLLING),
];

static HEALTH: &[Row] = &[row(
    &rules::DEF_085,
    &["machineControllerManager", "disableHealthTimeout"],
    Value::Bool(true),
    "a machine that is updated in place is not replaced when it takes long",
)];

/// Fills in what the whole-object rules fill in of each pool.
pub fn machines(garden: Garden, defaulted: &mut Defaulted<'_>) {
    for index in 0..pools(&defaulted.object).len() {
        let base = entry(WORKERS, index);
        if !garden.is_from(149) {
            fill(defaulted, &base, UNTIL_1_149);
        }
        fill(defaulted, &base, MACHINES);
        if has(defaulted, &base, KUBELET) {
            let kubelet = format!("{base}/kubernetes/kubelet");
            let reason = "the kubelet does not start on a node with swap unless you allow that";
            put_absent(defaulted, &rules::DEF_008, (&kubelet, &["failSwapOn"]), Value::Bool(true), reason);
            swap(defaulted, &kubelet, &rules::DEF_008);
        }
        let exposure = &["controlPlane", "exposure", "extension"];
        if has(defaulted, &base, exposure) {
            let provider = text_at(&defaulted.object, "/spec/provider/type").to_owned();
            let path = &["controlPlane", "exposure", "extension", "type"];
            let reason = "the provider of the Shoot exposes its control plane";
            put_absent(defaulted, &rules::DEF_009, (&base, path), Value::string(provider), reason);
        }
    }
}

/// Fills in how the machines of each pool are updated.
pub fn updates(defaulted: &mut Defaulted<'_>) {
    for index in 0..pools(&defaulted.object).len() {
        let base = entry(WORKERS, index);
        fill(defaulted, &base, OF_ALL);
        let strategy = text_at(&defaulted.object, &format!("{base}/updateStrategy")).to_owned();
        let tables: &[&[Row]] = match strategy.as_str() {
            "AutoInPlaceUpdate" => &[AUTO_IN_PLACE, HEALTH],
            "ManualInPlaceUpdate" => &[HEALTH],
            _ => &[REPLACED],
        };
        for rows in tables {
            fill(defaulted, &base, rows);
        }
    }
}
