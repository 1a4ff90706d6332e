//! The Service of the ingress controller in the Shoot (`alicloud-policy` 3.3).

use crate::document::Value;
use crate::gardener::mutation::Change;
use crate::policy::RequestError;
use crate::provider::alicloud::rules::mutation as rules;

const SPEC: &str = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-spec";
const POLICY: [&str; 2] = ["spec", "externalTrafficPolicy"];
const PORT: [&str; 2] = ["spec", "healthCheckNodePort"];

/// Sets what a load balancer of the cloud needs.
pub(super) fn service(change: &mut Change<'_, '_>) -> Result<(), RequestError> {
    let request = change.request;
    if request.object.at(&["spec", "type"]).and_then(Value::as_str) != Some("LoadBalancer") {
        return Ok(());
    }
    let configuration = request.configuration;
    let wanted = configuration.and_then(|configuration| configuration.at(&["service", "backendLoadBalancerSpec"]));
    let wanted = wanted.and_then(Value::as_str).unwrap_or_default();
    let reason = "the operator of the seed chooses the size of load balancers";
    let keys = ["metadata", "annotations", SPEC];
    change.mutated.set(&rules::DEF_020, &keys, Value::string(wanted), reason)?;

    let reason =
        "the load balancer sends traffic to nodes with a pod alone, and pods see the addresses of clients";
    change.mutated.set(&rules::DEF_021, &POLICY, Value::string("Local"), reason)?;

    let Some(old) = request.old_object else { return Ok(()) };
    let was_local = old.at(&POLICY).and_then(Value::as_str) == Some("Local");
    if let Some(port) = old.at(&PORT).filter(|port| was_local && !is_zero(port))
        && request.object.at(&PORT).is_none_or(is_zero)
    {
        let reason = "the port is kept, which the load balancer checks and nobody may change";
        change.mutated.set(&rules::DEF_022, &PORT, port.clone(), reason)?;
    }
    Ok(())
}

fn is_zero(port: &Value<'_>) -> bool {
    matches!(port, Value::Number(number) if number == "0")
}
