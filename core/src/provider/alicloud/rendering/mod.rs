//! The control plane of a Shoot on Alibaba Cloud (`alicloud-manifests` 1 to 6, `alicloud-policy` 5.7).

mod credentials;
mod deployed;
pub(super) mod status;
pub(super) mod templates;
mod values;

use crate::collections::NameMap;
use crate::document::decode::{DecodeError, Mode, Typed};
use crate::document::{JsonText, Path, Value, parse, write};
use crate::gardener::extension_objects::{Preview, control_plane};
use crate::gardener::rendering::{
    ControlPlane, Delivery, Destination, Hibernation, ImageVector, ca_secrets, generic_kubeconfig, hibernation,
    managed_resource, pod_network, server_certificate, shoot_access,
};
use crate::policy::{
    ClusterObjects, KeptSecret, ManagedResource, ObjectName, RenderRequest, Rendering, RequestError,
};
use crate::provider::alicloud::api::{Config as _, ControlPlaneConfig};
use crate::provider::alicloud::rules::rendering as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;

use credentials::Credentials;
use deployed::DeployedDigests;
use status::Network;
pub(super) use templates::IMAGES;
use values::{NoValues, SeedImages, SeedValues, ShootImages, ShootValues};

/// The certificate authority of the control plane, its bundle, and who manages them.
const AUTHORITY: &str = "ca-provider-alicloud-controlplane";
const BUNDLE: &str = "ca-provider-alicloud-controlplane-bundle";
const IDENTITY: &str = "provider-alicloud-controlplane";

/// What reaches the Shoot's API server with a token.
const COMPONENTS: [&str; 7] = [
    "cloud-controller-manager",
    "csi-attacher",
    "csi-controller-ali-plugin",
    "csi-provisioner",
    "csi-resizer",
    "csi-snapshot-controller",
    "csi-snapshotter",
];

/// What earlier releases of the CSI controller left behind.
const LEFTOVERS: [(&str, &str, &str); 4] = [
    ("apps/v1", "Deployment", "csi-snapshot-validation"),
    ("v1", "Service", "csi-snapshot-validation"),
    ("policy/v1", "PodDisruptionBudget", "csi-snapshot-validation"),
    ("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "csi-snapshot-webhook-vpa"),
];

/// The correction by which the Deployment `csi-plugin-controller` has its labels. Then it gets the treatment of
/// what has to be highly available, and its pods restart.
const LABELS_CORRECTION: &str = "csiPluginControllerLabels";

const SEED: Delivery = Delivery {
    name: "extension-controlplane-seed",
    bundle: templates::SEED_CONTROLPLANE,
    destination: Destination::Seed,
};
const SHOOT: Delivery = Delivery {
    name: "extension-controlplane-shoot",
    bundle: templates::SHOOT_SYSTEM_COMPONENTS,
    destination: Destination::Shoot { overwrites_annotations: false },
};
const CRDS: Delivery = Delivery {
    name: "extension-controlplane-shoot-crds",
    bundle: templates::SHOOT_CRDS,
    destination: Destination::Shoot { overwrites_annotations: false },
};
const STORAGE_CLASSES: Delivery = Delivery {
    name: "extension-controlplane-storageclasses",
    bundle: templates::SHOOT_STORAGECLASSES,
    destination: Destination::Shoot { overwrites_annotations: true },
};

/// Renders a control plane.
pub fn render(request: &RenderRequest<'_>) -> Result<Rendering, RequestError> {
    let mut preview = Preview::default();
    let previewed;
    let object = if let Some(object) = request.control_plane {
        object
    } else {
        previewed = control_plane(request.cluster.shoot, status::preview(request.cluster.shoot, &mut preview));
        &previewed
    };
    let control_plane = ControlPlane::of(request, object)?;
    let mut report = Report::of_secret(request.control_plane.unwrap_or(request.cluster.shoot));
    let mut rendering = Rendering::default();

    let config = config(&control_plane, &mut report);
    let network = status::network(&control_plane, &mut report);
    preview.keep(|placeholder| network.as_ref().is_some_and(|network| network.has(placeholder)));
    let credentials = credentials::read(request, &control_plane, &mut preview, &mut report);
    let replicas = replicas(request, &control_plane, &mut rendering, &mut report);
    let images = images(request, &mut report);
    let corrections = corrections(request.configuration)?;
    if let (Some(config), Some(network), Some(credentials), Some(replicas), Some((seed_images, shoot_images))) =
        (config, network, credentials, replicas, images)
    {
        let enable_ad_controller =
            enables(request.configuration) || config.csi.and_then(|csi| csi.enable_ad_controller) == Some(true);
        let mut kept = DeployedDigests {
            request,
            control_plane: &control_plane,
            restarts: &mut rendering.restarts,
            report: &mut report,
        };
        let (cloud_provider_config, config_checksum) = kept.cloud_provider_config(&network, &credentials);
        let credentials_checksum = kept.credentials_file(&credentials.file);
        let shoot_name =
            request.cluster.shoot.at(&["metadata", "name"]).and_then(Value::as_str).unwrap_or_default();
        let seed = SeedValues {
            namespace: control_plane.namespace,
            cluster_name: control_plane.namespace,
            replicas,
            generic_token_kubeconfig_secret_name: &kubeconfig(request, &mut preview),
            pod_network: pod_network(request.cluster.shoot),
            network: reach(&request.cluster),
            feature_gates: feature_gates(&config),
            cloud_provider_config,
            cloud_provider_config_checksum: config_checksum,
            cloudprovider_checksum: credentials.checksum,
            region: control_plane.region,
            volume_prefix: shoot_name,
            enable_ad_controller,
            label_csi_plugin_controller: corrections.contains(&LABELS_CORRECTION),
            images: seed_images,
        };
        let shoot = ShootValues {
            credentials_file: credentials.file,
            credentials_file_checksum: credentials_checksum,
            enable_ad_controller,
            images: shoot_images,
        };
        let texts = [write(&seed), write(&shoot), write(&NoValues {}), write(&NoValues {})];
        rendering.managed_resources = Some(managed_resources(&texts)?);
        rendering.secrets = kept_secrets(control_plane.namespace, request.cluster.shoot);
        if !control_plane.is_preview {
            rendering.delete = leftovers(control_plane.namespace);
        }
        if request.with_values {
            rendering.values = Some(values_by_bundle(texts));
        }
    }
    preview.tell(&rules::RND_008, &mut report);
    (rendering.findings, rendering.undecided) = report.into_parts();
    Ok(rendering)
}

const DELIVERIES: [Delivery; 4] = [SEED, SHOOT, CRDS, STORAGE_CLASSES];

fn managed_resources(values: &[String; 4]) -> Result<Vec<ManagedResource>, RequestError> {
    let mut all = Vec::with_capacity(DELIVERIES.len());
    for (delivery, values) in DELIVERIES.iter().zip(values) {
        all.push(managed_resource(delivery, &parse(values)?)?);
    }
    Ok(all)
}

fn values_by_bundle(values: [String; 4]) -> NameMap<'static, JsonText> {
    let names = DELIVERIES.iter().map(|delivery| delivery.bundle.name);
    names.zip(values.into_iter().map(JsonText::from_json)).collect()
}

/// The provider's configuration of the control plane. One without `apiVersion` is empty, as the existing extension
/// reads it.
fn config<'r>(control_plane: &ControlPlane<'r>, report: &mut Report<'_>) -> Option<ControlPlaneConfig<'r>> {
    let Some(value) = control_plane.config else { return Some(ControlPlaneConfig::default()) };
    match ControlPlaneConfig::read_typed(value, Mode::Lenient, Typed::ByVersion) {
        Ok(config) => Some(config),
        Err(DecodeError::ApiVersionMissing) => Some(ControlPlaneConfig::default()),
        Err(error) => {
            let detail = format!(
                "could not decode providerConfig of controlplane '{}': {error}",
                control_plane.full_name()
            );
            let pointer = format!("{}{}", control_plane.config_pointer, error.pointer());
            report.error(&rules::RND_003, &Path::root("", &pointer), ErrorType::Denied, detail);
            None
        }
    }
}

/// How many pods the Deployments have.
fn replicas(
    request: &RenderRequest<'_>,
    control_plane: &ControlPlane<'_>,
    rendering: &mut Rendering,
    report: &mut Report<'_>,
) -> Option<u8> {
    match hibernation(request, control_plane) {
        Hibernation::Awake => Some(1),
        Hibernation::Asleep => Some(0),
        Hibernation::FallingAsleep => {
            rendering.requeue = true;
            Some(1)
        }
        Hibernation::Unknown(query) => {
            let why = "the Shoot hibernates, and nobody has looked whether its kube-apiserver still runs";
            report.undecided(&rules::RND_006, why, Some(query));
            None
        }
        Hibernation::Failed(message) => {
            let detail = format!("could not look whether the kube-apiserver of the Shoot runs: {message}");
            report.deny(&rules::RND_006, "", detail);
            None
        }
    }
}

fn images(request: &RenderRequest<'_>, report: &mut Report<'_>) -> Option<(SeedImages, ShootImages)> {
    let version = |value: Option<&Value<'_>>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let of_shoot = version(request.cluster.shoot.at(&["spec", "kubernetes", "version"]));
    let of_seed = version(request.cluster.seed.and_then(|seed| seed.at(&["status", "kubernetesVersion"])));
    let found = ImageVector::of(templates::IMAGES, request.images).and_then(|vector| {
        Ok((SeedImages::find(&vector, &of_seed, &of_shoot)?, ShootImages::find(&vector, &of_shoot, &of_shoot)?))
    });
    if let Err(error) = &found {
        report.deny(&rules::RND_005, "", error.to_string());
    }
    found.ok()
}

/// The corrections of oddities that the configuration asks for.
fn corrections<'r>(configuration: Option<&'r Value<'r>>) -> Result<Vec<&'r str>, RequestError> {
    let all = configuration.and_then(|configuration| configuration.get("corrections")).map(Value::items);
    let mut corrections = Vec::new();
    for correction in all.unwrap_or_default() {
        if correction.as_str() != Some(LABELS_CORRECTION) {
            let message =
                format!("`configuration.corrections` has an unknown entry; known is `{LABELS_CORRECTION}`");
            return Err(RequestError::Malformed { message, pointer: None });
        }
        corrections.push(LABELS_CORRECTION);
    }
    Ok(corrections)
}

/// Whether the extension's own configuration lets the controller attach disks.
fn enables(configuration: Option<&Value<'_>>) -> bool {
    let value = configuration.and_then(|configuration| configuration.at(&["csi", "enableADController"]));
    matches!(value, Some(Value::Bool(true)))
}

/// How the cloud controller manager reaches the cloud: in its own network where the seed is in the same region of
/// the same cloud.
fn reach(cluster: &ClusterObjects<'_>) -> &'static str {
    let seed = |key| cluster.seed.and_then(|seed| seed.at(&["spec", "provider", key])).and_then(Value::as_str);
    let region = cluster.shoot.at(&["spec", "region"]).and_then(Value::as_str);
    let is_near =
        seed("type") == Some(super::TYPE) && seed("region").unwrap_or_default() == region.unwrap_or_default();
    if is_near { "vpc" } else { "public" }
}

fn feature_gates(config: &ControlPlaneConfig<'_>) -> String {
    let Some(manager) = &config.cloud_controller_manager else { return String::new() };
    let gates: Vec<String> = manager.feature_gates.iter().map(|(name, on)| format!("{name}={on}")).collect();
    join(&gates.iter().map(String::as_str).collect::<Vec<_>>(), ",")
}

/// The Secret with the kubeconfig that tokens go with.
fn kubeconfig(request: &RenderRequest<'_>, preview: &mut Preview) -> String {
    if request.control_plane.is_none() && request.cluster.metadata.is_none() {
        return preview.placeholder("name of the Secret with the generic kubeconfig");
    }
    generic_kubeconfig(&request.cluster).to_owned()
}

fn kept_secrets(namespace: &str, shoot: &Value<'_>) -> Vec<KeptSecret> {
    let mut secrets = Vec::from(ca_secrets(AUTHORITY, BUNDLE, IDENTITY, shoot));
    let server = "cloud-controller-manager";
    secrets.push(server_certificate("cloud-controller-manager-server", server, namespace, AUTHORITY, IDENTITY));
    secrets.extend(COMPONENTS.map(shoot_access));
    secrets
}

fn leftovers(namespace: &str) -> Vec<ObjectName> {
    let leftover = |(api_version, kind, name): (&'static str, &'static str, &'static str)| ObjectName {
        api_version,
        kind,
        namespace: Some(namespace.to_owned()),
        name: name.to_owned(),
    };
    LEFTOVERS.map(leftover).to_vec()
}
