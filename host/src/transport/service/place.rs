//! Where the parameters of a call go: into the query, or into the form that is the body.
//!
//! Source: the clients of Alibaba Cloud's current SDKs, all actions of them. What the cloud does with a parameter that is
//! elsewhere is not documented.

/// A place of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::transport) enum Place {
    /// In the query.
    Query,
    /// In the body, as a form.
    Form,
}

/// Where a service takes parameters.
#[derive(Clone, Copy, Debug)]
pub(in crate::transport) struct Places {
    usual: Place,
    /// Actions that take some parameters at the other place; all where none is named.
    others: &'static [(&'static str, &'static [&'static str])],
}

/// Everything in the query.
pub(super) const QUERY: Places = Places { usual: Place::Query, others: &[] };

/// Network load balancers: everything in the form, save for most of what only reads.
pub(super) const NLB: Places = Places {
    usual: Place::Form,
    others: &[
        ("DescribeHdMonitorRegionConfig", &[]),
        ("DescribeRegions", &["AcceptLanguage", "ServiceCode"]),
        ("DescribeZones", &[]),
        ("GetJobStatus", &[]),
        ("GetListenerAttribute", &[]),
        ("GetListenerHealthStatus", &[]),
        ("GetLoadBalancerAttribute", &[]),
        ("ListAsynJobs", &[]),
        ("ListListeners", &[]),
        ("ListLoadBalancers", &[]),
        ("ListSecurityPolicy", &["Tag"]),
        ("ListServerGroups", &["Tag"]),
        ("SetHdMonitorRegionConfig", &[]),
    ],
};

/// Resource orchestration: templates, which may be long, in the form.
pub(super) const ROS: Places = Places {
    usual: Place::Query,
    others: &[
        ("CreateAITask", &["Template"]),
        ("CreateChangeSet", TEMPLATE),
        ("CreateStack", TEMPLATE),
        ("CreateStackGroup", TEMPLATE),
        ("CreateTemplate", TEMPLATE),
        ("GetServiceProvisions", TEMPLATE),
        ("GetTemplateEstimateCost", TEMPLATE),
        ("GetTemplateParameterConstraints", TEMPLATE),
        ("ListStackOperationRisks", TEMPLATE),
        ("PreviewStack", TEMPLATE),
        ("RegisterResourceType", TEMPLATE),
        ("UpdateStack", TEMPLATE),
        ("UpdateStackGroup", TEMPLATE),
        ("UpdateTemplate", TEMPLATE),
        ("ValidateTemplate", TEMPLATE),
    ],
};
const TEMPLATE: &[&str] = &["TemplateBody"];

impl Places {
    /// Where an action takes a parameter, told by its name on the wire such as `Tag.1.Key`.
    pub(in crate::transport) fn of(&self, action: &str, name: &str) -> Place {
        let parameter = name.split('.').next().unwrap_or_default();
        let is_other = |(known, names): &(&str, &[&str])| {
            *known == action && (names.is_empty() || names.contains(&parameter))
        };
        match (self.usual, self.others.iter().any(is_other)) {
            (Place::Query, false) | (Place::Form, true) => Place::Query,
            (Place::Query, true) | (Place::Form, false) => Place::Form,
        }
    }
}
