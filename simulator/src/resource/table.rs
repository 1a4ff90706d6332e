//! The resources of one kind.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Phase;

/// A resource of some kind.
pub trait Resource {
    /// Its identifier.
    fn id(&self) -> &str;

    /// Its phase, if its kind has states.
    fn phase(&self) -> Option<&Phase> {
        None
    }

    /// Its phase, to be changed.
    fn phase_mut(&mut self) -> Option<&mut Phase> {
        None
    }

    /// Makes the further changes that come with the end of a transition.
    fn transition_ended(&mut self) {}
}

/// Makes a struct with a field `phase` a resource, which another field identifies.
macro_rules! resource {
    ($type:ty, $id:ident) => {
        impl $crate::resource::Resource for $type {
            fn id(&self) -> &str {
                &self.$id
            }

            fn phase(&self) -> Option<&$crate::resource::Phase> {
                Some(&self.phase)
            }

            fn phase_mut(&mut self) -> Option<&mut $crate::resource::Phase> {
                Some(&mut self.phase)
            }
        }
    };
}
pub(crate) use resource;

/// The transitions of some resources.
pub trait Transitions {
    /// When the next transition is over.
    fn due(&self) -> Option<Timestamp>;

    /// Ends the transitions that are over.
    fn end_transitions(&mut self, at: Timestamp);
}

/// The resources of one kind, in the order of their creation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Table<T>(Vec<T>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Table<T> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Changes each of them.
    pub fn each(&mut self, change: impl FnMut(&mut T)) {
        self.0.iter_mut().for_each(change);
    }

    /// Adds one.
    pub fn insert(&mut self, resource: T) {
        self.0.push(resource);
    }

    /// Keeps some, and removes all others.
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }
}

impl<T: Resource> Table<T> {
    /// The one with this identifier.
    pub fn get(&self, id: &str) -> Option<&T> {
        self.0.iter().find(|resource| resource.id() == id)
    }

    /// The one with this identifier, to be changed.
    pub fn get_mut(&mut self, id: &str) -> Option<&mut T> {
        self.0.iter_mut().find(|resource| resource.id() == id)
    }

    /// Removes the one with this identifier.
    pub fn remove(&mut self, id: &str) -> Option<T> {
        let position = self.0.iter().position(|resource| resource.id() == id)?;
        Some(self.0.remove(position))
    }

    /// When the next transition is over.
    pub fn due(&self) -> Option<Timestamp> {
        self.0.iter().filter_map(|resource| resource.phase()?.due()).min()
    }

    /// Ends the transitions that are over, and returns the resources that are gone by that.
    pub fn end_transitions(&mut self, at: Timestamp) -> Vec<T> {
        let gone =
            self.0.extract_if(.., |resource| match resource.phase_mut().map(|phase| phase.end_transition(at)) {
                Some(None) => true,
                Some(Some(true)) => {
                    resource.transition_ended();
                    false
                }
                Some(Some(false)) | None => false,
            });
        gone.collect()
    }
}

impl<'a, T> IntoIterator for &'a Table<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
