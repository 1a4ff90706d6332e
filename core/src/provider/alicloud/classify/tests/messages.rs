//! What messages say.

use super::*;

#[test]
fn the_message_says_what_fixes_it_and_what_the_cloud_said() {
    for (call, code, message, words) in [
        (
            "vpc:CreateVpc",
            "InvalidAccessKeyId.NotFound",
            "Specified access key is not found.",
            "does not know the access key",
        ),
        ("vpc:CreateVpc", "InvalidAccessKeyId.Inactive", "Specified access key is disabled.", "is disabled"),
        (
            "vpc:CreateVpc",
            "SignatureDoesNotMatch",
            "Specified signature is not matched with our calculation.",
            "The secret does not belong to the access key",
        ),
        ("vpc:CreateVpc", "InvalidSecurityToken.Expired", "Specified SecurityToken is expired.", "have expired"),
        (
            "vpc:CreateVpc",
            "InvalidTimeStamp.Expired",
            "Specified time stamp or date value is expired.",
            "The clock",
        ),
        (
            "vpc:CreateVpc",
            "Forbidden.RAM",
            "User not authorized to operate on the specified resource.",
            "`vpc:CreateVpc`: grant it",
        ),
        ("resourcemanager:GetRole", "NoPermission", "You are not authorized to do this action.", "`ram:GetRole`"),
        ("vpc:CreateVpc", "QuotaExceeded.Vpc", "VPC quota exceeded.", "quota of VPCs"),
        (
            "vpc:AllocateEipAddress",
            "QuotaExceeded.Eip",
            "Elastic IP address quota exceeded.",
            "quota of elastic IPs in the region",
        ),
        (
            "vpc:AssociateEipAddress",
            "QuotaExceeded.NumberOfEip",
            "Binded eip Quota exceed on this NatGw.",
            "elastic IPs of a NAT gateway",
        ),
        (
            "ecs:CreateSecurityGroup",
            "QuotaExceed.SecurityGroup",
            "The maximum number of security groups is reached.",
            "quota of security groups",
        ),
        ("vpc:TagResources", "QuotaExceeded.TagNum", "Custom Tags quota exceeded", "quota of tags"),
        (
            "vpc:DescribeVpcs",
            "InvalidRegionId.NotFound",
            "The specified RegionId does not exist.",
            "no such region",
        ),
        ("vpc:CreateVSwitch", "InvalidVpcId.NotFound", "Specified VPC does not exist.", "`networks.vpc.id`"),
        (
            "vpc:AssociateEipAddress",
            "InvalidAllocationId.NotFound",
            "Specified allocation ID is not found.",
            "`eipAllocationID`",
        ),
        (
            "vpc:AssociateEipAddress",
            "IncorrectEipStatus",
            "Current elastic IP status does not support this operation.",
            "in use elsewhere",
        ),
        (
            "vpc:AssociateEipAddress",
            "BIND_INSTANCE_HAVE_PORTMAP_OR_BIND_EIP",
            "The instance may have portMap or already bind eip.",
            "in use elsewhere",
        ),
        ("vpc:CreateNatGateway", "Zone.NotOnSale", "The zone is not on sale.", "choose another zone"),
        ("vpc:CreateNatGateway", "Odd", "This is out of stock.", "choose another zone"),
        (
            "vpc:CreateVSwitch",
            "InvalidCidrBlock.Overlapped",
            "Specified CIDR block overlapped with other subnets.",
            "overlaps",
        ),
        (
            "vpc:CreateRouteEntry",
            "InvalidCIDRBlock.Duplicate",
            "Specified CIDR block is already exists.",
            "plan again",
        ),
        ("ros:CreateStack", "StackValidationFailed", "The validation of the stack failed.", "encrypted copy"),
        ("vpc:CreateVpc", "IdempotentParameterMismatch", "Mismatch.", "plan again"),
    ] {
        let found = of(call, 400, code, message).message;
        assert!(found.contains(words), "{found}");
        for said in [call, code, message] {
            assert!(found.contains(said), "{found}");
        }
    }
}

#[test]
fn the_message_has_what_the_answer_has() {
    for code in ["Timeout", "ConnectionFailed"] {
        let found = of("vpc:CreateVpc", 0, code, "connection refused").message;
        assert!(
            found.starts_with("Alibaba Cloud could not be reached") && found.contains("connection refused"),
            "{found}"
        );
    }
    assert_eq!(
        of("vpc:CreateVpc", 400, "Odd", "Words.").message,
        "Alibaba Cloud answered vpc:CreateVpc with `Odd`: Words."
    );
    assert_eq!(of("vpc:CreateVpc", 502, "", "").message, "Alibaba Cloud answered vpc:CreateVpc with status 502");
}

#[test]
fn what_the_service_signed_is_not_reported() {
    for signed in
        ["server string to sign is:GET&%2F&AccessKeyId%3DLTAI", "server StringToSign is [ACS3-HMAC-SHA256\nLTAI]"]
    {
        let message = format!("Specified signature is not matched with our calculation. {signed}");
        let found = of("vpc:CreateVpc", 400, "SignatureDoesNotMatch", &message).message;
        assert!(found.ends_with("our calculation.") && !found.contains("LTAI"), "{found}");
    }
}

#[test]
fn long_words_of_the_cloud_are_cut() {
    let found = of("vpc:CreateVpc", 400, "Odd", &"語".repeat(10_000)).message;
    assert!(found.len() < 1_000 && found.ends_with('語'), "{}", found.len());
}

mod patterns {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_error_has_an_answer_whatever_it_is(
            action in "(Delete|Describe|Create|Release)?[A-Za-z]{0,8}",
            code in "\\PC{0,40}",
            message in "\\PC{0,900}",
            http_status in any::<i64>(),
        ) {
            let found = classify(&CallError { service: "vpc", action: &action, code: &code, message: &message, http_status });
            prop_assert!(!found.message.is_empty());
            prop_assert!(found.codes.is_sorted());
        }

        #[test]
        fn a_pattern_is_met_at_its_open_ends(start in "[a-z]{0,5}", end in "[a-z]{0,5}") {
            let whole = format!("{start}x.y{end}");
            prop_assert!(matches_any(&whole, &["*x.y*"]));
            prop_assert_eq!(matches_any(&format!("{start}x.y"), &["x.y*"]), start.is_empty());
            prop_assert_eq!(matches_any(&format!("x.y{end}"), &["*x.y"]), end.is_empty());
            prop_assert_eq!(matches_any(&whole, &["x.y"]), start.is_empty() && end.is_empty());
        }
    }
}
