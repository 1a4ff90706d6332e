//! Objects that were given together, and which of them an object means.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Document, Identity, ManifestError, ManifestProblem, reference};

/// All objects that were given: the objects that a command judges, and the context that they may refer to.
/// Different objects of one kind, namespace and name may stand in different files: an object means the one in its
/// own file, else the one in the other files, and a judged object before context.
#[derive(Debug, Default)]
pub struct Manifests {
    /// The judged objects first.
    documents: Vec<Arc<Document>>,
    judged: usize,
    index: HashMap<Identity, Vec<usize>>,
    /// The bindings that refer to each Secret.
    bindings: HashMap<Identity, Vec<usize>>,
    /// The first Project of each namespace.
    projects: HashMap<String, usize>,
}

/// The object that another object means.
#[derive(Debug)]
pub enum Meant<'m> {
    /// There is none.
    Nothing,
    /// This one.
    One(&'m Document),
    /// None of these, which differ: each stands in another file, and none in the file of the object that means it.
    Several(Vec<&'m Document>),
}

impl<'m> Meant<'m> {
    /// The object, where it is certain.
    pub fn one(self) -> Option<&'m Document> {
        match self {
            Self::One(document) => Some(document),
            Self::Nothing | Self::Several(_) => None,
        }
    }
}

impl Manifests {
    /// Collects objects. An object that a file has twice counts once; a file that has different objects of one
    /// kind, namespace and name is an error.
    pub fn new(documents: Vec<Document>) -> Result<Self, ManifestError> {
        let (manifests, errors) = Self::collect(documents);
        errors.into_iter().next().map_or(Ok(manifests), Err)
    }

    /// Collects objects, without those that are errors.
    pub fn collect(documents: Vec<Document>) -> (Self, Vec<ManifestError>) {
        let mut manifests = Self::default();
        let errors = manifests.extend(documents);
        manifests.judged = manifests.documents.len();
        (manifests, errors)
    }

    /// Adds objects that the judged objects may refer to, without those that are errors.
    pub fn add_context(&mut self, documents: Vec<Document>) -> Vec<ManifestError> {
        self.extend(documents)
    }

    fn extend(&mut self, documents: Vec<Document>) -> Vec<ManifestError> {
        let mut errors = Vec::new();
        for document in documents {
            let identity = document.identity();
            let other = self.of_group(&document, &identity).find(|other| other.is_next_to(&document));
            match other {
                None => self.add(Arc::new(document), identity),
                Some(first) if first.json() == document.json() => {}
                Some(first) => {
                    let problem = ManifestProblem::Twice { identity: identity.to_string(), first: first.place() };
                    errors.push(ManifestError::at(
                        &document.input,
                        document.root.locate("/metadata/name"),
                        problem,
                    ));
                }
            }
        }
        errors
    }

    /// Objects of which others have a share too.
    pub fn shared(documents: impl IntoIterator<Item = Arc<Document>>) -> Self {
        let mut manifests = Self::default();
        for document in documents {
            let identity = document.identity();
            manifests.add(document, identity);
        }
        manifests.judged = manifests.documents.len();
        manifests
    }

    fn add(&mut self, document: Arc<Document>, identity: Identity) {
        let at = self.documents.len();
        if let Some(secret) = reference::secret_of(&document) {
            self.bindings.entry(secret).or_default().push(at);
        }
        if document.kind() == "Project"
            && let Some(namespace) = document.text_at(&["spec", "namespace"])
        {
            self.projects.entry(namespace.to_owned()).or_insert(at);
        }
        if !identity.name.is_empty() {
            self.index.entry(identity).or_default().push(at);
        }
        self.documents.push(document);
    }

    /// The judged objects, in the order in which they were given.
    pub fn documents(&self) -> &[Arc<Document>] {
        self.documents.get(..self.judged).unwrap_or_default()
    }

    /// Whether a judged object has that identity.
    pub fn has_subject(&self, identity: &Identity) -> bool {
        self.positions(identity).first().is_some_and(|at| *at < self.judged)
    }

    /// Whether a judged object has that identity, in the API group of an object.
    fn is_judged(&self, document: &Document, identity: &Identity) -> bool {
        let positions = self.positions(identity);
        let judged = positions.get(..positions.partition_point(|at| *at < self.judged)).unwrap_or_default();
        self.at(judged).any(|other| other.group() == document.group())
    }

    /// Where the objects of that identity are, in the order in which they were given.
    fn positions(&self, identity: &Identity) -> &[usize] {
        self.index.get(identity).map(Vec::as_slice).unwrap_or_default()
    }

    fn at<'m>(&'m self, positions: &'m [usize]) -> impl Iterator<Item = &'m Document> {
        positions.iter().filter_map(|at| self.documents.get(*at)).map(Arc::as_ref)
    }

    /// The object of that identity that an object means.
    pub fn meant(&self, by: &Document, identity: &Identity) -> Meant<'_> {
        self.meant_among(by, identity, |_| true)
    }

    /// The object of that identity that an object means, among those that may be meant.
    pub fn meant_among(
        &self,
        by: &Document,
        identity: &Identity,
        may_be: impl Fn(&Document) -> bool,
    ) -> Meant<'_> {
        let positions = self.positions(identity);
        if let Some(neighbour) = self.at(positions).find(|found| found.is_next_to(by) && may_be(found)) {
            return Meant::One(neighbour);
        }
        let (judged, context) = positions.split_at(positions.partition_point(|at| *at < self.judged));
        let of = |positions| self.at(positions).filter(|found| may_be(found)).collect::<Vec<_>>();
        let found = Some(of(judged)).filter(|judged| !judged.is_empty()).unwrap_or_else(|| of(context));
        let Some(first) = found.first().copied() else { return Meant::Nothing };
        let mut different = found;
        different.retain(|other| std::ptr::eq(*other, first) || other.json() != first.json());
        if different.len() == 1 { Meant::One(first) } else { Meant::Several(different) }
    }

    /// The objects of that identity in the API group of an object: another group has other kinds.
    fn of_group(&self, document: &Document, identity: &Identity) -> impl Iterator<Item = &Document> {
        self.at(self.positions(identity)).filter(|other| other.group() == document.group())
    }

    /// The bindings that refer to a Secret.
    pub(super) fn bindings_of(&self, secret: &Document) -> impl Iterator<Item = &Document> {
        self.at(self.bindings.get(&secret.identity()).map(Vec::as_slice).unwrap_or_default())
    }

    /// The Project whose namespace this is.
    pub(super) fn project_of(&self, namespace: &str) -> Option<&Document> {
        self.documents.get(*self.projects.get(namespace)?).map(Arc::as_ref)
    }

    /// The judged object of that identity that an object means, where it is certain.
    pub fn judged(&self, by: &Document, identity: &Identity) -> Option<&Document> {
        self.has_subject(identity).then(|| self.meant(by, identity).one()).flatten()
    }

    /// The object of that kind, namespace (empty for none) and name that an object means, where it is certain.
    pub fn find(&self, by: &Document, kind: &str, namespace: &str, name: &str) -> Option<&Document> {
        let (kind, namespace, name) = (kind.to_owned(), namespace.to_owned(), name.to_owned());
        self.meant(by, &Identity { kind, namespace, name }).one()
    }
}

/// The old version of each judged object, for updates.
#[derive(Debug, Default)]
pub struct OldManifests {
    /// By API group and identity.
    index: HashMap<(Option<String>, Identity), Document>,
}

impl OldManifests {
    /// Pairs old versions with the objects; each must have its partner.
    pub fn pair(documents: Vec<Document>, manifests: &Manifests) -> Result<Self, ManifestError> {
        let mut index: HashMap<(Option<String>, Identity), Document> = HashMap::new();
        for document in documents {
            let identity = document.identity();
            let error =
                |pointer, problem| Err(ManifestError::at(&document.input, document.root.locate(pointer), problem));
            if identity.name.is_empty() {
                return error("/metadata", ManifestProblem::OldWithoutName { kind: identity.kind });
            }
            if !manifests.is_judged(&document, &identity) {
                let identity = identity.to_string();
                return error("/metadata/name", ManifestProblem::OldWithoutNew { identity });
            }
            let key = (document.group().map(str::to_owned), identity);
            if let Some(first) = index.get(&key).filter(|first| first.json() != document.json()) {
                let (identity, first) = (key.1.to_string(), first.place());
                return error("/metadata/name", ManifestProblem::OldTwice { identity, first });
            }
            index.insert(key, document);
        }
        Ok(Self { index })
    }

    /// The old version of an object.
    pub fn of(&self, document: &Document) -> Option<&Document> {
        self.index.get(&(document.group().map(str::to_owned), document.identity()))
    }
}
