//! The provider's configuration of an infrastructure.

use crate::document::Path;
use crate::document::decode::{Mode, Typed};
use crate::gardener::planning::errors::Errors;
use crate::gardener::provider_config::{Config, correct};
use crate::policy::PlanSubject;
use crate::report::{ErrorType, Report, Rule};

/// Reads the configuration of a request, as strictly as the existing extensions do before they plan.
pub fn config<'r, C: Config<'r>>(request: &PlanSubject<'r>, rule: &'static Rule) -> Result<C, Errors> {
    let mut report = Report::new(request.document());
    let root = request.config_pointer();
    let Some(config) = request.config() else {
        let detail = "provider config is not set on the infrastructure resource";
        report.error(rule, &Path::root("", root), ErrorType::Internal, detail);
        return Err(Errors::unreadable(report.into_parts().0));
    };
    C::read_typed(config, Mode::Strict, Typed::ByVersion).map_err(|error| {
        let pointer = format!("{root}{}", error.pointer());
        let detail = format!("could not decode provider config: {error}");
        let entry = report.error(rule, &Path::root("", &pointer), ErrorType::Internal, detail);
        correct::<C>(entry, &error, config, Mode::Strict, root);
        Errors::unreadable(report.into_parts().0)
    })
}
