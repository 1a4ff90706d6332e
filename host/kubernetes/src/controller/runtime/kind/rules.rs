//! What kinds of extension resources differ in (reference: gardener-contract 2.1, 2.2, 2.8).

use std::time::Duration;

/// How objects of a kind are reconciled.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whether an object has a Cluster.
    pub cluster: ClusterNeed,
    /// How an object leaves for another seed.
    pub migration: Migration,
    /// Whose failure stops an object, and who forces its deletion.
    pub follows: Follows,
    /// Whether the deletion of an object counts as a destructive change.
    pub caps_deletion: bool,
    /// Whether the condition `Created` says that the object has been made at least once.
    pub shows_creation: bool,
    /// Whether the credentials of an object are in a Secret with gardenlet's label.
    pub has_labelled_credentials: bool,
    /// How long a call is sent again that the cloud refuses for a while, where that is shorter than in other runs,
    /// because the next attempt goes on with it.
    pub call_limit: Option<Duration>,
    /// What wakes an object too, where each change of its spec asks for a reconcile.
    pub woken_by: &'static [Metadata],
    /// Whether an object has machines, whose updates in place wake it.
    pub machines: Machines,
}

/// Whether an object has machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machines {
    /// It has none.
    Absent,
    /// Those that are updated in place are watched.
    Watched,
}

/// Whether an object has a Cluster, which has the name of its namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterNeed {
    /// Nothing is done without one.
    Always,
    /// Only where the object is of class `shoot`, and the namespace one of a Shoot.
    OfShootNamespace,
    /// No object has one.
    Never,
}

/// How an object leaves for another seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migration {
    /// It gives up the finalizer of the extension.
    OwnFinalizer,
    /// It gives up all finalizers.
    AllFinalizers,
    /// It never leaves: an annotation that asks for that gets a reconcile, and stays.
    Never,
}

/// Whose failure stops an object, and whose annotation forces its deletion, which then waits for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// Those of its Shoot. The annotation has a value that Go takes for true.
    Shoot,
    /// Nobody's failure stops it, and its own annotation has the text `true`.
    Itself,
}

/// Kinds of objects whose metadata are watched, and nothing else of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// The Secrets that extension resources name.
    Secrets,
    /// The namespaces of Shoots.
    Namespaces,
}

impl Rules {
    /// For a part of the control plane of a Shoot.
    pub const OF_SHOOT: Self = Self {
        cluster: ClusterNeed::Always,
        migration: Migration::OwnFinalizer,
        follows: Follows::Shoot,
        caps_deletion: false,
        shows_creation: false,
        has_labelled_credentials: false,
        call_limit: None,
        woken_by: &[],
        machines: Machines::Absent,
    };
}
