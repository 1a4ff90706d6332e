//! The values that fill the templates: a struct a bundle (`alicloud-manifests` 1.2).

use serde::Serialize;

use crate::gardener::rendering::{ImageVector, ImageVectorError};

/// The values of `seed-controlplane`: what runs in the seed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeedValues<'v> {
    /// The namespace of the control plane.
    pub namespace: &'v str,
    /// How the cloud controller manager names the cluster in the cloud.
    pub cluster_name: &'v str,
    /// How many pods each Deployment has: 1, or 0 while the Shoot hibernates.
    pub replicas: u8,
    /// The Secret with the kubeconfig that tokens go with.
    pub generic_token_kubeconfig_secret_name: &'v str,
    /// The ranges of pods in CIDR notation, joined by commas.
    pub pod_network: String,
    /// How the cloud controller manager reaches the cloud: `vpc` or `public`.
    pub network: &'static str,
    /// Feature gates as `A=true,B=false`, sorted; empty for none.
    pub feature_gates: String,
    /// The configuration of the cloud controller manager: JSON in base64.
    pub cloud_provider_config: String,
    /// The digest of that configuration, or what the cluster holds for the same one.
    pub cloud_provider_config_checksum: String,
    /// The digest of the data of the Secret `cloudprovider`.
    pub cloudprovider_checksum: String,
    /// The cloud's region.
    pub region: &'v str,
    /// What the names of volumes and of snapshots begin with, after `pv-` and `s-`: the name of the Shoot.
    pub volume_prefix: &'v str,
    /// Whether the controller attaches and detaches disks.
    #[serde(rename = "enableADController")]
    pub enable_ad_controller: bool,
    /// Whether the Deployment `csi-plugin-controller` has labels: the correction `csiPluginControllerLabels`.
    pub label_csi_plugin_controller: bool,
    /// The images.
    pub images: SeedImages,
}

/// The values of `shoot-system-components`: what runs in the Shoot.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShootValues {
    /// The credentials in the format of the cloud's SDKs, in base64; empty where the Secret has none.
    pub credentials_file: String,
    /// The digest of these credentials, or what the cluster holds for the same ones.
    pub credentials_file_checksum: String,
    /// Whether the controller attaches and detaches disks.
    #[serde(rename = "enableADController")]
    pub enable_ad_controller: bool,
    /// The images.
    pub images: ShootImages,
}

/// The values of a bundle without any.
#[derive(Debug, Serialize)]
pub struct NoValues {}

/// Declares a struct of images: a field an image, found in the image vector by its name.
macro_rules! images {
    ($(#[$about:meta])* $images:ident { $($field:ident: $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $images {
            $(
                #[doc = concat!("`", $name, "`")]
                pub $field: String,
            )+
        }

        impl $images {
            /// Finds the images: `runtime` is the Kubernetes version of the cluster that they run in, `target`
            /// that of the Shoot.
            pub fn find(vector: &ImageVector<'_>, runtime: &str, target: &str) -> Result<Self, ImageVectorError> {
                Ok(Self { $($field: vector.find($name, runtime, target)?,)+ })
            }
        }
    };
}

images! {
    /// The images of what runs in the seed.
    SeedImages {
        alicloud_controller_manager: "alicloud-controller-manager",
        csi_attacher: "csi-attacher",
        csi_liveness_probe: "csi-liveness-probe",
        csi_plugin_alicloud: "csi-plugin-alicloud",
        csi_provisioner: "csi-provisioner",
        csi_resizer: "csi-resizer",
        csi_snapshot_controller: "csi-snapshot-controller",
        csi_snapshotter: "csi-snapshotter",
    }
}

images! {
    /// The images of what runs in the Shoot.
    #[expect(clippy::struct_field_names, reason = "they are named as the images")]
    ShootImages {
        csi_liveness_probe: "csi-liveness-probe",
        csi_node_driver_registrar: "csi-node-driver-registrar",
        csi_plugin_alicloud: "csi-plugin-alicloud",
        csi_plugin_alicloud_init: "csi-plugin-alicloud-init",
    }
}
