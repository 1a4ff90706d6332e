//! What is wanted of an infrastructure, as the objects of a request say it.

use std::borrow::Cow;

use super::errors::Errors;
use super::names::Names;
use crate::policy::{InfrastructureRequest, PlanOperation, State};
use crate::provider::alicloud::api::InfrastructureConfig;

/// What is wanted of an infrastructure.
#[derive(Debug)]
pub struct Input<'r> {
    /// The request, for what only few look at.
    pub request: InfrastructureRequest<'r>,
    /// What is to become of it.
    pub operation: PlanOperation,
    /// The Shoot's technical id.
    pub technical_id: Cow<'r, str>,
    /// The cloud's region.
    pub region: &'r str,
    /// The configuration.
    pub config: InfrastructureConfig<'r>,
    /// The zones, each once.
    pub zones: Vec<InputZone<'r>>,
    /// The range of the Shoot's Pods; absent where the Shoot is not known or says nothing.
    pub pods: Option<&'r str>,
    /// Whether zones may be removed by a reconcile.
    pub may_delete: bool,
    /// Whether it is made for the first time.
    pub is_create: bool,
    /// Images of which the Shoot's account gets a share.
    pub shared_images: Vec<&'r str>,
    /// Name of the key pair that old versions of the existing extension made; empty without.
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
    /// Which /64 block of the VPC's IPv6 range it gets.
    pub ipv6_block: i64,
    /// Allocation id of the elastic IP that the person brings.
    pub eip: Option<&'r str>,
}

impl<'r> Input<'r> {
    /// Reads a request.
    pub fn read(request: &InfrastructureRequest<'r>, state: &State) -> Result<Self, Errors> {
        let _ = state;
        Ok(Self {
            request: *request,
            operation: request.operation,
            technical_id: request.technical_id(),
            region: request.region(),
            config: InfrastructureConfig::default(),
            zones: Vec::new(),
            pods: None,
            may_delete: false,
            is_create: false,
            shared_images: Vec::new(),
            key_pair: "",
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

    /// Whether IPv6 is asked for.
    pub fn is_dual_stack(&self) -> bool {
        self.config.is_dual_stack()
    }

    /// Whether the VSwitches get a route table of their own.
    pub fn has_custom_route_table(&self) -> bool {
        self.config.networks.vpc.use_custom_route_table == Some(true)
    }

    /// Whether the network is taken down.
    pub fn is_delete(&self) -> bool {
        self.operation == PlanOperation::Delete
    }
}
