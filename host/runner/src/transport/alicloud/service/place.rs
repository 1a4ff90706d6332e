//! The place of the parameters of a call: the query, or the form that is the body.
//!
//! Source: all actions of the clients in Alibaba Cloud's current SDKs. The cloud does not document what it does
//! with a parameter at the other place.

/// The place of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::transport) enum Place {
    /// The query.
    Query,
    /// The body, which is a form.
    Form,
}

/// Where a service takes parameters.
#[derive(Clone, Copy, Debug)]
pub(in crate::transport) struct Places {
    usual: Place,
    /// Actions that take parameters at the other place: those that are named, or all where none is named.
    others: &'static [(&'static str, &'static [&'static str])],
}

/// A service that takes every parameter in the query.
pub(super) const QUERY: Places = Places { usual: Place::Query, others: &[] };

/// Network load balancers take parameters in the form; most actions that only read take them in the query.
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

/// Resource orchestration takes templates, which may be long, in the form.
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
    /// The place where an action takes a parameter. The name is that on the wire, such as `Tag.1.Key`.
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
