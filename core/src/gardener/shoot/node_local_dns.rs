//! The node-local DNS of a Shoot.

use crate::document::Value;
use crate::policy::Defaulted;
use crate::report::Rule;

const DNS: &str = "/spec/systemComponents/nodeLocalDNS";

/// Lets an enabled node-local DNS ask the upstream DNS by UDP, where the Shoot does not say how.
pub fn default_node_local_dns(rule: &'static Rule, shoot: &Value<'_>, defaulted: &mut Defaulted<'_>) {
    if let Some(dns) = shoot.pointer(DNS)
        && dns.get("enabled") == Some(&Value::Bool(true))
        && dns.get("forceTCPToUpstreamDNS").is_none()
    {
        let reason = "the node-local DNS asks the upstream DNS by UDP";
        defaulted.set(rule, format!("{DNS}/forceTCPToUpstreamDNS"), Value::Bool(false), reason);
    }
}
