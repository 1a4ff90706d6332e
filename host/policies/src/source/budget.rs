//! How much a text may have: so much in each document and each item of a list, and so much in all.

use super::{MAX_BYTES, MAX_DOCUMENT_NODES, MAX_NODES, Part, ReadProblem, Span};

/// What is wrong, and where.
pub type Fault = (ReadProblem, Span);

/// What was read so far.
#[derive(Debug, Default)]
pub struct Budget {
    is_unlimited: bool,
    documents: usize,
    /// Items of the list that the last document is.
    items: usize,
    document: Tally,
    /// Set within an item.
    item: Option<Tally>,
    nodes: usize,
    repeated: usize,
}

/// A part that is being read.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    start: usize,
    nodes: usize,
}

impl Budget {
    /// A budget without limits, for what this program wrote.
    pub fn unlimited() -> Self {
        Self { is_unlimited: true, ..Self::default() }
    }

    /// A document begins.
    pub fn begin_document(&mut self, start: usize) {
        self.documents += 1;
        self.items = 0;
        self.document = Tally { start, nodes: 0 };
        self.item = None;
    }

    /// An item of a list begins.
    pub fn begin_item(&mut self, start: usize) {
        self.items += 1;
        self.item = Some(Tally { start, nodes: 0 });
    }

    /// The document goes on outside of items.
    pub fn leave_item(&mut self) {
        self.item = None;
    }

    /// Values of the text so far, counting those that aliases repeat.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Further values.
    pub fn count(&mut self, nodes: usize) -> Result<(), Fault> {
        let tally = self.item.as_mut().unwrap_or(&mut self.document);
        tally.nodes += nodes;
        let (start, of_part) = (tally.start, tally.nodes);
        self.nodes += nodes;
        if self.is_unlimited {
            Ok(())
        } else if of_part > MAX_DOCUMENT_NODES {
            Err((ReadProblem::TooManyNodes(self.part()), Span::new(start, start)))
        } else if self.nodes > MAX_NODES {
            Err((ReadProblem::TooManyNodesInAll, Span::new(start, start)))
        } else {
            Ok(())
        }
    }

    /// Further values that an anchor keeps or an alias repeats, at a place. A few bytes of every item may repeat
    /// as many values as a document may have, so all of them count together.
    pub fn repeat(&mut self, nodes: usize, span: Span) -> Result<(), Fault> {
        self.count(nodes)?;
        self.repeated += nodes;
        if self.repeated > MAX_DOCUMENT_NODES { Err((ReadProblem::RepeatsTooManyNodes, span)) } else { Ok(()) }
    }

    /// Checks the size of a document or an item that is complete. The size of a list is that of its items.
    pub fn check_size(&self, span: Span) -> Result<(), Fault> {
        let bytes = span.end.saturating_sub(span.start);
        let is_list = self.item.is_none() && self.items > 0;
        if self.is_unlimited || is_list || bytes <= MAX_BYTES {
            return Ok(());
        }
        Err((ReadProblem::PartTooLarge { part: self.part(), bytes }, Span::new(span.start, span.start)))
    }

    fn part(&self) -> Part {
        match self.item {
            Some(_) => Part::Item(self.items),
            None => Part::Document(self.documents),
        }
    }
}
