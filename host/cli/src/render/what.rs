//! What is rendered: the control plane of a Shoot, or its machines.

use clap::ValueEnum;

use trellis_policies::engine::Function;
use trellis_policies::manifest::Document;

/// Group of the objects by which Gardener gives extensions their work.
const EXTENSIONS: &str = "extensions.gardener.cloud";

/// What is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// What makes the control plane run, in the seed and in the Shoot.
    #[value(alias = "controlPlane")]
    ControlPlane,
    /// The machines of worker pools: classes with their Secrets, and deployments.
    Workers,
}

impl What {
    /// The kind of the object by which Gardener asks an extension for it.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::ControlPlane => "ControlPlane",
            Self::Workers => "Worker",
        }
    }

    /// The function of a policy that renders it.
    pub(super) fn function(self) -> Function {
        match self {
            Self::ControlPlane => Function::Render,
            Self::Workers => Function::Workers,
        }
    }

    /// Why a Shoot is left out whose own object is among the files.
    pub(super) fn why_left_out(self) -> &'static str {
        match self {
            Self::ControlPlane => "its ControlPlane and its Cluster are given",
            Self::Workers => "its Worker and its Cluster are given",
        }
    }

    /// Whether an object is the one by which Gardener asks an extension.
    pub(super) fn is_object(self, document: &Document) -> bool {
        document.kind() == self.kind() && document.group() == Some(EXTENSIONS)
    }

    /// Whether something can be rendered of an object.
    pub(super) fn is_of(self, document: &Document) -> bool {
        document.kind() == "Shoot" || self.is_object(document)
    }
}

/// The Cluster is of the same group.
pub(super) fn is_cluster(document: &Document) -> bool {
    document.group() == Some(EXTENSIONS)
}
