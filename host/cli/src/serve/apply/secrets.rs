//! The page gets manifests back, so no Secret is kept among them.

use serde::Deserialize;
use serde_json::value::RawValue;

use trellis_policies::manifest::is_secret_kind;

/// The objects of a manifest, which may be a list, without Secrets. An object that cannot be read may be a Secret.
pub(super) fn without_secrets(manifest: Box<RawValue>) -> Vec<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Parts {
        kind: String,
        items: Option<Vec<Box<RawValue>>>,
    }
    let Ok(Parts { kind, items }) = serde_json::from_str(manifest.get()) else { return Vec::new() };
    match (kind.strip_suffix("List"), items) {
        (Some(of), _) if is_secret_kind(of) => Vec::new(),
        (Some(_), Some(items)) => items.into_iter().flat_map(without_secrets).collect(),
        _ if is_secret_kind(&kind) => Vec::new(),
        _ => vec![manifest],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_recorded_wherever_it_stands() {
        let kept = |manifest: &str| {
            let kept = without_secrets(RawValue::from_string(manifest.to_owned()).unwrap());
            kept.iter().map(|kept| kept.get().to_owned()).collect::<Vec<_>>()
        };
        let shoot = r#"{"kind":"Shoot","spec":{"items":[{"kind":"Secret"}]}}"#;
        assert_eq!(kept(shoot), [shoot]);
        for secret in [
            r#"{"kind":"Secret"}"#,
            r#"{"kind":"InternalSecret"}"#,
            r#"{"kind":"SecretList","items":[{"data":{"a":"b"}}]}"#,
            r#"{"kind":"Secret","items":[]}"#,
            // Nobody knows which of the two counts.
            r#"{"kind":"Shoot","kind":"Secret"}"#,
        ] {
            assert_eq!(kept(secret), [""; 0], "{secret}");
            for kind in ["List", "ShootList"] {
                let list = format!(
                    r#"{{"kind":"{kind}","items":[{secret},{{"kind":"List","items":[{shoot},{secret}]}}]}}"#
                );
                assert_eq!(kept(&list), [shoot], "{list}");
            }
        }
    }
}
