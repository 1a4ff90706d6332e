//! What a provider declares of a resource.

use crate::policy::Step;

/// A kind of resource.
#[derive(Debug, PartialEq, Eq)]
pub struct ResourceKind {
    /// What people call it, such as `NAT gateway`.
    pub name: &'static str,
    /// Whether the cloud charges for it by the hour, as long as it exists.
    pub billed: bool,
    /// Whether it only binds two other resources to each other: a plan associates it rather than creates it.
    pub association: bool,
}

/// A resource that is wanted, or found, or both.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct Resource {
    /// Names the resource in the plan, such as `zones/cn-shanghai-b/eip`. It is the same in every plan.
    pub id: String,
    /// What it is.
    pub kind: &'static ResourceKind,
    /// Its name in the cloud.
    pub name: String,
    /// Whether it has to exist. The plan deletes one that is found and not wanted, unless it is foreign.
    pub wanted: bool,
    /// Its id in the cloud, where the resource is found.
    pub found: Option<String>,
    /// The key of the state that holds its id in the cloud; absent where nobody records that id. A resource whose
    /// creation has a token needs a key: the token contains the id that the state had before.
    pub key: Option<String>,
    /// Whether somebody else owns it: the plan never creates, updates or deletes it.
    pub foreign: bool,
    /// Whether the resource is found without the marks that make it ours. The updates of its attributes add the
    /// marks.
    pub unmarked: bool,
    /// Ids of the resources that this one needs. They have to exist before it is created or updated; where the
    /// plan deletes one of them, this one waits until that is done. Where the plan replaces one of them, it
    /// replaces this one too.
    pub needs: Vec<String>,
    /// Ids of the resources that this one uses at present. The plan deletes them only after it has deleted or
    /// updated this one. Where the plan replaces one of them, it replaces this one too.
    pub uses: Vec<String>,
    /// Id of the resource that contains this one. Where the plan deletes or replaces that resource, this one goes
    /// with it and needs no steps of its own, unless something that this one uses has to be deleted before.
    pub within: Option<String>,
    /// The parts of the resource that the plan compares.
    pub attributes: Vec<Attribute>,
    /// The steps that create the resource, one after the other; the first records its id. They refer to other
    /// resources by the keys of these, as the plan may replace those resources. The planner fills in tokens that
    /// are empty. A step that creates without a token says how to look again.
    pub create: Vec<Step>,
    /// The steps that delete the resource, one after the other.
    pub delete: Vec<Step>,
    /// Whether the steps that delete the resource do only a part of the deletion, such as to empty a page of a bucket:
    /// the resource exists after them, and the host asks for another plan. Nothing that the resource uses goes in the
    /// same plan.
    pub is_partial: bool,
    /// Further keys that leave the state when the resource is deleted. Where `key` is among them, `key` leaves the
    /// state too; otherwise the state says under `key` that the resource was deleted. The provider puts the
    /// values of these keys into the state that it hands to the planner.
    pub keys: Vec<String>,
    /// What stops working while the plan deletes or replaces the resource, in a sentence.
    pub disruption: Option<String>,
    /// Why the plan must not delete the resource; absent where the plan may. The planner makes no plan that would.
    pub protected: Option<String>,
}

/// A part of a resource that the plan compares.
#[derive(Debug)]
pub struct Attribute {
    /// Its name, such as `bandwidth`.
    pub name: &'static str,
    /// The wanted value, in a canonical form; `None` where any value will do.
    pub wanted: Option<String>,
    /// The value that is found; `None` where there is none.
    pub found: Option<String>,
    /// What the planner does where the two differ.
    pub difference: Difference,
}

/// What the planner does where the found value of an attribute is not the wanted one.
#[derive(Debug)]
pub enum Difference {
    /// The planner updates the attribute by these steps, one after the other; with them a sentence on what
    /// stops working meanwhile, if anything does.
    Update(Vec<Step>, Option<String>),
    /// The planner replaces the resource.
    Replace,
    /// The planner makes no plan; what the person has to do.
    Refuse(String),
    /// The planner leaves the attribute as it is, and reports the difference.
    Report,
}

/// What keeps the planner from making a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Id of the resource in the plan.
    pub id: String,
    /// What is wrong with it.
    pub cause: Cause,
    /// What the person has to know, or to do.
    pub remedy: String,
}

/// What is wrong with a resource, so that there can be no plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Somebody else owns the resource, it is wanted, and it is not found.
    Missing,
    /// Somebody else owns the resource, and the plan would delete it with its container.
    GoesWithContainer,
    /// The plan would delete or replace the resource, and it is protected.
    Protected,
    /// This attribute differs and may not.
    Attribute(&'static str),
}

impl Resource {
    /// A resource that is neither wanted nor found, to be filled in.
    pub fn new(id: &str, kind: &'static ResourceKind, name: &str) -> Self {
        Self {
            id: id.to_owned(),
            kind,
            name: name.to_owned(),
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
            is_partial: false,
            keys: Vec::new(),
            disruption: None,
            protected: None,
        }
    }

    /// Attributes of a resource that is wanted and found whose values are not the wanted ones.
    pub(super) fn differences(&self) -> impl Iterator<Item = &Attribute> {
        self.attributes.iter().filter(|attribute| self.is_different(attribute))
    }

    /// Whether this resource is wanted and found, and the value of an attribute is not the wanted one.
    pub(super) fn is_different(&self, attribute: &Attribute) -> bool {
        self.wanted && self.found.is_some() && attribute.differs()
    }
}

impl Attribute {
    /// Whether its value is not the wanted one.
    pub(super) fn differs(&self) -> bool {
        self.wanted.is_some() && self.wanted != self.found
    }
}
