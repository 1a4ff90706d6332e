//! The configuration of kubelets: `KubeletConfiguration` as YAML.

use crate::text::yaml::{Mapping, Scalar, YamlError};

const API_VERSION: &str = "kubelet.config.k8s.io/v1beta1";
const KIND: &str = "KubeletConfiguration";

/// Why a configuration cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KubeletError {
    /// The text cannot be read or edited.
    #[error("{0}")]
    Yaml(#[from] YamlError),
    /// The text is something else.
    #[error("it must be of `{API_VERSION}` and the kind `{KIND}`")]
    OtherKind,
}

/// The configuration with members set. All else stays as it is, also what no known version of the kubelet reads.
/// One without `apiVersion` and `kind` gets them, since no kubelet reads it otherwise.
pub fn with_members(text: &str, members: &[(&str, Scalar<'_>)]) -> Result<String, KubeletError> {
    let mapping = Mapping::read(text)?;
    let mut all = Vec::with_capacity(members.len() + 2);
    for &(key, value) in &[("apiVersion", API_VERSION), ("kind", KIND)] {
        match mapping.scalar(key) {
            Some(found) if found == value => {}
            None if !mapping.has(key) => all.push((key, Scalar::Text(value))),
            _ => return Err(KubeletError::OtherKind),
        }
    }
    all.extend_from_slice(members);
    Ok(mapping.with(&all)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_keeps_what_it_has() {
        let head = "apiVersion: kubelet.config.k8s.io/v1beta1\n";
        let table = [
            (String::new(), Ok(format!("{head}kind: KubeletConfiguration\nx: true\n"))),
            (
                format!("{head}kind: KubeletConfiguration\nz: {{unknown: 1}}\n"),
                Ok(format!("{head}kind: KubeletConfiguration\nx: true\nz: {{unknown: 1}}\n")),
            ),
            ("z: 1\n".to_owned(), Ok(format!("{head}kind: KubeletConfiguration\nx: true\nz: 1\n"))),
            ("kind: Pod\n".to_owned(), Err(KubeletError::OtherKind)),
            (format!("{head}kind: [KubeletConfiguration]\n"), Err(KubeletError::OtherKind)),
        ];
        for (text, expected) in table {
            assert_eq!(with_members(&text, &[("x", Scalar::True)]), expected, "{text}");
        }
    }
}
