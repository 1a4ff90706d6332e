//! Secrets that the host keeps for a control plane: certificates, and tokens for the Shoot's API server
//! (`gardener-contract` 3.2, 3.3).

use std::collections::BTreeMap;

use crate::policy::{KeptSecret, ServerCertificate};

/// The Secrets of a certificate authority: its key, and the bundle of its certificates.
pub fn ca_secrets(authority: &'static str, bundle: &'static str, identity: &'static str) -> [KeptSecret; 2] {
    let labels = |name| {
        BTreeMap::from([
            ("last-rotation-initiation-time", ""),
            ("managed-by", "secrets-manager"),
            ("manager-identity", identity),
            ("name", name),
        ])
    };
    let secret = |name: &'static str, label: (&'static str, &'static str), data_keys| {
        let mut labels = labels(name);
        labels.insert(label.0, label.1);
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
        secret(bundle, ("bundle-for", authority), &["bundle.crt"]),
        secret(authority, ("persist", "true"), &["ca.crt", "ca.key"]),
    ]
}

/// The Secret with the certificate of a server in the namespace of the control plane.
pub fn server_certificate(
    name: &'static str,
    server: &'static str,
    namespace: &str,
    authority: &'static str,
    identity: &'static str,
) -> KeptSecret {
    let dns_names = ["", ".{}", ".{}.svc", ".{}.svc.cluster.local"].map(|suffix| {
        let mut parts = suffix.split("{}");
        let start = format!("{server}{}", parts.next().unwrap_or_default());
        parts.next().map_or(start.clone(), |end| start + namespace + end)
    });
    KeptSecret {
        name: format!("{name}-*"),
        secret_type: "kubernetes.io/tls",
        labels: BTreeMap::from([
            ("last-rotation-initiation-time", ""),
            ("managed-by", "secrets-manager"),
            ("manager-identity", identity),
            ("name", name),
        ]),
        data_keys: &["tls.crt", "tls.key"],
        immutable: true,
        certificate: Some(ServerCertificate { common_name: server, dns_names: dns_names.to_vec(), authority }),
        ..KeptSecret::default()
    }
}

/// The Secret with the token by which a component reaches the Shoot's API server, as the ServiceAccount of its name in
/// `kube-system`.
pub fn shoot_access(component: &'static str) -> KeptSecret {
    KeptSecret {
        name: format!("shoot-access-{component}"),
        secret_type: "Opaque",
        labels: BTreeMap::from([
            ("resources.gardener.cloud/class", "shoot"),
            ("resources.gardener.cloud/purpose", "token-requestor"),
        ]),
        annotations: BTreeMap::from([
            ("serviceaccount.resources.gardener.cloud/name", component),
            ("serviceaccount.resources.gardener.cloud/namespace", "kube-system"),
        ]),
        ..KeptSecret::default()
    }
}
