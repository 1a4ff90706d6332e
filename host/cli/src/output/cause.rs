//! What breaks a rule in many objects.

/// The findings of a rule.
#[derive(Default)]
pub(crate) struct Cause {
    /// How many objects have one.
    pub(crate) objects: usize,
    /// The first objects, each with what is wrong.
    pub(crate) first: Vec<String>,
    /// What to do about the first one.
    pub(crate) remedy: String,
    /// Which gardens say so of the first one, where not all do.
    pub(crate) since: Option<String>,
}
