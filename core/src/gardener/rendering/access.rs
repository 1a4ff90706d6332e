//! Secrets that the host keeps for a control plane: certificates, and tokens for the Shoot's API server
//! (`gardener-contract` 3.2, 3.3).

use std::borrow::Cow;

use crate::collections::NameMap;
use crate::document::Value;
use crate::kube::time::Time;
use crate::policy::{KeptSecret, ServerCertificate};

/// Where Gardener says when the authorities of a Shoot began to be rotated.
const ROTATION: [&str; 5] = ["status", "credentials", "rotation", "certificateAuthorities", "lastInitiationTime"];

/// Labels of a Secret that the secrets manager keeps. `rotated` is the second at which its rotation began, since
/// 1970.
fn managed(name: &'static str, identity: &'static str, rotated: String) -> NameMap<'static, Cow<'static, str>> {
    NameMap::from([
        ("last-rotation-initiation-time", rotated.into()),
        ("managed-by", "secrets-manager".into()),
        ("manager-identity", identity.into()),
        ("name", name.into()),
    ])
}

/// The certificate authority of a control plane.
#[derive(Clone, Copy, Debug)]
pub struct CertificateAuthority {
    /// Its name.
    pub name: &'static str,
    /// The name of the bundle of its certificates.
    pub bundle: &'static str,
    /// Who manages them.
    pub identity: &'static str,
}

impl CertificateAuthority {
    /// Its Secrets: its key, and the bundle of its certificates.
    pub fn secrets(self, shoot: &Value<'_>) -> [KeptSecret; 2] {
        let Self { name: authority, bundle, identity } = self;
        let began = shoot.at(&ROTATION).and_then(Value::as_str).and_then(Time::parse);
        let rotated = began.map_or(String::new(), |began| began.unix_seconds().to_string());
        let secret = |name: &'static str, rotated, label: (&'static str, &'static str), data_keys| {
            let mut labels = managed(name, identity, rotated);
            labels.insert(label.0, label.1.into());
            KeptSecret {
                name: format!("{name}-*"),
                secret_type: "Opaque",
                labels,
                data_keys,
                immutable: true,
                ..KeptSecret::default()
            }
        };
        [
            secret(bundle, String::new(), ("bundle-for", authority), &["bundle.crt"]),
            secret(authority, rotated, ("persist", "true"), &["ca.crt", "ca.key"]),
        ]
    }

    /// The Secret with the certificate of a server in the namespace of the control plane.
    pub fn server_certificate(self, name: &'static str, server: &'static str, namespace: &str) -> KeptSecret {
        let Self { name: authority, identity, .. } = self;
        let within = |suffix| format!("{server}.{namespace}{suffix}");
        let dns_names = vec![server.to_owned(), within(""), within(".svc"), within(".svc.cluster.local")];
        KeptSecret {
            name: format!("{name}-*"),
            secret_type: "kubernetes.io/tls",
            labels: managed(name, identity, String::new()),
            data_keys: &["tls.crt", "tls.key"],
            immutable: true,
            certificate: Some(ServerCertificate { common_name: server, dns_names, authority }),
            ..KeptSecret::default()
        }
    }
}

/// The Secret with the token by which a component reaches the Shoot's API server, as the ServiceAccount of its
/// name in `kube-system`.
pub fn shoot_access(component: &'static str) -> KeptSecret {
    KeptSecret {
        name: format!("shoot-access-{component}"),
        secret_type: "Opaque",
        labels: NameMap::from([
            ("resources.gardener.cloud/class", "shoot".into()),
            ("resources.gardener.cloud/purpose", "token-requestor".into()),
        ]),
        annotations: NameMap::from([
            ("serviceaccount.resources.gardener.cloud/name", component),
            ("serviceaccount.resources.gardener.cloud/namespace", "kube-system"),
        ]),
        ..KeptSecret::default()
    }
}
