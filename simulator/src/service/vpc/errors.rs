//! The errors that actions of several kinds of resources give.

use crate::action::ErrorCode;

/// There is no such network.
pub(super) const VPC_NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidVpcId.NotFound", "Specified VPC does not exist.");

/// The network is in transition.
pub(super) const VPC_STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectVpcStatus", "Current VPC status does not support this operation.");

/// There is no such VSwitch.
pub(super) const VSWITCH_NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidVSwitchId.NotFound", "VSwitch not exist.");

/// There is no such NAT gateway.
pub(super) const NAT_GATEWAY_NOT_FOUND: ErrorCode = ErrorCode::new(
    404,
    "InvalidNatGatewayId.NotFound",
    "The specified NatGatewayId does not exist in our records.",
);

/// There is no such elastic address.
pub(super) const EIP_NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidAllocationId.NotFound", "Specified allocation ID is not found.");

/// There is no such route table.
pub(super) const ROUTE_TABLE_NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidRouteTableId.NotFound", "Specified route table does not exist.");

/// The resource is protected from deletion.
pub(super) const PROTECTED: ErrorCode = ErrorCode::new(
    400,
    "InvalidOperation.DeletionProtection",
    "The instance cannnot delete because of deletion protecion.",
);
