//! What to tell the person about an error, before the cloud's own words.

use crate::gardener::infrastructure::error_codes::{RESOURCES_DEPLETED, UNAUTHENTICATED, UNAUTHORIZED};
use crate::policy::CallError;
use crate::text::pattern::matches_any;

/// Codes of a key, a token or a clock that is wrong.
pub fn is_credential(code: &str) -> bool {
    matches_any(
        code,
        &[
            "invalidaccesskeyid*",
            "invalidaccesskeysecret",
            "*securitytoken*",
            "invalidtimestamp.expired",
            "signaturedoesnotmatch",
        ],
    )
}

/// Codes of what the account may not do.
pub fn is_forbidden(code: &str) -> bool {
    matches_any(
        code,
        &["forbidden.ram*", "nopermission*", "accessdenied*", "*unauthorized*", "forbidden.accessdenied*"],
    )
}

/// Codes of a quota that is used up.
pub fn is_quota(code: &str) -> bool {
    matches_any(
        code,
        &["*quota*", "*limitexceed*", "*countlimited", "snat_ip_pool_count_too_many", "sizelimitexceeded*"],
    )
}

/// What tells what is wrong by its code alone, and how to mend it.
const BY_CODE: &[(&[&str], &str)] = &[
    (
        &["invalidaccesskeyid.inactive"],
        "The access key is disabled: enable it in RAM, or put another one of the account into the Secret.",
    ),
    (
        &["invalidaccesskeyid*"],
        "Alibaba Cloud does not know the access key: put the id of an existing one, with its secret, into the Secret.",
    ),
    (
        &["signaturedoesnotmatch", "incompletesignature", "invalidaccesskeysecret"],
        "The secret does not belong to the access key: put the right accessKeySecret into the Secret.",
    ),
    (&["invalidsecuritytoken.expired"], "The temporary credentials have expired: get new ones."),
    (&["*securitytoken*"], "The security token does not belong to the access key: get new temporary credentials."),
    (
        &["invalidtimestamp.expired"],
        "The clock of this machine is off by more than Alibaba Cloud accepts, 15 minutes: set it right.",
    ),
    (
        &["invalidregionid*", "unknownendpoint", "sdk.cannotresolveendpoint"],
        "Alibaba Cloud has no such region, or does not offer the service there: mend the Shoot's `spec.region`.",
    ),
    (
        &["invalidvpcid.not*", "forbidden.vpcnotfound", "resourcenotfound.vpc"],
        "The VPC is not there: `networks.vpc.id` must name one that the account has in the Shoot's region. A VPC of our own was deleted by somebody else, and the next plan makes another one.",
    ),
    (
        &["invalidallocationid.notfound"],
        "The elastic IP is not there: `eipAllocationID` must name one that the account has in the Shoot's region. One of our own was released by somebody else, and the next plan allocates another one.",
    ),
    (
        &[
            "bind_instance_have_portmap_or_bind_eip",
            "invalidassociation.duplicated",
            "resourceinuse.ip",
            "invalidbindingstatus",
            "invalidstatus.instancehasbandwidth",
        ],
        "The elastic IP is in use elsewhere: unassociate it there, or name another one in `eipAllocationID`.",
    ),
    (
        &["incorrecteipstatus*"],
        "The elastic IP is busy, or in use elsewhere: if that does not pass, unassociate it there, or name another one in `eipAllocationID`.",
    ),
    (
        &["invalidzoneid*", "*zonenotsupport*", "invalidzones"],
        "The zone is not one of the region, or does not offer this: choose another zone.",
    ),
    (
        &[
            "routerentryconflict*",
            "*duplicated.vpcnexthop",
            "invalidcidrblock.duplicate",
            "resourcealreadyexist*",
            "stackexists",
            "invalidimagename.duplicated",
        ],
        "Somebody made the same meanwhile: plan again, and it is taken into account.",
    ),
    (
        &["invalidcidrblock.overlapped"],
        "The range overlaps with that of another VSwitch in the VPC: choose a free one for the zone's `workers`.",
    ),
    (
        &["invalidcidrblock*", "illegalparam.cidr*"],
        "Alibaba Cloud does not accept the range: choose one within the VPC's, of a size that VSwitches may have.",
    ),
    (
        &["dependencyviolation*"],
        "Something still uses it: if that does not pass, remove what stands on it and is not the Shoot's.",
    ),
    (
        &["*deletionprotection*", "*deleteprotection*"],
        "It is protected against deletion: switch the protection off if it may go.",
    ),
    (
        &["idempotentparametermismatch"],
        "An earlier attempt asked for something else under the same token: plan again.",
    ),
    (
        &["entitynotexist.servicelinkedrole"],
        "There is a role of that name that is not the service's own: rename or delete it in RAM, so that NAT gateways get theirs.",
    ),
    (
        &["invalidimageid.notfound", "invalidaccount.*", "image.public", "operationdeined.encryptedsnapshot"],
        "The image cannot be used by the Shoot's account: check its id in the CloudProfile, and that it may be shared.",
    ),
    (
        &["*arrear*", "*notenoughbalance*", "*insufficientbalance*", "*overdue*"],
        "The account owes money, or has not enough: settle that, then go on.",
    ),
    (
        &["*throttling*", "requestlimitexceeded", "qpslimitexceeded"],
        "Alibaba Cloud is called too often by this account; it is tried again, more slowly.",
    ),
    (
        &["untrustedcertificate"],
        "What answers has a certificate that is not trusted: if a proxy between here and Alibaba Cloud reads along, its \
         authority has to be trusted.",
    ),
    (
        &["credentialsunavailable", "clientunavailable", "nocredentials"],
        "The credentials could not be read: check the Secret.",
    ),
];

/// What a quota is of, by the action that met it.
const QUOTAS: &[(&str, &str)] = &[
    ("CreateVpc", "VPCs in the region"),
    ("CreateVSwitch", "VSwitches in the VPC"),
    ("CreateNatGateway", "NAT gateways in the VPC"),
    ("AllocateEipAddress", "elastic IPs in the region"),
    ("AssociateEipAddress", "elastic IPs of a NAT gateway"),
    ("CreateSnatEntry", "SNAT entries of the NAT gateway"),
    ("ModifySnatEntry", "addresses of a SNAT entry"),
    ("CreateSecurityGroup", "security groups in the region"),
    ("AuthorizeSecurityGroup", "rules of a security group"),
    ("AuthorizeSecurityGroupEgress", "rules of a security group"),
    ("CreateRouteTable", "route tables in the VPC"),
    ("CreateRouteEntry", "entries of the route table"),
    ("CreateIpv6Gateway", "IPv6 gateways in the region"),
    ("CreateServiceLinkedRole", "roles of the account"),
    ("ModifyImageSharePermission", "accounts that an image is shared with"),
    ("CreateStack", "stacks of ROS, or of images"),
];

/// What happened and what mends it; empty where the cloud's own words have to do.
pub fn of(error: &CallError<'_>, code: &str, codes: &[&str]) -> String {
    let CallError { service, action, http_status, .. } = error;
    if *http_status == 0 && matches_any(code, super::UNANSWERED) {
        return "Alibaba Cloud could not be reached: check the network, proxies and the region.".to_owned();
    }
    if is_forbidden(code) || (codes.contains(&UNAUTHORIZED) && !is_credential(code)) {
        // Roles are RAM's, whoever is asked for them.
        let service = if *service == "resourcemanager" { "ram" } else { service };
        return format!(
            "The access key lacks the permission `{service}:{action}`: grant it in RAM. `trellis ram-policy` prints all \
             that are needed."
        );
    }
    if let Some((_, advice)) = BY_CODE.iter().find(|(codes, _)| matches_any(code, codes)) {
        return (*advice).to_owned();
    }
    if is_quota(code) {
        let of_action = QUOTAS.iter().find(|(known, _)| known == action).map_or("this", |(_, what)| what);
        let what = if code.contains("tag") { "tags of a resource" } else { of_action };
        return format!(
            "The quota of {what} is used up: remove some that are no longer needed, or ask for more in Alibaba Cloud's Quota \
             Center."
        );
    }
    if codes.contains(&RESOURCES_DEPLETED)
        || matches_any(
            code,
            &["*notonsale*", "*inventorynotenough*", "*nostock*", "*outofstock*", "resourcenotavailable*"],
        )
    {
        return "The zone has nothing of this left to sell: choose another zone, or try again later.".to_owned();
    }
    if codes.contains(&UNAUTHENTICATED) {
        return "Alibaba Cloud does not accept the credentials: check the Secret.".to_owned();
    }
    if *service == "ros" {
        return "The encrypted copy of the image could not be made by ROS: its stack, `encrypt_image_…`, tells why in the \
                ROS console; delete the stack to have it tried again."
            .to_owned();
    }
    String::new()
}
