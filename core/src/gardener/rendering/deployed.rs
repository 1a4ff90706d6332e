//! Digests on pod templates. The existing extensions take them of their own texts, so that those of a policy
//! differ. Where the cluster holds the same content, its digest is kept, and no pod restarts.

use super::ControlPlaneDraft;
use crate::call::{FactAnswer, Query};
use crate::document::Value;
use crate::kube::query;
use crate::policy::{ObjectName, Restart};
use crate::report::Rule;
use crate::text::digest::sha256;

/// A workload, and the Secret whose content its pods have a digest of.
#[derive(Debug)]
pub struct Mounted {
    /// The workload.
    pub workload: ObjectName,
    /// The Secret.
    pub secret: ObjectName,
    /// The key of the Secret's data.
    pub key: &'static str,
    /// The annotation of the pods.
    pub annotation: &'static str,
    /// Whether both are in the Shoot, and not in the seed.
    pub is_in_shoot: bool,
}

/// What the cluster holds.
enum Deployed<'b> {
    /// The objects.
    Found(&'b Value<'b>, &'b Value<'b>),
    /// One of them is not there.
    Absent,
    /// Why nobody knows.
    Unknown(String),
}

impl<'b> ControlPlaneDraft<'b> {
    /// The digest of a content, which is in base64: the one that the cluster holds for the same content, else its own.
    pub fn checksum(&mut self, rule: &'static Rule, mounted: Mounted, content: &str) -> String {
        let own = sha256(content.as_bytes());
        if self.control_plane.is_preview {
            return own;
        }
        match self.deployed(rule, &mounted) {
            Deployed::Found(workload, secret) => {
                let held = secret.text_at(&["data", mounted.key]);
                let pods = ["spec", "template", "metadata", "annotations", mounted.annotation];
                let annotated = workload.at(&pods).and_then(Value::as_str);
                annotated.filter(|_| held == content).map_or(own, str::to_owned)
            }
            Deployed::Absent => own,
            Deployed::Unknown(why) => {
                self.restarts.push(Restart { object: mounted.workload, why: why.into() });
                own
            }
        }
    }

    fn deployed(&mut self, rule: &'static Rule, mounted: &Mounted) -> Deployed<'b> {
        let mut found = Vec::with_capacity(2);
        let mut unknown = None;
        let mut is_absent = false;
        for &object in &[&mounted.workload, &mounted.secret] {
            let query = query_of(object, mounted.is_in_shoot);
            match self.request.fact(&query) {
                Some(FactAnswer::Response(object)) => found.push(object),
                Some(FactAnswer::Error { http_status: 404, .. }) => is_absent = true,
                Some(FactAnswer::Error { message, .. }) => {
                    unknown = Some(format!("{} {} could not be read: {message}", object.kind, object.name));
                }
                None => {
                    let why = format!(
                        "nobody has looked up {} {}; without it, pods may restart",
                        object.kind, object.name
                    );
                    self.report.undecided(rule, why, Some(query));
                    unknown = Some("nobody has looked up what the cluster holds".to_owned());
                }
            }
        }
        match (found.as_slice(), unknown) {
            _ if is_absent => Deployed::Absent,
            (_, Some(why)) => Deployed::Unknown(why),
            ([workload, secret], None) => Deployed::Found(workload, secret),
            _ => Deployed::Absent,
        }
    }
}

fn query_of(object: &ObjectName, is_in_shoot: bool) -> Query {
    let namespace = object.namespace.as_deref().unwrap_or_default();
    let ask = if is_in_shoot { query::object_in_shoot } else { query::object };
    ask(object.api_version, object.kind, namespace, &object.name)
}
