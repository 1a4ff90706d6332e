//! The services: the versions of their APIs, their hosts, and the places of their parameters.
//!
//! Source: the endpoint maps of Alibaba Cloud's SDKs.

mod place;

use std::time::Duration;

pub(super) use place::{Place, Places};

use crate::call::cloud::PATIENCE;
use crate::transport::pace::{Limit, Rate};

/// Hosts of a service.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hosts {
    /// One host for all regions.
    Central(&'static str),
    /// `<service>.<region>.aliyuncs.com`; some regions have other hosts.
    Regional(&'static [(&'static str, &'static [&'static str])]),
}

/// A service.
#[derive(Clone, Copy, Debug)]
pub(super) struct Service {
    /// The name of the service in calls.
    pub(super) code: &'static str,
    /// The version of the API.
    pub(super) version: &'static str,
    /// The hosts of the service.
    pub(super) hosts: Hosts,
    /// The places where the service takes parameters.
    pub(super) places: Places,
    /// Actions that take longer than [`PATIENCE`], in seconds.
    pub(super) slow: &'static [(&'static str, u64)],
    /// How many calls of the service a process makes with one access key.
    pub(super) limit: Option<Limit>,
}

/// What most services have.
const USUAL: Service =
    Service { code: "", version: "", hosts: Hosts::Regional(&[]), places: place::QUERY, slow: &[], limit: None };

/// Regions whose VPCs and load balancers have the central host.
const CENTRAL: &[&str] = &[
    "ap-southeast-1",
    "cn-beijing",
    "cn-beijing-gov-1",
    "cn-hangzhou",
    "cn-hangzhou-finance",
    "cn-hongkong",
    "cn-north-2-gov-1",
    "cn-qingdao",
    "cn-shanghai",
    "cn-shanghai-finance-1",
    "cn-shenzhen",
    "cn-shenzhen-finance-1",
    "us-east-1",
    "us-west-1",
];

const SERVICES: [Service; 9] = [
    Service {
        code: "alidns",
        version: "2015-01-09",
        hosts: Hosts::Central("alidns.aliyuncs.com"),
        // As the existing extension does with DNS records.
        limit: Some(Limit { rate: Rate { burst: 1, per_second: 25 }, wait: Duration::from_secs(2) }),
        ..USUAL
    },
    Service {
        code: "ecs",
        version: "2014-05-26",
        hosts: Hosts::Regional(&[
            ("ecs-cn-hangzhou.aliyuncs.com", &["cn-hangzhou", "cn-shanghai-finance-1", "cn-shenzhen-finance-1"]),
            ("ecs.aliyuncs.com", &["cn-beijing-gov-1", "cn-hangzhou-finance", "cn-north-2-gov-1"]),
        ]),
        slow: &[
            ("AllocatePublicIpAddress", 36),
            ("AuthorizeSecurityGroup", 16),
            ("AuthorizeSecurityGroupEgress", 16),
            ("CreateSecurityGroup", 86),
            ("DeleteInstance", 66),
            ("DeleteSecurityGroup", 87),
            ("DescribeImages", 38),
            ("DescribeInstanceTypes", 17),
            ("DescribeSecurityGroupAttribute", 133),
            ("DescribeSecurityGroups", 25),
            ("RevokeSecurityGroup", 16),
            ("RevokeSecurityGroupEgress", 16),
            ("RunInstances", 86),
        ],
        ..USUAL
    },
    Service { code: "nlb", version: "2022-04-30", places: place::NLB, ..USUAL },
    Service { code: "ram", version: "2015-05-01", hosts: Hosts::Central("ram.aliyuncs.com"), ..USUAL },
    Service {
        code: "resourcemanager",
        version: "2020-03-31",
        hosts: Hosts::Central("resourcemanager.aliyuncs.com"),
        ..USUAL
    },
    Service {
        code: "ros",
        version: "2019-09-10",
        hosts: Hosts::Central("ros.aliyuncs.com"),
        places: place::ROS,
        ..USUAL
    },
    Service {
        code: "slb",
        version: "2014-05-15",
        hosts: Hosts::Regional(&[("slb.aliyuncs.com", CENTRAL)]),
        ..USUAL
    },
    Service {
        code: "sts",
        version: "2015-04-01",
        // A run in no region, such as that of a DNSRecord, asks the central host whose the credentials are.
        hosts: Hosts::Regional(&[("sts.aliyuncs.com", &["", "ap-south-1", "ap-southeast-2", "cn-beijing-gov-1"])]),
        ..USUAL
    },
    Service {
        code: "vpc",
        version: "2016-04-28",
        hosts: Hosts::Regional(&[("vpc.aliyuncs.com", CENTRAL)]),
        ..USUAL
    },
];

impl Service {
    /// The service of that name.
    pub(super) fn find(code: &str) -> Option<&'static Self> {
        SERVICES.iter().find(|service| service.code == code)
    }

    /// The names of all services, for people.
    pub(super) fn codes() -> String {
        SERVICES.map(|service| service.code).join(", ")
    }

    /// The host for a region.
    pub(super) fn host(&self, region: &str) -> Result<String, NoLabel> {
        let others = match self.hosts {
            Hosts::Central(host) => return Ok(host.to_owned()),
            Hosts::Regional(others) => others,
        };
        match others.iter().find(|(_, regions)| regions.contains(&region)) {
            Some((host, _)) => Ok((*host).to_owned()),
            None => Ok(format!("{}.{}.aliyuncs.com", self.code, label(region)?)),
        }
    }

    /// How long the answer to an action may take.
    pub(super) fn patience(&self, action: &str) -> Duration {
        let slow = self.slow.iter().find(|(name, _)| *name == action);
        slow.map_or(PATIENCE, |(_, seconds)| Duration::from_secs(*seconds))
    }
}

/// A text that cannot be a part of the name of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be part of the name of a host, as regions and buckets are: it must be of lower-case letters, digits and `-`"
)]
pub(super) struct NoLabel(pub(super) String);

/// Checks a part of the name of a host, so that no signed request goes to another host.
pub(super) fn label(text: &str) -> Result<&str, NoLabel> {
    let fits = (1..=63).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if fits { Ok(text) } else { Err(NoLabel(text.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_those_of_the_sdks() {
        for (service, region, host) in [
            ("ecs", "eu-central-1", "ecs.eu-central-1.aliyuncs.com"),
            ("ecs", "cn-shanghai", "ecs.cn-shanghai.aliyuncs.com"),
            ("ecs", "cn-hangzhou", "ecs-cn-hangzhou.aliyuncs.com"),
            ("ecs", "cn-hangzhou-finance", "ecs.aliyuncs.com"),
            ("vpc", "eu-central-1", "vpc.eu-central-1.aliyuncs.com"),
            ("vpc", "cn-shanghai", "vpc.aliyuncs.com"),
            ("vpc", "cn-zhangjiakou", "vpc.cn-zhangjiakou.aliyuncs.com"),
            ("slb", "us-west-1", "slb.aliyuncs.com"),
            ("nlb", "cn-shanghai", "nlb.cn-shanghai.aliyuncs.com"),
            ("sts", "cn-shanghai", "sts.cn-shanghai.aliyuncs.com"),
            ("sts", "ap-south-1", "sts.aliyuncs.com"),
            ("resourcemanager", "cn-shanghai", "resourcemanager.aliyuncs.com"),
            ("ros", "eu-central-1", "ros.aliyuncs.com"),
        ] {
            let found = Service::find(service).unwrap().host(region);
            assert_eq!(found.as_deref(), Ok(host), "{service} {region}");
        }
    }

    #[test]
    fn no_region_leads_elsewhere() {
        let vpc = Service::find("vpc").unwrap();
        for region in ["", "evil.example/", "me@evil.example", "a:80", "a b", "A", "ü"] {
            assert_eq!(vpc.host(region), Err(NoLabel(region.to_owned())));
        }
        assert!(Service::find("ros").unwrap().host("").is_ok());
    }

    #[test]
    fn what_takes_long_has_time() {
        let ecs = Service::find("ecs").unwrap();
        assert_eq!(ecs.patience("DescribeSecurityGroupAttribute"), Duration::from_secs(133));
        assert_eq!(ecs.patience("DescribeRegions"), PATIENCE);
    }
}
