//! Places in a document: as the existing extensions print a place, and as an RFC 6901 pointer.

use std::fmt::Write as _;

/// A place. Code that walks a document builds it on the stack; only its texts allocate memory.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    segment: Segment<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Segment<'p> {
    Root {
        field: &'p str,
        pointer: &'p str,
    },
    Key(&'p str),
    /// A key of a map, whose keys are data.
    Entry(&'p str),
    Index(usize),
    /// A part of the pointer that the printed field leaves out.
    Hidden(&'p str),
    /// A member that is printed by another name.
    Renamed {
        key: &'p str,
        printed: &'p str,
    },
}

impl<'p> Path<'p> {
    /// The place that `pointer` leads to, and that is printed as `field`.
    pub const fn root(field: &'p str, pointer: &'p str) -> Self {
        Self { parent: None, segment: Segment::Root { field, pointer } }
    }

    /// A member of the object at this place. Hundreds of places are built, and a call is smaller than a copy of
    /// the code.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub const fn key<'c>(&'c self, key: &'c str) -> Path<'c>
    where
        'p: 'c,
    {
        Path { parent: Some(self), segment: Segment::Key(key) }
    }

    /// An entry of the map at this place: `secret.data[accessKeyID]`.
    pub const fn entry<'c>(&'c self, key: &'c str) -> Path<'c>
    where
        'p: 'c,
    {
        Path { parent: Some(self), segment: Segment::Entry(key) }
    }

    /// An entry of the list at this place.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub const fn index<'c>(&'c self, index: usize) -> Path<'c>
    where
        'p: 'c,
    {
        Path { parent: Some(self), segment: Segment::Index(index) }
    }

    /// A member that pointers lead to, and that the printed field leaves out.
    pub const fn hidden<'c>(&'c self, key: &'c str) -> Path<'c>
    where
        'p: 'c,
    {
        Path { parent: Some(self), segment: Segment::Hidden(key) }
    }

    /// A member of the object at this place that field errors print by another name.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub const fn renamed<'c>(&'c self, key: &'c str, printed: &'c str) -> Path<'c>
    where
        'p: 'c,
    {
        Path { parent: Some(self), segment: Segment::Renamed { key, printed } }
    }

    /// The place as field errors print it: `networks.zones[0].workers`.
    pub fn field(&self) -> String {
        let mut text = String::with_capacity(64);
        self.write_field(&mut text);
        text
    }

    /// The place as an RFC 6901 pointer into the document.
    pub fn pointer(&self) -> String {
        let mut text = String::with_capacity(96);
        self.write_pointer(&mut text);
        text
    }

    fn write_field(&self, text: &mut String) {
        if let Some(parent) = self.parent {
            parent.write_field(text);
        }
        match self.segment {
            Segment::Root { field, .. } => text.push_str(field),
            Segment::Key(key) | Segment::Renamed { printed: key, .. } => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(key);
            }
            Segment::Entry(key) => {
                text.push('[');
                text.push_str(key);
                text.push(']');
            }
            Segment::Index(index) => drop(write!(text, "[{index}]")),
            Segment::Hidden(_) => {}
        }
    }

    fn write_pointer(&self, text: &mut String) {
        if let Some(parent) = self.parent {
            parent.write_pointer(text);
        }
        match self.segment {
            Segment::Root { pointer, .. } => text.push_str(pointer),
            Segment::Key(key) | Segment::Entry(key) | Segment::Hidden(key) | Segment::Renamed { key, .. } => {
                push_segment(text, key);
            }
            Segment::Index(index) => drop(write!(text, "/{index}")),
        }
    }
}

/// Adds a key to an RFC 6901 pointer.
pub fn push_segment(text: &mut String, key: &str) {
    text.push('/');
    for char in key.chars() {
        match char {
            '~' => text.push_str("~0"),
            '/' => text.push_str("~1"),
            other => text.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_and_pointer_name_the_same_place() {
        let root = Path::root("networks", "/spec/provider/infrastructureConfig/networks");
        let zones = root.key("zones");
        let zone = zones.index(3);
        let place = zone.key("a/b~c");
        assert_eq!(place.field(), "networks.zones[3].a/b~c");
        assert_eq!(place.pointer(), "/spec/provider/infrastructureConfig/networks/zones/3/a~1b~0c");
        let secret = Path::root("secret.data", "/data");
        let entry = secret.entry("accessKeyID");
        assert_eq!(
            (entry.field().as_str(), entry.pointer().as_str()),
            ("secret.data[accessKeyID]", "/data/accessKeyID")
        );
        let labels = zone.key("labels");
        let entry = labels.entry("example.org/a~b");
        assert_eq!(entry.field(), "networks.zones[3].labels[example.org/a~b]");
        assert_eq!(
            entry.pointer(),
            "/spec/provider/infrastructureConfig/networks/zones/3/labels/example.org~1a~0b"
        );
        let renamed = zone.renamed("nodeFSAvailable", "nodefsAvailable");
        assert_eq!(renamed.field(), "networks.zones[3].nodefsAvailable");
        assert_eq!(renamed.pointer(), "/spec/provider/infrastructureConfig/networks/zones/3/nodeFSAvailable");
        let hidden = zone.hidden("name");
        assert_eq!(hidden.field(), "networks.zones[3]");
        assert_eq!(hidden.pointer(), "/spec/provider/infrastructureConfig/networks/zones/3/name");
    }
}
