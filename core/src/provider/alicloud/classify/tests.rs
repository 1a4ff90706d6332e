mod messages;

use super::*;
use crate::gardener::planning::error_codes::{CONFIGURATION_PROBLEM, RESOURCES_DEPLETED};

/// What comes of a call that is answered so; `call` is `service:Action`.
fn of(call: &str, http_status: i64, code: &str, message: &str) -> Classification {
    let (service, action) = call.split_once(':').unwrap();
    classify(&CallError { service, action, code, message, http_status })
}

fn outcome(call: &str, http_status: i64, code: &str) -> Outcome {
    of(call, http_status, code, "").outcome
}

#[test]
fn what_passes_is_tried_again() {
    for code in [
        "Throttling",
        "Throttling.User",
        "Throttling.Api",
        "Rejected.Throttling",
        "RequestLimitExceeded",
        "TaskConflict",
        "TaskConflict.AssociateGlobalAccelerationInstance",
        "VPC_TASK_CONFLICT",
        "OperationConflict",
        "ServiceUnavailable",
        "SystemBusy",
        "UnknownError",
        "LastTokenProcessing",
        "OperationFailed.LastTokenProcessing",
        "OperationFailed.IdempotentTokenProcessing",
        "IdempotentProcessing",
        "OperationFailed.DistibuteLock",
        "OperationFailed.NotifyCenCreate",
        "OperationFailed.QueryCenIpv6Status",
        "OperationDenied.Ipv4GatewayNotActive",
        "OperationDenied.OtherSubnetProcessing",
        "IncorrectVpcStatus",
        "InvalidVPCStatus",
        "IncorrectVSwitchStatus",
        "VswitchStatusError",
        "IncorrectStatus",
        "IncorrectStatus.VSWITCH",
        "IncorrectStatus.NATGW",
        "IncorrectStatus.NatGateway",
        "IncorrectStatus.ResourceStatus",
        "IncorrectStatus.Ipv6Gateway",
        "IncorrectStatus.cbnStatus",
        "CreateVSwitch.IncorrectStatus.cbnStatus",
        "DeleteVSwitch.IncorrectStatus.cbnStatus",
        "OperationFailed.NatGwRouteInMiddleStatus",
        "IncorrectEipStatus",
        "IncorrectInstanceStatus",
        "FrequentPurchase.EIP",
        "InvalidBindingStatus",
        "InvalidStatus.EcsStatusNotSupport",
        "InvalidStatus.EniStatusNotSupport",
        "InvalidStatus.NotAllow",
        "OperationFailed.EcsMigrating",
        "InvalidIpStatus.HasBeenUsedBySnatTable",
        "InvalidIpStatus.HasBeenUsedByForwardEntry",
        "InvalidStatus.SnatOrDnat",
        "InvalidStatus.RouteEntry",
        "IncorrectRouteEntryStatus",
        "IncorrectRouteTableStatus",
        "EIP_NOT_IN_GATEWAY",
        "OperationUnsupported.EipNatBWPCheck",
        "OperationUnsupported.EipInBinding",
        "OperationUnsupported.EipNatGWCheck",
        "IncorretSnatEntryStatus",
        "ResourceInCreating.loadbalancer",
        "ActionInProgress",
        "SignatureNonceUsed",
    ] {
        assert_eq!(outcome("vpc:ModifyVpcAttribute", 400, code), Outcome::Retry, "{code}");
    }
    for (call, status, code) in [
        ("vpc:CreateVpc", 0, "Timeout"),
        ("vpc:CreateVpc", 0, "ConnectionFailed"),
        ("vpc:CreateVpc", 0, "UnreadableAnswer"),
        ("vpc:CreateVpc", 500, "InternalError"),
        ("vpc:CreateVpc", 503, "QpsLimitExceeded"),
        ("vpc:CreateVpc", 502, ""),
        ("vpc:CreateVpc", 429, "Whatever"),
        ("vpc:DeleteVpc", 400, "DependencyViolation.VSwitch"),
        ("vpc:DeleteVSwitch", 400, "DependencyViolation"),
        ("ecs:DeleteSecurityGroup", 403, "DependencyViolation"),
        ("vpc:ReleaseEipAddress", 400, "DependencyViolation"),
        ("vpc:CreateRouteEntry", 400, "Forbbiden"),
    ] {
        assert_eq!(outcome(call, status, code), Outcome::Retry, "{call} {status} {code}");
    }
    assert_eq!(of("alidns:AddDomainRecord", 400, "Odd", "Throttling: too fast").outcome, Outcome::Retry);
}

#[test]
fn where_the_first_request_with_a_token_failed_only_another_token_helps() {
    for status in [400, 403, 500, 503] {
        assert_eq!(outcome("vpc:CreateNatGateway", status, "IdempotentFailed"), Outcome::AnotherToken, "{status}");
    }
    let message = of("ecs:CreateSecurityGroup", 400, "IdempotentFailed", "").message;
    assert!(message.starts_with("The first request with this token failed"), "{message}");
}

#[test]
fn what_does_not_pass_is_not_tried_again() {
    for (call, status, code) in [
        ("vpc:CreateVpc", 400, "Timeout"),
        ("vpc:CreateVpc", 0, "CredentialsUnavailable"),
        ("vpc:CreateVpc", 0, "ClientUnavailable"),
        ("vpc:CreateVpc", 0, "NoCredentials"),
        ("vpc:CreateVpc", 0, "UntrustedCertificate"),
        ("vpc:CreateVpc", 0, "InvalidCall"),
        ("vpc:CreateVpc", 400, "Odd"),
        ("vpc:CreateVpc", 400, "QuotaExceeded.Vpc"),
        ("vpc:CreateVpc", 403, "Forbidden.RAM"),
        ("vpc:CreateVpc", 404, "InvalidAccessKeyId.NotFound"),
        ("vpc:CreateVpc", 400, "InvalidAccessKeyId.Inactive"),
        ("vpc:CreateVpc", 400, "SignatureDoesNotMatch"),
        ("vpc:CreateVpc", 400, "InvalidSecurityToken.Expired"),
        ("vpc:CreateVpc", 400, "InvalidTimeStamp.Expired"),
        ("vpc:CreateVpc", 400, "IdempotentParameterMismatch"),
        ("vpc:CreateVSwitch", 400, "InvalidCidrBlock.Overlapped"),
        ("vpc:CreateVSwitch", 400, "DependencyViolation"),
        ("vpc:CreateVSwitch", 404, "InvalidVpcId.NotFound"),
        ("vpc:CreateVpc", 400, "Forbbiden"),
        ("vpc:CreateRouteEntry", 400, "InvalidCIDRBlock.Duplicate"),
        ("vpc:CreateRouteEntry", 400, "RouterEntryConflict.Duplicated"),
        ("vpc:CreateIpv6Gateway", 400, "ResourceAlreadyExist.Ipv6Gateway"),
        ("vpc:AssociateEipAddress", 404, "InvalidAllocationId.NotFound"),
        ("vpc:AssociateEipAddress", 400, "InvalidStatus.InstanceHasBandWidth"),
        ("vpc:DeleteNatGateway", 404, "InvalidRegionId.NotFound"),
        ("vpc:DeleteVSwitch", 404, "InvalidVpcId.NotFound"),
        ("ecs:AuthorizeSecurityGroup", 404, "InvalidSecurityGroupId.NotFound"),
        ("slb:DeleteLoadBalancer", 400, "OperationDenied.DeleteProtectionIsOn"),
        ("ros:CreateStack", 409, "StackExists"),
        ("resourcemanager:GetRole", 404, "EntityNotExist.Role"),
    ] {
        assert_eq!(outcome(call, status, code), Outcome::Fail, "{call} {status} {code}");
    }
}

#[test]
fn what_is_gone_need_not_go_and_what_is_so_need_not_be_made_so() {
    for (call, codes) in [
        (
            "vpc:DeleteVpc",
            &[
                "InvalidVpcID.NotFound",
                "InvalidVpcId.NotFound",
                "Forbidden.VpcNotFound",
                "InvalidResource.NotFound",
            ][..],
        ),
        ("vpc:DeleteVSwitch", &["InvalidVswitchID.NotFound", "InvalidVSwitchId.NotFound"]),
        ("vpc:DeleteNatGateway", &["InvalidNatGatewayId.NotFound", "INSTANCE_NOT_EXISTS"]),
        ("vpc:ReleaseEipAddress", &["InvalidAllocationId.NotFound"]),
        ("vpc:UnassociateEipAddress", &["InvalidAllocationId.NotFound"]),
        ("vpc:DeleteSnatEntry", &["InvalidSnatTableId.NotFound", "InvalidSnatEntryId.NotFound"]),
        ("vpc:DescribeSnatTableEntries", &["InvalidSnatTableId.NotFound", "InvalidNatGatewayId.NotFound"]),
        ("vpc:DescribeVSwitches", &["InvalidVpcId.NotFound", "InvalidVSwitchId.NotFound"]),
        ("ecs:DeleteSecurityGroup", &["InvalidSecurityGroupId.NotFound"]),
        ("ecs:DescribeSecurityGroupAttribute", &["InvalidSecurityGroupId.NotFound"]),
        ("ecs:RevokeSecurityGroup", &["InvalidParam.SecurityGroupRuleId", "InvalidSecurityGroupId.NotFound"]),
        ("ecs:RevokeSecurityGroupEgress", &["InvalidSecurityGroupRule.RuleNotExist"]),
        ("vpc:DeleteRouteEntry", &["InvalidRouteEntry.NotFound"]),
        ("vpc:DeleteRouteTable", &["InvalidRouteTableId.NotFound"]),
        ("vpc:UnassociateRouteTable", &["InvalidBindingStatus.RouteTable", "InvalidVSwitchId.NotFound"]),
        (
            "vpc:AssociateRouteTable",
            &["ResourceAlreadyAssociated.RouteTable", "Forbidden.VSwitchAlreadyAssociatedRouteTable"],
        ),
        ("vpc:DeleteIpv6Gateway", &["InvalidIpv6GatewayId.NotFound"]),
        ("slb:DeleteLoadBalancer", &["InvalidLoadBalancerId.NotFound"]),
        ("nlb:DeleteLoadBalancer", &["ResourceNotFound.loadBalancer", "ResourceNotFound.LoadBalancer"]),
        ("ecs:DetachKeyPair", &["InvalidKeyPairName.NotFound"]),
        ("resourcemanager:CreateServiceLinkedRole", &["EntityAlreadyExists.Role"]),
    ] {
        for code in codes {
            assert_eq!(outcome(call, 404, code), Outcome::AlreadySatisfied, "{call} {code}");
            // The same is said of what another call stands on.
            assert_eq!(outcome("vpc:CreateNatGateway", 404, code), Outcome::Fail, "{code}");
        }
    }
}

#[test]
fn the_codes_are_those_of_the_existing_extension_and_ours_where_it_has_none() {
    for (code, message, expected) in [
        (
            "InvalidAccessKeyId.NotFound",
            "Specified access key is not found.",
            &[CONFIGURATION_PROBLEM, UNAUTHENTICATED][..],
        ),
        ("InvalidAccessKeyId.Inactive", "Specified access key is disabled.", &[UNAUTHENTICATED]),
        ("SignatureDoesNotMatch", "Specified signature is not matched with our calculation.", &[UNAUTHORIZED]),
        ("Forbidden.RAM", "User not authorized to operate on the specified resource.", &[UNAUTHORIZED]),
        ("QuotaExceeded.Vpc", "VPC quota exceeded.", &[QUOTA_EXCEEDED]),
        ("InvalidVpcId.NotFound", "Specified VPC does not exist.", &[CONFIGURATION_PROBLEM]),
        ("InvalidRegionId.NotFound", "The specified RegionId does not exist.", &[CONFIGURATION_PROBLEM]),
        ("Zone.NotOnSale", "", &[RESOURCES_DEPLETED]),
        ("TaskConflict", "", &["ERR_INFRA_DEPENDENCIES"]),
        ("Throttling.User", "Request was denied due to user flow control.", &["ERR_INFRA_RATE_LIMITS_EXCEEDED"]),
        ("Odd", "Something.", &[]),
        // Ours.
        ("InvalidSecurityToken.Expired", "Specified SecurityToken is expired.", &[UNAUTHENTICATED]),
        ("InvalidTimeStamp.Expired", "Specified time stamp or date value is expired.", &[UNAUTHENTICATED]),
        ("NoPermission", "", &[UNAUTHORIZED]),
        ("QuotaExceed.SecurityGroup", "The maximum number of security groups is reached.", &[QUOTA_EXCEEDED]),
        (
            "AuthorizationLimitExceed",
            "The limit of authorization records in the security group reaches.",
            &[QUOTA_EXCEEDED],
        ),
    ] {
        assert_eq!(of("vpc:CreateVpc", 400, code, message).codes, expected, "{code}");
    }
}

#[test]
fn what_oss_has_not_needs_no_deletion_and_what_it_has_already_is_an_error() {
    let (no_bucket, no_policy) = ("NoSuchBucket", "NoSuchWORMConfiguration");
    for (action, status, code, wanted) in [
        ("DeleteBucket", 404, no_bucket, Outcome::AlreadySatisfied),
        ("DeleteMultipleObjects", 404, no_bucket, Outcome::AlreadySatisfied),
        ("AbortMultipartUpload", 404, "NoSuchUpload", Outcome::AlreadySatisfied),
        ("PutObjectTagging", 404, "NoSuchKey", Outcome::AlreadySatisfied),
        ("AbortBucketWorm", 404, no_policy, Outcome::AlreadySatisfied),
        ("CompleteBucketWorm", 403, "WORMConfigurationLocked", Outcome::AlreadySatisfied),
        ("CompleteBucketWorm", 404, no_policy, Outcome::Fail),
        ("AbortBucketWorm", 403, "WORMConfigurationLocked", Outcome::Fail),
        ("PutBucketLifecycle", 404, no_bucket, Outcome::Fail),
        ("PutBucket", 409, "BucketAlreadyExists", Outcome::Fail),
        ("InitiateBucketWorm", 409, "WORMConfigurationAlreadyExists", Outcome::Fail),
        ("DeleteBucket", 409, "BucketNotEmpty", Outcome::Fail),
        ("ListObjects", 403, "AccessDenied", Outcome::Fail),
        ("ListObjects", 503, "SlowDown", Outcome::Retry),
        ("PutBucket", 500, "InternalError", Outcome::Retry),
    ] {
        assert_eq!(outcome(&format!("oss:{action}"), status, code), wanted, "{action} {code}");
    }
}
