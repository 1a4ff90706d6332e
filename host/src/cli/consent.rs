//! What a person agrees to on a command line, beside the manifest.

use clap::Args;

use crate::plan::planner::Consent;

#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct ConsentArguments {
    /// Take over, or delete, what has the Shoot's tags or names in the cloud, although nothing is recorded of it; and build in
    /// the account of the credentials what a state records that names no account and of which nothing is found there.
    ///
    /// Without this, something that is recorded has to be found before anything is changed: a tag can be anybody's.
    #[arg(long)]
    adopt: bool,

    /// Give up the record of a network that is to be destroyed, and of which the cloud has nothing.
    ///
    /// Without this, the record stays: the cloud, the region or the credentials may be the wrong ones.
    #[arg(long)]
    forget: bool,
}

impl ConsentArguments {
    /// The same in the words of a policy's request.
    pub(super) fn words(self) -> Vec<Consent> {
        let adopt = self.adopt.then_some(Consent::Adopt);
        adopt.into_iter().chain(self.forget.then_some(Consent::Forget)).collect()
    }
}
