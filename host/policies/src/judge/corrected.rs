//! Objects without the mistakes that rules know how to correct.

use serde_json::Value;

use super::{Case, Ruling, worlds};
use crate::manifest::Document;
use crate::source::read_own;

impl<'m> Case<'m> {
    /// The object with what its findings assume where policies cannot read it, such as a key that is misspelt;
    /// none where they assume nothing. Its places are none of the text.
    pub fn corrected(&self, ruling: &Ruling) -> Option<Document> {
        let mut object: Option<Value> = None;
        for placed in ruling.findings.iter().filter(|placed| !placed.instead.is_empty()) {
            let mut changed = match &object {
                Some(object) => object.clone(),
                None => serde_json::from_str(self.document.json()).ok()?,
            };
            if worlds::patch(&mut changed, &placed.instead).is_some() {
                object = Some(changed);
            }
        }
        let roots = read_own(&object?.to_string());
        Document::all_of(&self.document.input, roots).ok()?.into_iter().next()
    }

    /// The case with an object in the place of one that it refers to.
    #[must_use]
    pub fn with(mut self, referred: &Document, instead: &'m Document) -> Self {
        for (_, object) in self.context.iter_mut().filter(|(_, object)| std::ptr::eq(*object, referred)) {
            *object = instead;
        }
        self
    }

    /// The case as if nobody knew an object that it refers to.
    #[must_use]
    pub fn without(mut self, referred: &'m Document) -> Self {
        self.context.retain(|(_, object)| !std::ptr::eq(*object, referred));
        self.left_out = Some(referred);
        self
    }
}
