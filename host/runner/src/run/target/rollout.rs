//! What an edit of a Shoot does to its nodes.

use super::{RunTarget, TargetError, load};
use trellis_policies::answer::Rollout;
use trellis_policies::engine::{Engine, Function};
use trellis_policies::judge::{Case, NoAnswer, Panel, Settings};
use trellis_policies::manifest::Document;
use trellis_policies::policy::GARDENER;

impl RunTarget {
    /// What the change from an older version does to the nodes of the Shoot; none where the provider's policy does
    /// not say, or where no Shoot is given. Both versions get the defaults of an update.
    pub fn rollout(&self, engine: &dyn Engine, older: &Document) -> Result<Option<Rollout>, TargetError> {
        let document = self.document();
        let policy = load(engine, &self.provider)?;
        if document.kind() != "Shoot" || older.kind() != "Shoot" || !policy.answers(Function::Rollout) {
            return Ok(None);
        }
        let gardener = engine.general().iter().any(|name| name == GARDENER).then(|| load(engine, GARDENER));
        let gardener = gardener.transpose()?;
        let panel = Panel::of_kind("Shoot", gardener.as_ref(), Some(&policy));
        let (old, new) = (self.with_defaults(older, older, &panel)?, self.with_defaults(document, older, &panel)?);
        policy.rollout(&new, &old).map(Some).map_err(|failure| NoAnswer::about(document, failure).into())
    }

    fn with_defaults(
        &self,
        document: &Document,
        older: &Document,
        panel: &Panel<'_>,
    ) -> Result<String, TargetError> {
        let case = Case::new(document, Some(older), &self.manifests);
        match case.default(panel, Settings::at(&self.now, &[])) {
            Some(Ok(defaulted)) => Ok(defaulted.object.get().to_owned()),
            Some(Err(failure)) => Err(NoAnswer::about(document, failure).into()),
            None => Ok(document.json().to_owned()),
        }
    }
}
