//! What to say to the person about an error, in front of the cloud's own words.

use crate::gardener::planning::error_codes::{RESOURCES_DEPLETED, UNAUTHENTICATED, UNAUTHORIZED};
use crate::policy::CallError;
use crate::text::pattern::matches_any;

/// Whether a code says that a key, a token or a clock is wrong.
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

/// Whether a code says that the account lacks a permission.
pub fn is_forbidden(code: &str) -> bool {
    matches_any(
        code,
        &["forbidden.ram*", "nopermission*", "accessdenied*", "*unauthorized*", "forbidden.accessdenied*"],
    )
}

/// Whether a code says that a quota is used up.
pub fn is_quota(code: &str) -> bool {
    matches_any(
        code,
        &["*quota*", "*limitexceed*", "*countlimited", "snat_ip_pool_count_too_many", "sizelimitexceeded*"],
    )
}

/// Patterns of codes that say by themselves what is wrong, with what the person should do.
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
        &["domainrecordduplicate"],
        "Alidns has such a record already, perhaps in other letters or in another spelling of the value: where a run has just added it, the next one finds it; else remove the other one, or spell name and value as that one does.",
    ),
    (
        &["quotaexceeded.ttl"],
        "The edition of Alidns does not allow so short a TTL: set `spec.ttl` of the DNSRecord to 600 or more, which Gardener does for Shoots where gardenlet's configuration says so in `controllers.shoot.dnsEntryTTLSeconds`, or use an edition that allows less.",
    ),
    (&["bucketalreadyexists"], "The name is taken, as names of buckets are for all accounts: choose another one."),
    (
        &["bucketnotempty"],
        "Something is in the bucket that no list of objects has, such as an unfinished upload: the next run drops unfinished uploads. Remove old versions of objects where the bucket keeps versions.",
    ),
    (
        &["wormconfigurationalreadyexists"],
        "Somebody has begun a retention in the meantime: the next run reads it.",
    ),
    (
        &["invalidregionid*", "unknownendpoint", "sdk.cannotresolveendpoint"],
        "Alibaba Cloud has no such region, or does not offer the service there: correct the Shoot's `spec.region`.",
    ),
    (
        &["invalidvpcid.not*", "forbidden.vpcnotfound", "resourcenotfound.vpc"],
        "The VPC is not there: `networks.vpc.id` must name one that the account has in the Shoot's region. Where somebody deleted a VPC of ours, the next plan creates another one.",
    ),
    (
        &["invalidallocationid.notfound"],
        "The elastic IP is not there: `eipAllocationID` must name one that the account has in the Shoot's region. Where somebody released one of ours, the next plan allocates another one.",
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
        "The elastic IP is busy, or in use elsewhere: if the error does not pass, unassociate it there, or name another one in `eipAllocationID`.",
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
        "Somebody has created the same in the meantime: plan again, and the new plan takes that into account.",
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
        "Something still uses the resource: if the error does not pass, remove what uses it and is not the Shoot's.",
    ),
    (
        &["*deletionprotection*", "*deleteprotection*"],
        "The resource is protected against deletion: switch the protection off if Trellis may delete it.",
    ),
    (
        &["idempotentparametermismatch"],
        "An earlier attempt asked for something else under the same token: plan again.",
    ),
    (
        &[super::TOKEN_FAILED],
        "The first request with this token failed, and Alibaba Cloud refuses each further request with the token: Trellis \
         sends another token.",
    ),
    (
        &["idempotentprocessing"],
        "Alibaba Cloud still works on the first request with this token; Trellis retries.",
    ),
    (
        &["entitynotexist.servicelinkedrole"],
        "A role of that name exists that is not the service's own: rename or delete it in RAM, so that the next run creates the right one.",
    ),
    (
        &["invalidimageid.notfound", "invalidaccount.*", "image.public", "operationdeined.encryptedsnapshot"],
        "The Shoot's account cannot use the image: check its id in the CloudProfile, and that its owner may share it.",
    ),
    (
        &["*arrear*", "*notenoughbalance*", "*insufficientbalance*", "*overdue*"],
        "The account owes money, or has too little: settle that, then run again.",
    ),
    (
        &["*throttling*", "requestlimitexceeded", "qpslimitexceeded"],
        "This account calls Alibaba Cloud too often; Trellis retries, more slowly.",
    ),
    (
        &["untrustedcertificate"],
        "The server that answers has a certificate that this machine does not trust: if a proxy between this machine and \
         Alibaba Cloud reads along, let this machine trust the authority of the proxy.",
    ),
    (
        &["credentialsunavailable", "clientunavailable", "nocredentials"],
        "The credentials could not be read: check the Secret.",
    ),
];

/// What a quota limits, by the action that met it.
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

/// What is wrong and what the person should do; empty where the cloud's own words have to do.
pub fn of(error: &CallError<'_>, code: &str, codes: &[&str]) -> String {
    let CallError { service, action, http_status, .. } = error;
    if *http_status == 0 && matches_any(code, super::UNANSWERED) {
        return "Alibaba Cloud could not be reached: check the network, proxies and the region.".to_owned();
    }
    if is_forbidden(code) || (codes.contains(&UNAUTHORIZED) && !is_credential(code)) {
        // RAM gives the permission for roles, also where another service answers.
        let service = if *service == "resourcemanager" { "ram" } else { service };
        let other = if service == "oss" {
            " Or the bucket belongs to another account, because names of buckets are taken for all accounts."
        } else {
            ""
        };
        return format!(
            "The access key lacks the permission `{service}:{action}`: grant it in RAM. `trellis ram-policy` prints all \
             that are needed.{other}"
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
        return "ROS could not create the encrypted copy of the image: its stack, `encrypt_image_…`, says why in the ROS \
                console. Delete the stack, and the next run tries again."
            .to_owned();
    }
    String::new()
}
