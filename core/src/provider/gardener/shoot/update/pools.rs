//! What must not change in worker pools (GDN-UPD-030 to 041).

use super::{Change, version};
use crate::document::{Path, Value};
use crate::gardener::checks::immutable::{changed, restored};
use crate::gardener::shoot::WORKERS;
use crate::provider::gardener::fields::{items, named, text};
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::same::{is_same, type_at};
use crate::provider::gardener::shoot::create;
use crate::provider::gardener::shoot::pools::{control_plane, is_in_place};
use crate::report::{ErrorType, Report};
use crate::text::{join, quote};

/// Judges the change of the provider and its worker pools.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    const TYPE: &[&str] = &["spec", "provider", "type"];
    if text(change.old, TYPE) != text(change.new, TYPE) {
        let path = Path::root("spec.provider.type", "/spec/provider/type");
        restored(&rules::GDN_UPD_030, &path, change.old, report);
    }
    let (workers, olds) = (change.check.workers(), items(change.old, &["spec", "provider", "workers"]));
    for (index, worker) in workers.iter().enumerate() {
        let path = WORKERS.index(index);
        let old = named(olds, text(worker, &["name"]));
        match old {
            Some(old) => pool(old, worker, &path, report),
            None => create::in_place(change.check, &rules::GDN_UPD_031, worker, &path, report),
        }
        version::judge_pool(change, worker, old, &path, report);
    }
    for old in olds {
        let name = text(old, &["name"]);
        if !workers.is_empty() && named(workers, name).is_none() {
            let detail = join(&["removes worker pool ", &quote(name), " with all its nodes"], "");
            report.warn(&rules::GDN_ADV_001, &WORKERS, detail);
        }
    }
    let name = |workers| control_plane(workers).map(|worker| text(worker, &["name"]));
    let detail = match (name(olds), name(workers)) {
        (Some(before), Some(after)) if before != after => "cannot change control plane worker pool",
        (Some(_), None) | (None, Some(_)) => "cannot switch a Shoot between self-hosted and hosted mode",
        _ => return,
    };
    let is_switch = detail.starts_with("cannot switch");
    let rule = if is_switch { &rules::GDN_UPD_040 } else { &rules::GDN_UPD_041 };
    report.error(rule, &WORKERS, ErrorType::Forbidden, detail);
}

fn pool(old: &Value<'_>, new: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    const STRATEGY: &[&str] = &["updateStrategy"];
    let strategy = match (is_in_place(old), is_in_place(new)) {
        (true, false) => Some((
            &rules::GDN_UPD_032,
            "update strategy cannot be changed from AutoInPlaceUpdate/ManualInPlaceUpdate to AutoRollingUpdate",
        )),
        (false, true) => Some((
            &rules::GDN_UPD_033,
            "update strategy cannot be changed from AutoRollingUpdate to AutoInPlaceUpdate/ManualInPlaceUpdate",
        )),
        _ => None,
    };
    if let Some((rule, detail)) = strategy {
        report.error(rule, &path.key("updateStrategy"), ErrorType::Invalid, detail);
    }
    if is_in_place(new) && text(old, STRATEGY) == text(new, STRATEGY) {
        in_place(old, new, path, report);
    }
    backup(old, new, path, report);
}

/// Judges what a pool that is updated in place must keep.
fn in_place(old: &Value<'_>, new: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let have_both = |around: &[&str]| old.at(around).is_some() && new.at(around).is_some();
    let machine = path.key("machine");
    let (image, cri) = (machine.key("image"), path.key("cri"));
    let image_is_there = have_both(&["machine", "image"]);
    for &(rule, keys, path, what, counts) in &[
        (&rules::GDN_UPD_034, &["machine", "type"][..], machine.key("type"), "machine type", true),
        (
            &rules::GDN_UPD_035,
            &["machine", "image", "name"],
            image.key("name"),
            "machine image name",
            image_is_there,
        ),
        (&rules::GDN_UPD_036, &["cri", "name"], cri.key("name"), "CRI name", have_both(&["cri"])),
        (&rules::GDN_UPD_037, &["volume"], path.key("volume"), "volume", true),
    ] {
        let of = type_at(&[&["spec", "provider", "workers"], keys].concat());
        if counts && !is_same(of, old.at(keys), new.at(keys)) {
            let detail = join(
                &[what, "cannot be changed if update strategy is AutoInPlaceUpdate/ManualInPlaceUpdate"],
                " ",
            );
            let reported = report.error(rule, &path, ErrorType::Invalid, detail);
            match old.at(keys) {
                Some(value) => reported.fix_value(value),
                None => reported.fix_removal(),
            }
        }
    }
}

/// Judges the backup of a control plane that runs on the pool.
fn backup(old: &Value<'_>, new: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (Some(before), Some(_)) = (old.at(&["controlPlane", "backup"]), new.get("controlPlane")) else { return };
    let control_plane = path.key("controlPlane");
    let place = control_plane.key("backup");
    let Some(after) = new.at(&["controlPlane", "backup"]) else {
        changed(&rules::GDN_UPD_039, &place, report).fix_value(before);
        return;
    };
    for &key in &["provider", "region"] {
        let is_changed = match key {
            "provider" => text(before, &[key]) != text(after, &[key]),
            _ => before.get(key) != after.get(key),
        };
        if is_changed {
            changed(&rules::GDN_UPD_038, &place.key(key), report);
        }
    }
}
