//! What an edit does to nodes, as text for people.

use std::fmt::Write as _;

use super::clean;
use trellis_policies::answer::{NodeChange, Rollout};

/// A line for each worker pool; what replaces or removes nodes is marked.
pub(crate) fn human(rollout: &Rollout, has_color: bool) -> String {
    if rollout.pools.is_empty() {
        return String::new();
    }
    let mut text = String::from("Nodes:\n");
    for pool in &rollout.pools {
        let (mark, color) = match pool.change {
            NodeChange::Rolled => ("-/+", "\x1b[31m"),
            NodeChange::Removed => ("-  ", "\x1b[31m"),
            NodeChange::Added => ("+  ", "\x1b[32m"),
            NodeChange::UpdatedInPlace | NodeChange::Resized => ("~  ", "\x1b[33m"),
            NodeChange::Unchanged => ("   ", ""),
        };
        let (start, end) = if has_color && !color.is_empty() { (color, "\x1b[0m") } else { ("", "") };
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {start}{mark}{end} {}", clean(&pool.summary));
    }
    for why in rollout.undecided.iter().map(|open| &open.why) {
        let _ = writeln!(text, "      note: {}", clean(why));
    }
    text.push('\n');
    text
}
