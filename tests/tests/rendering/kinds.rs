//! Kinds that are no part of Kubernetes itself, with the fields that Trellis may set. Written down from what their
//! projects document, not generated: a field that Trellis starts to set has to be looked up there.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use serde::{Deserialize, Serialize};

/// Declares structs without other fields than these.
macro_rules! kinds {
    ($($name:ident { $($field:ident: $value:ty,)+ })+) => { $(
        #[derive(Debug, Deserialize, Serialize)]
        #[serde(deny_unknown_fields, rename_all = "camelCase")]
        pub struct $name {
            $($field: $value,)+
        }
    )+ };
}

kinds! {
    VerticalPodAutoscaler { api_version: String, kind: String, metadata: ObjectMeta, spec: Autoscaling, }
    Autoscaling { target_ref: Target, update_policy: UpdatePolicy, resource_policy: ResourcePolicy, }
    Target { api_version: String, kind: String, name: String, }
    UpdatePolicy { update_mode: UpdateMode, min_replicas: Option<i32>, }
    ResourcePolicy { container_policies: Vec<ContainerPolicy>, }
    ContainerPolicy {
        container_name: String,
        mode: Option<Mode>,
        controlled_values: ControlledValues,
        min_allowed: Option<BTreeMap<String, String>>,
        max_allowed: Option<BTreeMap<String, String>>,
    }

    ServiceMonitor { api_version: String, kind: String, metadata: ObjectMeta, spec: Monitoring, }
    Monitoring { selector: LabelSelector, endpoints: Vec<Endpoint>, job_label: Option<String>, }
    Endpoint {
        port: String,
        path: Option<String>,
        scheme: Option<String>,
        interval: Option<String>,
        scrape_timeout: Option<String>,
        honor_labels: Option<bool>,
        relabelings: Vec<Relabeling>,
        metric_relabelings: Vec<Relabeling>,
    }
    Relabeling {
        action: Action,
        source_labels: Option<Vec<String>>,
        regex: String,
        target_label: Option<String>,
        replacement: Option<String>,
    }

    PrometheusRule { api_version: String, kind: String, metadata: ObjectMeta, spec: Rules, }
    Rules { groups: Vec<Group>, }
    Group { name: String, interval: Option<String>, rules: Vec<Rule>, }
    Rule {
        alert: Option<String>,
        record: Option<String>,
        expr: String,
        r#for: Option<String>,
        labels: BTreeMap<String, String>,
        annotations: BTreeMap<String, String>,
    }
}

/// When the resources of pods change.
#[derive(Debug, Deserialize, Serialize)]
pub enum UpdateMode {
    Off,
    Initial,
    Recreate,
    InPlaceOrRecreate,
    Auto,
}

/// Whether a container is adapted.
#[derive(Debug, Deserialize, Serialize)]
pub enum Mode {
    Auto,
    Off,
}

/// What of a container is adapted.
#[derive(Debug, Deserialize, Serialize)]
pub enum ControlledValues {
    RequestsAndLimits,
    RequestsOnly,
}

/// What a relabeling does.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Replace,
    Keep,
    Drop,
    LabelMap,
    LabelDrop,
    LabelKeep,
}
