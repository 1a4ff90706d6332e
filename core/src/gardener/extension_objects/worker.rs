//! Workers.

use std::borrow::Cow;

use super::{CLOUD_PROVIDER, Members, Preview, copied, members, object};
use crate::document::Value;
use crate::policy::technical_id;

/// The Worker of a Shoot with its defaults. `infrastructure` is the status of its infrastructure; the CloudProfile
/// says what nodes of a machine type have.
pub fn worker<'s>(
    shoot: &'s Value<'s>,
    cloud_profile: Option<&'s Value<'s>>,
    infrastructure: Value<'s>,
    preview: &mut Preview,
) -> Value<'s> {
    let namespace = technical_id(shoot);
    let metadata = Value::object([
        ("name", Value::string(shoot.text_at(&["metadata", "name"]))),
        ("namespace", Value::String(namespace.clone())),
    ]);
    let secret = Value::object([("name", Value::string(CLOUD_PROVIDER)), ("namespace", Value::String(namespace))]);
    let workers = shoot.at(&["spec", "provider", "workers"]).map(Value::items).unwrap_or_default();
    let pools =
        workers.iter().map(|pool| Pool { shoot, cloud_profile, written: pool }.of_worker(preview)).collect();
    let spec = vec![
        ("type", copied(shoot, &["spec", "provider", "type"])),
        ("region", copied(shoot, &["spec", "region"])),
        ("secretRef", Some(secret)),
        ("infrastructureProviderStatus", Some(infrastructure)),
        ("pools", Some(Value::Array(pools))),
    ];
    object("Worker", metadata, spec)
}

/// What a pool of a Worker takes from a pool of the Shoot as it is, and where from.
const TAKEN: [(&str, &[&str]); 16] = [
    ("name", &["name"]),
    ("machineType", &["machine", "type"]),
    ("minimum", &["minimum"]),
    ("maximum", &["maximum"]),
    ("maxSurge", &["maxSurge"]),
    ("maxUnavailable", &["maxUnavailable"]),
    ("annotations", &["annotations"]),
    ("taints", &["taints"]),
    ("providerConfig", &["providerConfig"]),
    ("volume", &["volume"]),
    ("dataVolumes", &["dataVolumes"]),
    ("kubeletDataVolumeName", &["kubeletDataVolumeName"]),
    ("zones", &["zones"]),
    ("architecture", &["machine", "architecture"]),
    ("priority", &["priority"]),
    ("updateStrategy", &["updateStrategy"]),
];
/// What of it is 0 where the Shoot does not say.
const NUMBERS: [&str; 4] = ["minimum", "maximum", "maxSurge", "maxUnavailable"];

/// A worker pool of a Shoot.
struct Pool<'s> {
    shoot: &'s Value<'s>,
    cloud_profile: Option<&'s Value<'s>>,
    written: &'s Value<'s>,
}

impl<'s> Pool<'s> {
    /// The pool of the Worker.
    fn of_worker(&self, preview: &mut Preview) -> Value<'s> {
        let pool = self.written;
        let name = pool.text_at(&["name"]);
        let agent = preview.of("node agent Secret", name);
        let user_data = preview.of("user data Secret", name);
        let data = Value::object([("name", Value::string(user_data)), ("key", Value::string("cloud_config"))]);
        let image = members(
            ["name", "version"].iter().map(|key| (*key, copied(pool, &["machine", "image", key]))).collect(),
        );
        let made = vec![
            ("machineImage", Some(image)),
            ("labels", Some(self.labels(&agent))),
            ("nodeAgentSecretName", Some(Value::string(agent))),
            ("userDataSecretRef", Some(data)),
            ("machineControllerManager", self.machine_controller_manager()),
            ("kubernetesVersion", self.kubernetes("version")),
            ("kubeletConfig", self.kubernetes("kubelet")),
            ("nodeTemplate", self.node_template()),
            ("clusterAutoscaler", self.cluster_autoscaler()),
        ];
        let mut all: Members<'s> = TAKEN.iter().map(|(key, keys)| (*key, copied(pool, keys))).collect();
        for (key, value) in &mut all {
            if value.is_none() && NUMBERS.contains(key) {
                *value = Some(Value::Number("0".into()));
            }
        }
        all.extend(made);
        members(all)
    }

    /// A part of `kubernetes` that the pool has, or else the Shoot.
    fn kubernetes(&self, key: &str) -> Option<Value<'s>> {
        copied(self.written, &["kubernetes", key]).or_else(|| copied(self.shoot, &["spec", "kubernetes", key]))
    }

    /// The labels of nodes: those of the pool, and Gardener's own.
    fn labels(&self, agent: &str) -> Value<'s> {
        let Self { shoot, written: pool, .. } = *self;
        let name = pool.text_at(&["name"]);
        let is_on = |value: Option<&Value<'_>>| matches!(value, Some(Value::Bool(true)));
        let node_local_dns = is_on(shoot.at(&["spec", "systemComponents", "nodeLocalDNS", "enabled"]));
        let system_components =
            pool.get("systemComponents").is_none() || is_on(pool.at(&["systemComponents", "allow"]));
        let flag = |is_set: bool| if is_set { "true" } else { "false" };
        let mut own: Vec<(Cow<'s, str>, String)> = Vec::new();
        for &(key, value) in &[
            ("kubernetes.io/arch", architecture(pool)),
            ("networking.gardener.cloud/node-local-dns-enabled", flag(node_local_dns)),
            ("node.kubernetes.io/role", "node"),
            ("worker.garden.sapcloud.io/group", name),
            ("worker.gardener.cloud/gardener-node-agent-secret-name", agent),
            ("worker.gardener.cloud/pool", name),
        ] {
            own.push((key.into(), value.to_owned()));
        }
        if system_components {
            own.push(("worker.gardener.cloud/system-components".into(), "true".to_owned()));
        }
        if let Some(cri) = pool.get("cri") {
            own.push(("worker.gardener.cloud/cri-name".into(), cri.text_at(&["name"]).to_owned()));
            for runtime in cri.get("containerRuntimes").map(Value::items).unwrap_or_default() {
                let label = format!("containerruntime.worker.gardener.cloud/{}", runtime.text_at(&["type"]));
                own.push((label.into(), "true".to_owned()));
            }
        }
        let written: &[(Cow<'s, str>, Value<'s>)] = match pool.get("labels") {
            Some(Value::Object(labels)) => labels,
            _ => &[],
        };
        let replaces = |key: &str| own.iter().any(|(known, _)| known == key);
        let mut labels: Vec<(Cow<'s, str>, Value<'s>)> =
            written.iter().filter(|(key, _)| !replaces(key)).cloned().collect();
        for (key, value) in own {
            labels.push((key, Value::string(value)));
        }
        Value::Object(labels)
    }

    /// The machine type of the pool in the CloudProfile.
    fn machine_type(&self) -> Option<&'s Value<'s>> {
        let types = self.cloud_profile?.at(&["spec", "machineTypes"])?.items();
        let wanted = self.written.text_at(&["machine", "type"]);
        types.iter().find(|known| known.text_at(&["name"]) == wanted)
    }

    /// What the autoscaler expects of a node before there is one.
    fn node_template(&self) -> Option<Value<'s>> {
        let machine_type = self.machine_type()?;
        let capacity = ["cpu", "gpu", "memory"].iter().map(|key| (*key, copied(machine_type, &[key]))).collect();
        Some(Value::object([("capacity", members(capacity))]))
    }

    /// The pool's settings of the machine controller manager. The machine type may say how long a machine may take
    /// to start.
    fn machine_controller_manager(&self) -> Option<Value<'s>> {
        const TIMEOUT: &str = "machineCreationTimeout";
        let own = copied(self.written, &["machineControllerManager"]);
        let of_type = self.machine_type().and_then(|known| copied(known, &["machineControllerManager", TIMEOUT]));
        let Some(timeout) = of_type.filter(|_| self.written.at(&["machineControllerManager", TIMEOUT]).is_none())
        else {
            return own;
        };
        let mut settings = match own {
            Some(Value::Object(members)) => members,
            _ => Vec::new(),
        };
        settings.push((TIMEOUT.into(), timeout));
        Some(Value::Object(settings))
    }

    /// The pool's settings of the cluster autoscaler, in which shares are texts.
    fn cluster_autoscaler(&self) -> Option<Value<'s>> {
        let settings = self.written.get("clusterAutoscaler")?;
        let share = |key| match settings.get(key) {
            Some(Value::Number(digits)) => Some(Value::string(plain(digits))),
            _ => None,
        };
        Some(members(vec![
            ("scaleDownUtilizationThreshold", share("scaleDownUtilizationThreshold")),
            ("scaleDownGpuUtilizationThreshold", share("scaleDownGpuUtilizationThreshold")),
            ("scaleDownUnneededTime", copied(settings, &["scaleDownUnneededTime"])),
            ("scaleDownUnreadyTime", copied(settings, &["scaleDownUnreadyTime"])),
            ("maxNodeProvisionTime", copied(settings, &["maxNodeProvisionTime"])),
        ]))
    }
}

fn architecture<'v>(pool: &'v Value<'_>) -> &'v str {
    match pool.text_at(&["machine", "architecture"]) {
        "" => "amd64",
        architecture => architecture,
    }
}

/// A number without needless zeros behind its point.
fn plain(digits: &str) -> String {
    let has = |signs: &[u8]| digits.bytes().any(|byte| signs.contains(&byte));
    let is_fraction = has(b".") && !has(b"eE");
    let text = if is_fraction { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    const PROFILE: &str = r#"{"spec":{"machineTypes":[{"name":"m","cpu":"2","gpu":"0","memory":"8Gi","machineControllerManager":{"machineCreationTimeout":"30m"}}]}}"#;

    fn pool(pool: &str, rest: &str) -> String {
        let shoot = format!(
            r#"{{"metadata":{{"name":"s","namespace":"garden-p"}},"spec":{{"region":"r","kubernetes":{{"version":"1.33.1","kubelet":{{"maxPods":9}}}},"provider":{{"type":"t","workers":[{pool}]}}{rest}}}}}"#
        );
        let (shoot, profile) = (parse(&shoot).unwrap(), parse(PROFILE).unwrap());
        let mut preview = Preview::default();
        let worker = worker(&shoot, Some(&profile), Value::Null, &mut preview);
        assert_eq!(worker.text_at(&["metadata", "namespace"]), "shoot--p--s");
        assert_eq!(preview.into_placeholders(), ["<node agent Secret of w>", "<user data Secret of w>"]);
        worker.pointer("/spec/pools/0").unwrap().to_string()
    }

    #[test]
    fn a_pool_has_gardeners_labels_and_what_the_shoot_and_the_profile_say() {
        let written = r#"{"name":"w","minimum":1,"maximum":2,"machine":{"type":"m","image":{"name":"i","version":"1"}},"labels":{"z":"1","node.kubernetes.io/role":"x"},"cri":{"name":"containerd","containerRuntimes":[{"type":"gvisor"}]},"clusterAutoscaler":{"scaleDownUtilizationThreshold":0.50},"zones":["a"]}"#;
        let expected = parse(
            r#"{"name":"w","machineType":"m","machineImage":{"name":"i","version":"1"},"minimum":1,"maximum":2,"maxSurge":0,"maxUnavailable":0,"labels":{"containerruntime.worker.gardener.cloud/gvisor":"true","kubernetes.io/arch":"amd64","networking.gardener.cloud/node-local-dns-enabled":"true","node.kubernetes.io/role":"node","worker.garden.sapcloud.io/group":"w","worker.gardener.cloud/cri-name":"containerd","worker.gardener.cloud/gardener-node-agent-secret-name":"<node agent Secret of w>","worker.gardener.cloud/pool":"w","worker.gardener.cloud/system-components":"true","z":"1"},"nodeAgentSecretName":"<node agent Secret of w>","userDataSecretRef":{"name":"<user data Secret of w>","key":"cloud_config"},"zones":["a"],"machineControllerManager":{"machineCreationTimeout":"30m"},"kubernetesVersion":"1.33.1","kubeletConfig":{"maxPods":9},"nodeTemplate":{"capacity":{"cpu":"2","gpu":"0","memory":"8Gi"}},"clusterAutoscaler":{"scaleDownUtilizationThreshold":"0.5"}}"#,
        );
        let pool = pool(written, r#","systemComponents":{"nodeLocalDNS":{"enabled":true}}"#);
        assert_eq!(parse(&pool).unwrap().canonical(false), expected.unwrap().canonical(false));
    }

    #[test]
    fn what_a_pool_says_counts_more_than_what_the_shoot_and_the_profile_say() {
        let written = r#"{"name":"w","machine":{"type":"m","architecture":"arm64"},"systemComponents":{"allow":false},"kubernetes":{"version":"1.32.0","kubelet":{}},"machineControllerManager":{"machineCreationTimeout":"5m"}}"#;
        let pool = pool(written, "");
        for part in [
            r#""kubernetesVersion":"1.32.0","kubeletConfig":{}"#,
            r#""machineControllerManager":{"machineCreationTimeout":"5m"}"#,
            r#""kubernetes.io/arch":"arm64","networking.gardener.cloud/node-local-dns-enabled":"false""#,
        ] {
            assert!(pool.contains(part), "{part}: {pool}");
        }
        assert!(!pool.contains("system-components"), "{pool}");
    }
}
