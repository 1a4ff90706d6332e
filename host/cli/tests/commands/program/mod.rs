//! The program `trellis` as a process, with the policies that are linked into it, and with those of files.

mod causes;
#[cfg(all(feature = "cluster", unix))]
mod deployments;
mod examples;
mod gardener;
mod machines;
mod mistakes;
mod native;
mod policies;
mod profile_mistakes;
mod render;
mod scalars;
mod scan;
mod sent;
mod simulate;
mod upgrade;
mod zones;

/// A text with a part replaced, which must be there.
#[cfg(feature = "native")]
fn with(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old}: {text}");
    text.replacen(old, new, 1)
}
