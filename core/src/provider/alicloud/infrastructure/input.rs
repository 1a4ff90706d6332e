//! What the objects of a request want of an infrastructure.

use std::borrow::Cow;

use super::names::{self, Names};
use crate::document::Value;
use crate::gardener::infrastructure::config::config;
use crate::gardener::planning::errors::Errors;
use crate::policy::{PlanOperation, PlanSubject, State};
use crate::provider::alicloud::api::{InfrastructureConfig, Zone};
use crate::provider::alicloud::rules::infrastructure_checks as rules;

/// Annotation of a Shoot or an Infrastructure that lets a reconcile delete VSwitches.
const MAY_DELETE: &str = "alicloud.provider.extensions.gardener.cloud/flow-reconcile-can-delete-resource";

/// What a request wants of an infrastructure.
#[derive(Debug)]
pub struct Input<'r> {
    /// The request, for parts that only few readers need.
    pub request: PlanSubject<'r>,
    /// What the plan is for.
    pub operation: PlanOperation,
    /// The Shoot's technical id.
    pub technical_id: Cow<'r, str>,
    /// The cloud's region.
    pub region: &'r str,
    /// The configuration.
    pub config: InfrastructureConfig<'r>,
    /// The zones, each once.
    pub zones: Vec<InputZone<'r>>,
    /// The range of the Shoot's Pods; absent where the request has no Shoot, or the Shoot names no range.
    pub pods: Option<&'r str>,
    /// Whether a reconcile may delete VSwitches.
    pub may_delete: bool,
    /// Whether the plan creates the network for the first time.
    pub is_create: bool,
    /// Name of the key pair that an old version of the existing extension created; empty where there is none.
    pub key_pair: &'r str,
}

/// A zone, at its first occurrence in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputZone<'r> {
    /// Its index in the configuration.
    pub index: usize,
    /// Its name.
    pub name: &'r str,
    /// The range of its VSwitch.
    pub cidr: &'r str,
    /// The number of the /64 block that it gets of the VPC's IPv6 range.
    pub ipv6_block: i64,
    /// Allocation id of the elastic IP that the person brings.
    pub eip: Option<&'r str>,
}

impl<'r> Input<'r> {
    /// Reads a request.
    pub fn read(request: &PlanSubject<'r>, state: &State) -> Result<Self, Errors> {
        let config: InfrastructureConfig<'r> = config(request, &rules::ICV_001)?;
        let infrastructure = request.object;
        let text = |object: Option<&'r Value<'r>>, keys: &[&str]| object?.at(keys)?.as_str();
        let annotation = request.document().at(&["metadata", "annotations", MAY_DELETE]).and_then(Value::as_str);
        let last_operation = text(infrastructure, &["status", "lastOperation", "type"]);
        let mut zones: Vec<InputZone<'r>> = Vec::new();
        for (index, zone) in config.networks.zones.iter().enumerate() {
            if zones.iter().all(|known| known.name != zone.name) {
                zones.push(InputZone::new(index, zone));
            }
        }
        Ok(Self {
            request: *request,
            operation: request.operation,
            technical_id: request.technical_id(),
            region: request.region(),
            config,
            zones,
            pods: text(request.shoot, &["spec", "networking", "pods"]),
            may_delete: annotation.is_some_and(|value| value.eq_ignore_ascii_case("true")),
            // The id of an existing VPC is recorded before anything is made.
            is_create: last_operation
                .map_or_else(|| state.iter().all(|(key, _)| key == names::VPC), |operation| operation == "Create"),
            key_pair: text(infrastructure, &["status", "providerStatus", "keyPairName"]).unwrap_or_default(),
        })
    }

    /// Names and tags of the Shoot's resources.
    pub fn names(&self) -> Names<'_> {
        Names { technical_id: &self.technical_id }
    }

    /// Id of the VPC that the person brings; absent where the VPC is managed.
    pub fn vpc(&self) -> Option<&'r str> {
        self.config.networks.vpc.id
    }

    /// Whether the NAT gateway is managed.
    pub fn has_managed_nat_gateway(&self) -> bool {
        let vpc = &self.config.networks.vpc;
        vpc.id.is_none() || vpc.gardener_managed_nat_gateway == Some(true)
    }

    /// Whether the configuration asks for IPv6.
    pub fn is_dual_stack(&self) -> bool {
        self.config.is_dual_stack()
    }

    /// Whether the configuration asks for a route table of its own.
    pub fn has_custom_route_table(&self) -> bool {
        self.config.networks.vpc.use_custom_route_table == Some(true)
    }

    /// Whether the plan is to delete the network.
    pub fn is_delete(&self) -> bool {
        self.operation == PlanOperation::Delete
    }

    /// Pointer to a part of the configuration in the object. The existing extension prints such places relative to
    /// the configuration.
    pub fn pointer(&self, part: &str) -> String {
        format!("{}{part}", self.request.config_pointer())
    }
}

impl<'r> InputZone<'r> {
    fn new(index: usize, zone: &Zone<'r>) -> Self {
        Self {
            index,
            name: zone.name,
            cidr: zone.cidr(),
            ipv6_block: zone.ipv6_cidr_block.unwrap_or_else(|| i64::try_from(index).unwrap_or(i64::MAX)),
            eip: zone.eip(),
        }
    }
}
