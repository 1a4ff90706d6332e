//! What nodes run: the unit and the configuration of the kubelet (`alicloud-policy` 4.4).

use crate::document::Value;
use crate::gardener::mutation::{
    Change, Content, Encoding, OperatingSystemConfig, Unit, command_line, effective_version, ensure_prefix,
    from_command_line, with_members,
};
use crate::policy::RequestError;
use crate::provider::alicloud::rules::mutation as rules;
use crate::text::yaml::Scalar;

const UNIT: &str = "kubelet.service";
const CONFIGURATION: &str = "/var/lib/kubelet/config/kubelet";
const SYSCTL: &str = "/etc/sysctl.d/99-k8s-general.conf";

const ENCODED: &str =
    "Write the content of the file in its encoding: `b64`, or an empty text for a content as it is.";

/// What stands for the id of a node until the node has asked the cloud for it.
const PLACEHOLDER: &str = "place_holder_of_providerid";

/// Writes the id of the node, as the cloud's metadata service shows it, into the configuration of the kubelet.
const SET_PROVIDER_ID: &str = concat!(
    "/bin/sh -c \"echo ",
    "IyBzZXQgcHJvdmlkZXJpZCBpbiAvdmFyL2xpYi9rdWJlbGV0L2NvbmZpZy9rdWJlbGV0CmdyZXAgLXNxIHBsYWNlX2hvbGRlcl9vZl9wcm92aWRlcmlkIC",
    "92YXIvbGliL2t1YmVsZXQvY29uZmlnL2t1YmVsZXQKaWYgWyAkPyAtZXEgMCBdOyB0aGVuCiAgICBNRVRBX0VQPWh0dHA6Ly8xMDAuMTAwLjEwMC4yMDAv",
    "bGF0ZXN0L21ldGEtZGF0YQogICAgUFJPVklERVJfSUQ9YHdnZXQgLXFPLSAkTUVUQV9FUC9yZWdpb24taWRgLmB3Z2V0IC1xTy0gJE1FVEFfRVAvaW5zdG",
    "FuY2UtaWRgCiAgICBzdWRvIHNlZCAgLWkgInMvcGxhY2VfaG9sZGVyX29mX3Byb3ZpZGVyaWQvJHtQUk9WSURFUl9JRH0vZyIgL3Zhci9saWIva3ViZWxl",
    "dC9jb25maWcva3ViZWxldAogICAgZWNobyAicHJvdmlkZXJJRD0gJFBST1ZJREVSX0lEIGhhcyBiZWVuIHdyaXR0ZW4gdG8gL3Zhci9saWIva3ViZWxldC",
    "9jb25maWcva3ViZWxldCIKZmkK",
    "| base64 -d > /var/lib/kubelet/gardener-set-provider-id && chmod +x /var/lib/kubelet/gardener-set-provider-id && ",
    "/var/lib/kubelet/gardener-set-provider-id\"",
);

/// Has the kubelet leave the cloud to the cloud controller manager, and learn its own id from the cloud.
pub(super) fn operating_system_config(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    let config = OperatingSystemConfig::of(change.request.object);
    if !config.is_reconcile() {
        return Ok(());
    }
    let namespace = change.request.namespace();
    let failure = |message| format!("could not get cluster for namespace '{namespace}': {message}");
    if let Some(cluster) = change.cluster(&rules::CPW_004, failure)
        && let Err(version) = effective_version(cluster.shoot, config.pool())
    {
        let version: String = version.chars().take(64).collect();
        let detail = format!("the Kubernetes version `{version}` of the nodes is no semantic version");
        let remedy = "Correct `kubernetes.version` of the Shoot, or of the pool.";
        change.refuse(&rules::CPW_004, "", detail, remedy);
    }
    unit(change, config)?;
    configuration(change, config)?;
    sysctl(change, config);
    Ok(())
}

fn unit(change: &mut Change<'_, '_>, config: OperatingSystemConfig<'_, '_>) -> Result<(), RequestError> {
    let Some((pointer, content)) = config.unit(UNIT) else { return Ok(()) };
    let rule = &rules::CPW_004;
    let mut unit = match Unit::read(content) {
        Ok(unit) => unit,
        Err(error) => {
            let detail = format!("could not read the unit {UNIT}: {error}");
            change.refuse(rule, &pointer, detail, "Correct the line of the unit that is named.");
            return Ok(());
        }
    };
    let mut reasons = Vec::new();
    if let Some(start) = unit.value("Service", "ExecStart") {
        let mut words = from_command_line(start);
        if ensure_prefix(&mut words, "--cloud-provider=", "external") {
            unit.replace("Service", "ExecStart", command_line(&words));
            reasons.push("the kubelet leaves the cloud to the cloud controller manager");
        }
    }
    if unit.ensure("Service", "ExecStartPre", SET_PROVIDER_ID) {
        reasons.push("before it starts, its node learns its own id from the cloud");
    }
    if reasons.is_empty() {
        return Ok(());
    }
    change.mutated.replace(rule, pointer, Value::string(unit.write()), reasons.join("; "))
}

fn configuration(change: &mut Change<'_, '_>, config: OperatingSystemConfig<'_, '_>) -> Result<(), RequestError> {
    let Some(content) = config.file(CONFIGURATION) else { return Ok(()) };
    let rule = &rules::CPW_005;
    let Content { pointer, encoding, data } = content;
    let could_not = "could not read the kubelet configuration";
    let read = Encoding::of(encoding).and_then(|encoding| Ok((encoding, encoding.text(data)?)));
    let (encoding, text) = match read {
        Ok(read) => read,
        Err(error) => {
            change.refuse(rule, &pointer, format!("{could_not}: {error}"), ENCODED);
            return Ok(());
        }
    };
    let members = [("enableControllerAttachDetach", Scalar::True), ("providerID", Scalar::Text(PLACEHOLDER))];
    match with_members(&text, &members) {
        Ok(same) if same == text => Ok(()),
        Ok(new) => {
            let reason = "a controller attaches disks, and a placeholder stands for the id that the node learns from the cloud";
            change.mutated.replace(rule, pointer, Value::string(encoding.data(&new)), reason)
        }
        Err(error) => {
            let remedy = "Write the file as one YAML mapping, each key once.";
            change.refuse(rule, &pointer, format!("{could_not}: {error}"), remedy);
            Ok(())
        }
    }
}

/// Nothing changes in these settings of the kernel, but they must be readable, as the existing extension has it.
fn sysctl(change: &mut Change<'_, '_>, config: OperatingSystemConfig<'_, '_>) {
    let Some(Content { pointer, encoding, data }) = config.file(SYSCTL) else { return };
    if let Err(error) = Encoding::of(encoding).and_then(|encoding| encoding.bytes(data)) {
        let detail = format!("could not read the file {SYSCTL}: {error}");
        change.refuse(&rules::CPW_006, &pointer, detail, ENCODED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::digest::sha256;

    #[test]
    fn the_script_is_that_of_the_existing_extension() {
        assert_eq!(SET_PROVIDER_ID.len(), 788);
        let digest = "07387ba853e902546ea1c5c47d7384db819cabe40471c02b0c2bd71f7a4e22a1";
        assert_eq!(sha256(SET_PROVIDER_ID.as_bytes()), digest);
    }
}
