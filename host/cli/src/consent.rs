//! What a person agrees to on a command line in addition to the manifest.

use clap::Args;

use trellis_runner::document::Consent;

#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct ConsentArguments {
    /// Take over, or delete, resources with the object's tags or names of which nothing is recorded. Where a state
    /// names no account, and nothing that it records is found in the account of the credentials, make everything
    /// there.
    ///
    /// Without this, Trellis changes nothing before it has found a recorded resource: anybody can set a tag.
    #[arg(long)]
    adopt: bool,

    /// When something is destroyed of which the cloud has nothing, give up its record.
    ///
    /// Without this, the record stays: the cloud, the region or the credentials may be the wrong ones.
    #[arg(long)]
    forget: bool,
}

impl ConsentArguments {
    /// The consents in the words of a policy's request.
    pub(super) fn words(self) -> Vec<Consent> {
        let adopt = self.adopt.then_some(Consent::Adopt);
        adopt.into_iter().chain(self.forget.then_some(Consent::Forget)).collect()
    }
}
