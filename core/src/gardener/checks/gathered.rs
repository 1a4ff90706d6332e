//! One warning about a cause that shows at many places.

use crate::collections::NameSet;
use crate::document::Path;
use crate::report::{Report, Rule};
use crate::text::join;

/// The most names in a warning.
const MOST: usize = 10;

/// The names that a rule warns of, and where they stand.
#[derive(Debug)]
pub struct Gathered<'v> {
    rule: &'static Rule,
    say: Say,
    names: NameSet<'v>,
    /// How the first place is printed, and its pointer.
    first: Option<[String; 2]>,
    places: usize,
}

/// Says what is wrong with names, of which there is one or there are several.
pub type Say = fn(names: &str, is_one: bool) -> String;

impl<'v> Gathered<'v> {
    /// No names yet.
    pub const fn new(rule: &'static Rule, say: Say) -> Self {
        Self { rule, say, names: NameSet::new(), first: None, places: 0 }
    }

    /// Adds a name at a place.
    pub fn add(&mut self, name: &'v str, path: &Path<'_>) {
        self.names.insert(name);
        self.first.get_or_insert_with(|| [path.field(), path.pointer()]);
        self.places += 1;
    }

    /// Warns of all names at the first place.
    pub fn report(self, report: &mut Report<'_>) {
        let Some([field, pointer]) = &self.first else { return };
        let count = self.names.len();
        let first_ones: Vec<&str> = self.names.iter().take(MOST).collect();
        let more = if count > MOST { format!(" and {} more", count - MOST) } else { String::new() };
        let names = join(&first_ones, ", ") + &more;
        let places = if self.places > count { format!(" ({} places)", self.places) } else { String::new() };
        let detail = (self.say)(&names, count == 1) + &places;
        report.warn(self.rule, &Path::root(field, pointer), detail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Value;
    use crate::report::Operation;

    static RULE: Rule = Rule::warning("T-001", &["CloudProfile"], Operation::Both);

    #[test]
    fn one_warning_names_ten_and_counts_all() {
        let say: Say = |names, is_one| format!("{names} {}", if is_one { "is wrong" } else { "are wrong" });
        let many: Vec<String> = (10..22).map(|number| format!("r{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).chain(["r10"]).collect();
        for (names, detail) in [
            (vec![], None),
            (vec!["a"], Some("a is wrong")),
            (vec!["a", "a"], Some("a is wrong (2 places)")),
            (vec!["a", "b"], Some("a, b are wrong")),
            (many, Some("r10, r11, r12, r13, r14, r15, r16, r17, r18, r19 and 2 more are wrong (13 places)")),
        ] {
            let object = Value::Null;
            let mut report = Report::new(&object);
            let mut gathered = Gathered::new(&RULE, say);
            for (index, name) in names.iter().enumerate() {
                gathered.add(name, &Path::root("regions", "/regions").index(index));
            }
            gathered.report(&mut report);
            let (findings, _) = report.into_parts();
            assert_eq!(findings.iter().map(|one| one.detail.as_str()).collect::<Vec<_>>(), Vec::from_iter(detail));
            assert!(findings.iter().all(|one| one.pointer == "/regions/0" && one.field == "regions[0]"));
        }
    }
}
