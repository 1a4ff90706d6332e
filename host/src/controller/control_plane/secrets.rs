//! Temporary.
use super::{ControlPlanes, Stopped};
use crate::answer::Rendering;
use crate::controller::asking::Names;
use crate::controller::objects::Objects;
use crate::controller::reconcile::Task;

impl ControlPlanes {
    pub(super) async fn keep_certificates(
        &self,
        _: Task<'_>,
        _: &Objects,
        _: &Rendering,
    ) -> Result<Names, Stopped> {
        Ok(Names::new())
    }
    pub(super) async fn clean_certificates(&self, _: Task<'_>, _: &Objects, _: &Rendering) -> Result<(), Stopped> {
        Ok(())
    }
    pub(super) async fn delete_certificates(&self, _: Task<'_>, _: &Objects) -> Result<(), Stopped> {
        Ok(())
    }
    pub(super) async fn keep_access(&self, _: Task<'_>, _: &Objects, _: &Rendering) -> Result<(), Stopped> {
        Ok(())
    }
    pub(super) async fn delete_access(&self, _: Task<'_>, _: &Objects) -> Result<(), Stopped> {
        Ok(())
    }
}
