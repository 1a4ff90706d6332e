//! Which provider a subject belongs to.

use super::{PlanSubject, Planning, SubjectKind, SubjectPlans};
use crate::policy::RequestError;
use crate::policy::owner::{are_of_provider, is_of_type};
use crate::text::enumerate;

impl Planning {
    /// What plans a subject. An object of a kind that the policy does not plan is refused, and one that names
    /// another provider; the Shoot of a kind other than Infrastructure may be on any cloud.
    pub(super) fn of(&self, subject: &PlanSubject<'_>) -> Result<&'static SubjectPlans, RequestError> {
        let (kind, provider) = (subject.kind, self.about.provider);
        let Some(known) = self.subjects.iter().find(|known| known.kind == kind) else {
            let kinds: Vec<&str> = self.subjects.iter().map(|known| known.kind.name()).collect();
            let by = format!("this module of `{provider}` plans; it plans {}", enumerate(&kinds, "and"));
            let (api_version, kind, by) = (String::new(), kind.name().to_owned(), by.into());
            return Err(RequestError::UnsupportedKind { api_version, kind, by });
        };
        let of_object = (subject.object, kind.name(), "/spec/type");
        if kind == SubjectKind::Infrastructure {
            let of_shoot = (subject.shoot, "Shoot", "/spec/provider/type");
            return are_of_provider([of_object, of_shoot], provider).map(|()| known);
        }
        let found = subject.document().text_at(&["spec", "type"]);
        if found == provider && !known.types.contains(&found) {
            let types: Vec<String> = known.types.iter().map(|text| format!("`{text}`")).collect();
            let types = enumerate(&types, "or");
            let message = format!("`spec.type` of a {} of `{provider}` is {types}", kind.name());
            return Err(RequestError::Malformed { message, pointer: Some("/spec/type".to_owned()) });
        }
        is_of_type(of_object, known.types, provider).map(|()| known)
    }
}
