//! How rules of security groups are written in requests.

use std::net::{Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

use crate::action::{Arguments, CloudError, ErrorCode, Form, Rule};
use crate::resource::Table;
use crate::world::ecs::{Direction, SecurityGroup, SecurityGroupRule};

/// The parameters that describe a rule, with the names of its direction; others may follow.
///
/// They stand in `Permissions.N`, and next to it for older clients.
macro_rules! rule_parameters {
    ($group:literal, $bad_source:expr, $bad_dest:expr $(, $more:expr)* $(,)?) => {
        &[
            $($more,)*
            optional("IpProtocol", PROTOCOL).malformed(&BAD_PROTOCOL),
            optional("PortRange", TEXT),
            optional("SourcePortRange", TEXT),
            optional("SourceCidrIp", BLOCK4).malformed($bad_source),
            optional("DestCidrIp", BLOCK4).malformed($bad_dest),
            optional("Ipv6SourceCidrIp", BLOCK6).malformed(&BAD_IPV6),
            optional("Ipv6DestCidrIp", BLOCK6).malformed(&BAD_IPV6),
            optional($group, TEXT),
            optional("Policy", POLICY).malformed(&BAD_POLICY),
            optional("Priority", Form::Integer(1, 100)).malformed(&BAD_PRIORITY),
            optional("NicType", Form::OneOf(&["intranet", "internet"])).malformed(&BAD_NIC_TYPE),
            optional("Description", RULE_DESCRIPTION).malformed(&BAD_DESCRIPTION),
        ]
    };
}
pub(super) use rule_parameters;

/// The names of those parameters.
const NAMES: [&str; 11] = [
    "IpProtocol",
    "PortRange",
    "SourcePortRange",
    "SourceCidrIp",
    "DestCidrIp",
    "Ipv6SourceCidrIp",
    "Ipv6DestCidrIp",
    "Policy",
    "Priority",
    "NicType",
    "Description",
];

pub(super) const BAD_PROTOCOL: ErrorCode = ErrorCode::new(
    400,
    "InvalidIpProtocol.ValueNotSupported",
    "The parameter IpProtocol must be specified with case insensitive TCP, UDP, ICMP, GRE or All.",
);
pub(super) const PROTOCOL_AND_PORTS: ErrorCode = ErrorCode::new(
    400,
    "OperationDenied",
    "The specified IpProtocol does not exist or IpProtocol and PortRange do not match.",
);
pub(super) const BAD_PORTS: ErrorCode =
    ErrorCode::new(400, "InvalidIpProtocol.Malformed", "The specified parameter \"PortRange\" is not valid.");
pub(super) const BAD_SOURCE: ErrorCode =
    ErrorCode::new(400, "InvalidSourceCidrIp.Malformed", "The specified parameter \"SourceCidrIp\" is not valid.");
pub(super) const BAD_DEST: ErrorCode =
    ErrorCode::new(400, "InvalidDestCidrIp.Malformed", "The specified parameter \"DestCidrIp\" is not valid.");
pub(super) const BAD_IPV6: ErrorCode =
    ErrorCode::new(400, "ILLEGAL_IPV6_CIDR", "The specified IPv6 CIDR block is not valid.");
pub(super) const BAD_POLICY: ErrorCode =
    ErrorCode::new(400, "InvalidPolicy.Malformed", "The specified parameter \"Policy\" is not valid.");
pub(super) const BAD_PRIORITY: ErrorCode =
    ErrorCode::new(400, "InvalidPriority.ValueNotSupported", "The parameter Priority is invalid.");
pub(super) const BAD_NIC_TYPE: ErrorCode =
    ErrorCode::new(400, "InvalidNicType.ValueNotSupported", "The specified NicType does not exist.");
pub(super) const NO_SOURCE: ErrorCode = ErrorCode::new(
    400,
    "MissingParameter.Source",
    "One of the parameters SourceCidrIp, SourceGroupId or SourcePrefixListId must be specified.",
);
pub(super) const NO_DEST: ErrorCode = ErrorCode::new(
    400,
    "MissingParameter.Dest",
    "One of the parameters DestCidrIp, DestGroupId or DestPrefixListId must be specified.",
);
pub(super) const BOTH_VERSIONS: ErrorCode = ErrorCode::new(
    400,
    "InvalidParam.Ipv6SourceCidrIp",
    "A rule cannot have both an IPv4 and an IPv6 block on the same side.",
);
pub(super) const IPV4_PROTOCOL: ErrorCode = ErrorCode::new(
    400,
    "InvalidParam.Ipv4ProtocolConflictWithIpv6Address",
    "ICMP is a protocol of IPv4, and the rule has an IPv6 block.",
);
pub(super) const IPV6_PROTOCOL: ErrorCode = ErrorCode::new(
    400,
    "InvalidParam.Ipv6ProtocolConflictWithIpv4Address",
    "ICMPv6 is a protocol of IPv6, and the rule has an IPv4 block.",
);
pub(super) const SOURCE_NOT_FOUND: ErrorCode = ErrorCode::new(
    404,
    "InvalidSourceGroupId.NotFound",
    "The SourceGroupId provided does not exist in our records.",
);
pub(super) const DEST_NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidDestGroupId.NotFound", "The DestGroupId provided does not exist in our records.");
pub(super) const SAME_SOURCE: ErrorCode = ErrorCode::new(
    403,
    "InvalidParamter.Conflict",
    "The specified SecurityGroupId should be different from the SourceGroupId.",
);
pub(super) const SAME_DEST: ErrorCode = ErrorCode::new(
    403,
    "InvalidSecurityGroup.IsSame",
    "The authorized SecurityGroupId should be different from the DestGroupId.",
);
pub(super) const OTHER_VPC_SOURCE: ErrorCode = ErrorCode::new(
    400,
    "InvalidSourceGroupId.Mismatch",
    "Specified security group and source group are not in the same VPC.",
);
pub(super) const OTHER_VPC_DEST: ErrorCode = ErrorCode::new(
    400,
    "InvalidDestGroupId.Mismatch",
    "Specified security group and destination group are not in the same VPC.",
);

/// The protocols, as rules have them.
const PROTOCOLS: [&str; 6] = ["TCP", "UDP", "ICMP", "ICMPv6", "GRE", "ALL"];

pub(super) const PROTOCOL: Form = Form::Text(&Rule {
    what: "one of TCP, UDP, ICMP, ICMPv6, GRE, ALL",
    check: |text| PROTOCOLS.iter().any(|known| known.eq_ignore_ascii_case(text)),
});
pub(super) const POLICY: Form = Form::Text(&Rule {
    what: "accept or drop",
    check: |text| ["accept", "drop"].iter().any(|known| known.eq_ignore_ascii_case(text)),
});
pub(super) const BLOCK4: Form = Form::Text(&Rule {
    what: "an IPv4 address, or a CIDR block without host bits",
    check: |text| {
        text.parse::<Ipv4Addr>().is_ok() || text.parse::<Ipv4Net>().is_ok_and(|block| block.trunc() == block)
    },
});
pub(super) const BLOCK6: Form = Form::Text(&Rule {
    what: "an IPv6 address, or a CIDR block without host bits",
    check: |text| {
        text.parse::<Ipv6Addr>().is_ok() || text.parse::<Ipv6Net>().is_ok_and(|block| block.trunc() == block)
    },
});
pub(super) const RULE_DESCRIPTION: Form =
    Form::Text(&Rule { what: "1 to 512 characters", check: |text| (1..=512).contains(&text.chars().count()) });

/// Whether a call describes a rule next to `Permissions.N`.
pub(super) fn shows_a_rule(arguments: &Arguments, direction: Direction) -> bool {
    NAMES.iter().any(|name| arguments.has(name)) || arguments.has(direction.group())
}

impl Direction {
    /// The parameter for the group on the other side.
    fn group(self) -> &'static str {
        match self {
            Self::Ingress => "SourceGroupId",
            Self::Egress => "DestGroupId",
        }
    }
}

impl SecurityGroupRule {
    /// Reads and checks a rule, as far as that is possible without its security group. It has no identifier yet.
    pub(super) fn read(given: &Arguments, direction: Direction) -> Result<Self, CloudError> {
        let needed = |name| given.given(name).ok_or_else(|| CloudError::not_supplied(name));
        let protocol = needed("IpProtocol")?;
        let protocol = PROTOCOLS.iter().find(|known| known.eq_ignore_ascii_case(protocol)).ok_or(&BAD_PROTOCOL)?;
        let port_range = needed("PortRange")?;
        ports(protocol, port_range)?;
        if let Some(source) = given.given("SourcePortRange") {
            ports(protocol, source)?;
        }
        let mut rule = Self {
            security_group_rule_id: String::new(),
            direction,
            ip_protocol: (*protocol).to_owned(),
            port_range: port_range.to_owned(),
            source_port_range: given.text("SourcePortRange").to_owned(),
            source_cidr_ip: given.text("SourceCidrIp").to_owned(),
            dest_cidr_ip: given.text("DestCidrIp").to_owned(),
            ipv6_source_cidr_ip: given.text("Ipv6SourceCidrIp").to_owned(),
            ipv6_dest_cidr_ip: given.text("Ipv6DestCidrIp").to_owned(),
            group_id: given.text(direction.group()).to_owned(),
            policy: policy(given).to_owned(),
            priority: given.integer("Priority").unwrap_or(1),
            description: given.text("Description").to_owned(),
            create_time: String::new(),
        };
        rule.sides()?;
        Ok(rule)
    }

    /// Checks the source and the destination of the rule. A block goes before a group.
    fn sides(&mut self) -> Result<(), CloudError> {
        let v4 = !self.source_cidr_ip.is_empty() || !self.dest_cidr_ip.is_empty();
        let v6 = !self.ipv6_source_cidr_ip.is_empty() || !self.ipv6_dest_cidr_ip.is_empty();
        if v4 && v6 {
            return Err((&BOTH_VERSIONS).into());
        }
        if v6 && self.ip_protocol == "ICMP" {
            return Err((&IPV4_PROTOCOL).into());
        }
        if v4 && self.ip_protocol == "ICMPv6" {
            return Err((&IPV6_PROTOCOL).into());
        }
        let (block4, block6, missing) = match self.direction {
            Direction::Ingress => (&self.source_cidr_ip, &self.ipv6_source_cidr_ip, &NO_SOURCE),
            Direction::Egress => (&self.dest_cidr_ip, &self.ipv6_dest_cidr_ip, &NO_DEST),
        };
        if !block4.is_empty() || !block6.is_empty() {
            self.group_id.clear();
        } else if self.group_id.is_empty() {
            return Err(missing.into());
        }
        Ok(())
    }

    /// Checks that the group on the other side is another one in the same network.
    pub(super) fn refers_well(&self, of: &SecurityGroup, groups: &Table<SecurityGroup>) -> Result<(), CloudError> {
        if self.group_id.is_empty() {
            return Ok(());
        }
        let (same, not_found, other_vpc) = match self.direction {
            Direction::Ingress => (&SAME_SOURCE, &SOURCE_NOT_FOUND, &OTHER_VPC_SOURCE),
            Direction::Egress => (&SAME_DEST, &DEST_NOT_FOUND, &OTHER_VPC_DEST),
        };
        if self.group_id == of.security_group_id {
            return Err(same.into());
        }
        let other = groups.get(&self.group_id).ok_or(not_found)?;
        if other.vpc_id == of.vpc_id { Ok(()) } else { Err(other_vpc.into()) }
    }

    /// Whether a revocation describes this rule. A part that the revocation leaves out matches anything, but a
    /// policy that it leaves out is `accept`.
    pub(super) fn is_meant(&self, read: &Self, given: &Arguments) -> bool {
        let optional = |name, mine: &str| given.given(name).is_none_or(|wanted| wanted == mine);
        self.direction == read.direction
            && self.ip_protocol == read.ip_protocol
            && self.port_range == read.port_range
            && self.policy == read.policy
            && self.group_id == read.group_id
            && optional("SourcePortRange", &self.source_port_range)
            && optional("SourceCidrIp", &self.source_cidr_ip)
            && optional("DestCidrIp", &self.dest_cidr_ip)
            && optional("Ipv6SourceCidrIp", &self.ipv6_source_cidr_ip)
            && optional("Ipv6DestCidrIp", &self.ipv6_dest_cidr_ip)
            && optional("Description", &self.description)
            && given.integer("Priority").is_none_or(|priority| priority == self.priority)
    }
}

fn policy(given: &Arguments) -> &'static str {
    if given.text("Policy").eq_ignore_ascii_case("drop") { "Drop" } else { "Accept" }
}

/// Checks that the ports fit the protocol.
fn ports(protocol: &str, ports: &str) -> Result<(), CloudError> {
    let range = || {
        let (first, last) = ports.split_once('/')?;
        Some((first.parse::<i32>().ok()?, last.parse::<i32>().ok()?))
    };
    let (first, last) = range().ok_or(&BAD_PORTS)?;
    let fits = match protocol {
        "TCP" | "UDP" => 1 <= first && first <= last && last <= 65535,
        _ => (first, last) == (-1, -1),
    };
    if fits { Ok(()) } else { Err((&PROTOCOL_AND_PORTS).into()) }
}
