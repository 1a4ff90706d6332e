//! The provider's configurations of worker pools.

use crate::document::Path;
use crate::document::decode::Mode;
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{Manifest, WORKERS, pool_config};
use crate::gardener::types::worker::Worker;
use crate::report::{ErrorType, Report, Rule, Severity};

/// Judges the configurations of worker pools, and gives them; none where nobody can read it, which `rule` reports.
/// `judge` judges one with its pool, at the place of the pool.
pub fn check_configs<'v, C: Config<'v>>(
    manifest: &Manifest<'v>,
    rule: &'static Rule,
    judge: fn(&C, &Worker<'v>, &Path<'_>, &mut Report<'_>),
    report: &mut Report<'_>,
) -> Vec<Option<C>> {
    let mut configs = Vec::new();
    for (index, worker) in manifest.shoot.spec.provider.workers.iter().enumerate() {
        let Some(raw) = pool_config(manifest.object, index) else {
            configs.push(Some(C::default()));
            continue;
        };
        if report.is_full(Severity::Error) {
            configs.push(C::read(raw, Mode::Lenient).ok());
            continue;
        }
        let path = WORKERS.index(index);
        let mut is_strict = true;
        let config = C::read_reporting(raw, Mode::Strict, &path.key("providerConfig"), report, |_| {
            is_strict = false;
            (rule, ErrorType::Invalid, "invalid providerConfig".to_owned())
        });
        // Of a pool with an unknown field, nothing more is judged.
        if let Some(config) = config.as_ref().filter(|_| is_strict) {
            judge(config, worker, &path, report);
        }
        configs.push(config);
    }
    configs
}
