//! What the webhook changes.

use trellis_core::gardener::mutation::{Change, SeenKind, Webhook, ensure_flag};
use trellis_core::policy::RequestError;

use super::rules;

pub const WEBHOOKS: &[Webhook] = &[Webhook {
    name: "controlplane",
    sees: &[SeenKind::by_name("apps/v1", "Deployment", &[("kube-apiserver", kube_apiserver)])],
}];

fn kube_apiserver(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    ensure_flag(change, &rules::TOY_012, "kube-apiserver", ("--toys=", "wood"), "children like wood")
}
