//! What a provider declares of a resource.

use crate::policy::Step;

/// A kind of resource.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// What people call it, such as `NAT gateway`.
    pub name: &'static str,
    /// Whether it is charged by the hour, as long as it is there.
    pub billed: bool,
    /// Whether it binds two other resources and is nothing by itself: making it is to associate.
    pub association: bool,
}

/// A resource that is wanted, or found, or both.
#[derive(Debug)]
pub struct Resource {
    /// Names it, such as `zones/cn-shanghai-b/eip`. Two runs that mean the same resource have the same id.
    pub id: String,
    /// What it is.
    pub kind: &'static Kind,
    /// Its name in the cloud.
    pub name: String,
    /// Whether it has to be there. One that is found and not wanted goes, unless it is foreign.
    pub wanted: bool,
    /// Its id in the cloud, where it is there.
    pub found: Option<String>,
    /// Key of the state that holds its id; absent for one whose id nobody records. One whose making has a token needs a
    /// key: what was there before is told from what comes after by it.
    pub key: Option<String>,
    /// Whether somebody else made it: it is never made, mended or removed.
    pub foreign: bool,
    /// Whether it is found without the marks that make it ours, which its attributes mend.
    pub unmarked: bool,
    /// Ids of the resources that have to be there before it is made or mended; of those that go, it waits until they
    /// are gone. It is replaced when one of them is.
    pub needs: Vec<String>,
    /// Ids of the resources that the found one stands on at present; they go only when it is gone, or mended. It is
    /// replaced when one of them is.
    pub uses: Vec<String>,
    /// Id of the resource that it goes with: where that one is removed or replaced, this one needs no steps to go, unless
    /// something that it uses has to go before.
    pub within: Option<String>,
    /// What of it is compared.
    pub attributes: Vec<Attribute>,
    /// What makes it, one step after the other; the first records its id. Other resources are referred to by their keys,
    /// as they may be replaced. A token that is empty is filled in.
    pub create: Vec<Step>,
    /// What removes it, one step after the other.
    pub delete: Vec<Step>,
    /// Further keys of the state that go when it goes; `key` too, if it is among them, rather than to say that the resource
    /// was deleted. What they have while it is there, the provider puts into the state that it plans from.
    pub keys: Vec<String>,
    /// What stops working while it is removed or replaced.
    pub disruption: Option<String>,
    /// Why it may not be removed, where it may not: a plan that would is refused.
    pub protected: Option<String>,
}

/// What of a resource is compared.
#[derive(Debug)]
pub struct Attribute {
    /// Its name, such as `bandwidth`.
    pub name: &'static str,
    /// As it should be, in a canonical form; `None` where only the cloud will tell, which differs from nothing.
    pub wanted: Option<String>,
    /// As it is; `None` where it has none.
    pub found: Option<String>,
    /// What a difference means.
    pub difference: Difference,
}

/// What it means that an attribute is not as it should be.
#[derive(Debug)]
pub enum Difference {
    /// The steps mend it, one after the other; what stops working meanwhile, if anything does.
    Mend(Vec<Step>, Option<String>),
    /// Another resource has to come in its place.
    Replace,
    /// There can be no plan; what the person has to do.
    Refuse(String),
    /// It is told, and left as it is.
    Report,
}

/// Why there can be no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Id of the resource.
    pub id: String,
    /// The attribute that differs; absent where the resource may not be removed.
    pub attribute: Option<&'static str>,
    /// What the person has to do.
    pub remedy: String,
}

impl Resource {
    /// A resource that is neither wanted nor found, to be filled in.
    pub fn new(id: impl Into<String>, kind: &'static Kind, name: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            kind,
            name: name.into(),
            wanted: false,
            found: None,
            key: None,
            foreign: false,
            unmarked: false,
            needs: Vec::new(),
            uses: Vec::new(),
            within: None,
            attributes: Vec::new(),
            create: Vec::new(),
            delete: Vec::new(),
            keys: Vec::new(),
            disruption: None,
            protected: None,
        }
    }
}
