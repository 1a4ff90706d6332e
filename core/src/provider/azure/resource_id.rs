//! Resource ids of Azure, as Azure's own library for Go reads them.

use std::borrow::Cow;

/// Why a text is no resource id, in the words of that library.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResourceIdError {
    /// There is no text.
    #[error("invalid resource ID: id cannot be empty")]
    Empty,
    /// The text begins in another way.
    #[error("invalid resource ID: resource id '{0}' must start with '/'")]
    Slash(String),
    /// A part is missing, or stands at a place where it cannot.
    #[error("invalid resource ID: {0}")]
    Form(String),
}

/// The parts of a resource id that rules look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceId<'t> {
    /// The subscription; empty where the id names none.
    pub subscription: &'t str,
    /// The resource group; empty where the id names none.
    pub resource_group: &'t str,
    /// Name of the resource; empty where the id ends with a type.
    pub name: &'t str,
    /// Namespace of the resource's type.
    namespace: &'t str,
    /// The type without its namespace, with the types that the resource is inside of: `virtualNetworks/subnets`.
    pub resource_type: Cow<'t, str>,
}

const RESOURCES: &str = "Microsoft.Resources";
const TENANTS: &str = "tenants";
const SUBSCRIPTIONS: &str = "subscriptions";
const RESOURCE_GROUPS: &str = "resourceGroups";
const PROVIDERS: &str = "providers";

impl<'t> ResourceId<'t> {
    /// Reads a resource id.
    pub fn parse(text: &'t str) -> Result<Self, ResourceIdError> {
        if text.is_empty() {
            return Err(ResourceIdError::Empty);
        }
        if !text.starts_with('/') {
            return Err(ResourceIdError::Slash(text.to_owned()));
        }
        let parts: Vec<&'t str> = text.split('/').filter(|part| !part.is_empty()).collect();
        Self::of(&parts).ok_or_else(|| ResourceIdError::Form(text.to_owned()))
    }

    fn of(parts: &[&'t str]) -> Option<Self> {
        if !matches!(parts, [first, _, ..] if is(first, SUBSCRIPTIONS) || is(first, PROVIDERS)) {
            return None;
        }
        let mut id = Self {
            subscription: "",
            resource_group: "",
            name: "",
            namespace: RESOURCES,
            resource_type: Cow::Borrowed(TENANTS),
        };
        let mut left = parts;
        loop {
            left = match *left {
                [] => return Some(id),
                [last] => {
                    let is_whole =
                        !is(last, SUBSCRIPTIONS) && !is(last, RESOURCE_GROUPS) && !id.is_of(RESOURCE_GROUPS);
                    return is_whole.then(|| id.child(last, ""));
                }
                [key, namespace, ref rest @ ..]
                    if is(key, PROVIDERS) && rest.first().is_none_or(|next| is(next, PROVIDERS)) =>
                {
                    if !id.is_of(SUBSCRIPTIONS) && !id.is_of(TENANTS) {
                        return None;
                    }
                    id = id.typed(RESOURCES, Cow::Borrowed(PROVIDERS), namespace);
                    rest
                }
                [key, namespace, resource_type, name, ref rest @ ..] if is(key, PROVIDERS) => {
                    id = id.typed(namespace, Cow::Borrowed(resource_type), name);
                    rest
                }
                [key, name, ref rest @ ..] if !is(key, PROVIDERS) => {
                    id = id.child(key, name);
                    rest
                }
                _ => return None,
            };
        }
    }

    /// Whether the type is one of Azure's own.
    fn is_of(&self, resource_type: &str) -> bool {
        self.namespace == RESOURCES && self.resource_type == resource_type
    }

    /// A resource inside of this one.
    fn child(self, key: &'t str, name: &'t str) -> Self {
        let resource_type = if is(key, RESOURCE_GROUPS) && self.is_of(SUBSCRIPTIONS) {
            Cow::Borrowed(RESOURCE_GROUPS)
        } else if is(key, SUBSCRIPTIONS) && self.is_of(TENANTS) {
            Cow::Borrowed(SUBSCRIPTIONS)
        } else {
            Cow::Owned(format!("{}/{key}", self.resource_type))
        };
        let namespace = self.namespace;
        self.typed(namespace, resource_type, name)
    }

    /// A resource of a type, in the subscription and the resource group of this one.
    fn typed(self, namespace: &'t str, resource_type: Cow<'t, str>, name: &'t str) -> Self {
        let mut id = Self { name, namespace, resource_type, ..self };
        if id.is_of(SUBSCRIPTIONS) {
            id.subscription = name;
        }
        if id.is_of(RESOURCE_GROUPS) {
            id.resource_group = name;
        }
        id
    }
}

fn is(part: &str, key: &str) -> bool {
    part.eq_ignore_ascii_case(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_a_subscription_a_group_a_type_and_a_name() {
        for (text, expected) in [
            ("/subscriptions/s", ["s", "", "subscriptions", "s"]),
            ("/Subscriptions/s/resourcegroups/g", ["s", "g", "resourceGroups", "g"]),
            ("/subscriptions/s/x/y", ["s", "", "subscriptions/x", "y"]),
            ("/subscriptions/s/x", ["s", "", "subscriptions/x", ""]),
            ("/subscriptions/s/providers/Microsoft.Compute", ["s", "", "providers", "Microsoft.Compute"]),
            (
                "//subscriptions/s/resourceGroups/g/providers/N/ddosProtectionPlans/p/",
                ["s", "g", "ddosProtectionPlans", "p"],
            ),
            (
                "/subscriptions/s/resourceGroups/g/providers/N/virtualNetworks/v/subnets/n",
                ["s", "g", "virtualNetworks/subnets", "n"],
            ),
            ("/providers/N/images/i", ["", "", "images", "i"]),
            ("/providers/A", ["", "", "providers", "A"]),
        ] {
            let id = ResourceId::parse(text).unwrap();
            let found = [id.subscription, id.resource_group, &id.resource_type, id.name];
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn words_are_those_of_the_library() {
        for (text, words) in [
            ("", "invalid resource ID: id cannot be empty"),
            ("x", "invalid resource ID: resource id 'x' must start with '/'"),
            ("/", "invalid resource ID: /"),
            ("/subscriptions", "invalid resource ID: /subscriptions"),
            ("/foo/bar", "invalid resource ID: /foo/bar"),
            ("/subscriptions/s/resourceGroups", "invalid resource ID: /subscriptions/s/resourceGroups"),
            ("/providers/A/providers/B", "invalid resource ID: /providers/A/providers/B"),
            ("/subscriptions/s/resourceGroups/g/x", "invalid resource ID: /subscriptions/s/resourceGroups/g/x"),
            ("/subscriptions/s/providers/N/t", "invalid resource ID: /subscriptions/s/providers/N/t"),
            (
                "/subscriptions/s/resourceGroups/g/providers/N",
                "invalid resource ID: /subscriptions/s/resourceGroups/g/providers/N",
            ),
        ] {
            assert_eq!(ResourceId::parse(text).unwrap_err().to_string(), words, "{text}");
        }
    }
}
