//! The one infrastructure that a command is about, as the files describe it.

mod error;
mod request;
mod rollout;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::value::RawValue;

pub(super) use error::SubjectError;
pub(super) use request::Operation;
use request::Request;

use super::files::FileArguments;
use super::input::Input;
use super::session::unknown_provider;
use super::{Streams, Trouble};
use crate::answer::DefaultChange;
use crate::engine::{Engine, Function};
use crate::judge::{Case, Panel, Ruling, Settings};
use crate::manifest::{self, Document, Identity, Manifests};
use crate::policy::{GARDENER, Policy};
use crate::source::{self, Span};
use crate::state::{InfrastructureId, SavedPlan, StateDirectory};

/// Group of the objects by which Gardener tells extensions what to do.
const EXTENSIONS: &str = "extensions.gardener.cloud";
/// Longest technical id. Gardener's own have at most 63 characters.
const MAX_ID: usize = 253;

#[derive(Args, Clone, Debug, Default)]
pub(super) struct SubjectArguments {
    #[command(flatten)]
    files: FileArguments,

    /// Take the policy of this provider, whatever the object says.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

/// The infrastructure of a command, and the request that a policy plans it from.
pub(super) struct Subject {
    manifests: Manifests,
    /// The place among the manifests of the object that the person wrote.
    at: usize,
    provider: String,
    technical_id: String,
    region: String,
    request: Request,
    /// Defaults that were set in the Shoot.
    changes: Vec<DefaultChange>,
}

impl SubjectArguments {
    /// The files that the arguments name.
    pub(super) fn files(&self) -> Result<Vec<PathBuf>, Vec<Trouble>> {
        let (paths, troubles) = self.files.paths();
        if troubles.is_empty() { Ok(paths) } else { Err(troubles) }
    }

    /// Reads the files, and sets the defaults of a Shoot.
    pub(super) fn open(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Subject, Vec<Trouble>> {
        self.open_files(&self.files()?, engine, streams)
    }

    /// Reads an older version of a subject.
    pub(super) fn older(
        &self,
        file: &Path,
        subject: &Subject,
        engine: &dyn Engine,
        streams: &mut Streams<'_>,
    ) -> Result<Subject, Vec<Trouble>> {
        let older = self.open_files(&[file.to_owned()], engine, streams)?;
        if older.document().identity() == subject.document().identity() {
            return Ok(older);
        }
        let document = older.document();
        Err(vec![
            SubjectError::OtherOlder {
                object: subject.document().identity().to_string(),
                older: document.identity().to_string(),
                input: Arc::clone(&document.input),
                span: at(document, "/metadata/name"),
            }
            .into(),
        ])
    }

    /// Reads these files, and sets the defaults of a Shoot.
    pub(super) fn open_files(
        &self,
        files: &[PathBuf],
        engine: &dyn Engine,
        streams: &mut Streams<'_>,
    ) -> Result<Subject, Vec<Trouble>> {
        let known = engine.providers();
        if let Some(name) = self.provider.as_ref().filter(|name| !known.contains(name)) {
            return Err(vec![unknown_provider(name, &known)]);
        }
        let documents = Input::new(streams).documents(files)?;
        let manifests = Manifests::new(documents).map_err(|error| vec![error.into()])?;
        Subject::of(manifests, self.provider.as_deref(), engine).map_err(|trouble| vec![trouble])
    }
}

impl Subject {
    /// The infrastructure that the manifests describe.
    pub(super) fn of(manifests: Manifests, provider: Option<&str>, engine: &dyn Engine) -> Result<Self, Trouble> {
        let at = single_infrastructure(&manifests)?;
        let Some(document) = manifests.documents().get(at) else {
            return Err(SubjectError::NoInfrastructure.into());
        };
        let known = engine.providers();
        let provider = match provider {
            Some(name) => name.to_owned(),
            None => provider_of(document, &manifests, &known)?,
        };
        let policy = load(engine, &provider)?;
        if !policy.answers(Function::Plan) {
            return Err(SubjectError::NoPlans(provider).into());
        }
        let (request, changes) = if document.kind() == "Shoot" {
            Request::of_shoot(document, &manifests, &policy)?
        } else {
            (Request::of_infrastructure(document, &manifests, &policy)?, Vec::new())
        };
        let technical_id = technical_id(document)?;
        let region = text(document, &["spec", "region"], "`spec.region`")?.to_owned();
        Ok(Self { manifests, at, provider, technical_id, region, request, changes })
    }

    /// The infrastructure of a saved plan; `file` is the name of the file with the plan.
    pub(super) fn of_saved(file: &str, saved: &SavedPlan) -> Result<Self, Trouble> {
        // Trellis wrote the request into the file.
        let request: Request =
            serde_json::from_str(saved.request.get()).map_err(|_| SubjectError::NoInfrastructure)?;
        let written = request.infrastructure.as_deref().or(request.cluster.shoot.as_deref());
        let written = written.map(RawValue::get).ok_or(SubjectError::NoInfrastructure)?;
        let (input, roots) = source::read(file, written.as_bytes())?;
        let manifests = Manifests::new(Document::all_of(&input, roots)?)?;
        let InfrastructureId { technical_id, provider, region, .. } = saved.identity.clone();
        let at = single_infrastructure(&manifests)?;
        Ok(Self { manifests, at, provider, technical_id, region, request, changes: Vec::new() })
    }

    /// The object that the person wrote: a Shoot, or an Infrastructure.
    #[expect(clippy::indexing_slicing, reason = "`single_infrastructure` found the object there")]
    pub(super) fn document(&self) -> &Document {
        &self.manifests.documents()[self.at]
    }

    /// Provider type.
    pub(super) fn provider(&self) -> &str {
        &self.provider
    }

    /// The name on the seed, which names and tags of resources carry.
    pub(super) fn technical_id(&self) -> &str {
        &self.technical_id
    }

    /// The cloud's region.
    pub(super) fn region(&self) -> &str {
        &self.region
    }

    /// Defaults that were set in the Shoot.
    pub(super) fn changes(&self) -> &[DefaultChange] {
        &self.changes
    }

    /// The operation that the files ask for, by Gardener's annotation or in a saved plan; `Reconcile` where they ask for
    /// none.
    pub(super) fn operation(&self) -> Operation {
        self.request.operation
    }

    /// What tells this infrastructure from others in a state directory.
    pub(super) fn identity(&self) -> InfrastructureId {
        InfrastructureId {
            technical_id: self.technical_id.clone(),
            provider: self.provider.clone(),
            region: self.region.clone(),
            cloud: None,
            uid: self.document().text_at(&["metadata", "uid"]).map(str::to_owned),
        }
    }

    /// The infrastructure request.
    pub(super) fn request(&self, operation: Operation) -> Box<RawValue> {
        self.request.to_json(operation)
    }

    /// Judges a Shoot as admission does; `None` for an Infrastructure, whose Shoot admission has judged. A Shoot with a
    /// uid or with a recorded state exists already: the policy judges it as an update of its older version where that
    /// is known, else of itself.
    pub(super) fn admission(
        &self,
        engine: &dyn Engine,
        older: Option<&Document>,
        is_recorded: bool,
    ) -> Result<Option<Ruling>, Trouble> {
        let document = self.document();
        if document.kind() != "Shoot" {
            return Ok(None);
        }
        let policy = load(engine, &self.provider)?;
        let gardener = engine.beside().iter().any(|name| name == GARDENER).then(|| load(engine, GARDENER));
        let gardener = gardener.transpose()?;
        let exists = is_recorded || document.text_at(&["metadata", "uid"]).is_some();
        let case = Case::new(document, older.or_else(|| exists.then_some(document)), &self.manifests);
        let panel = Panel::of_kind("Shoot", gardener.as_ref(), Some(&policy));
        let ruling = case.judge(&panel, Settings::of_facts(&[]));
        ruling.map(Some).map_err(|failure| Trouble::no_answer(document, failure))
    }

    /// The Shoot with its defaults, as JSON text; `None` for an Infrastructure.
    pub(super) fn manifest(&self) -> Option<&str> {
        let shoot = self.request.cluster.shoot.as_deref().filter(|_| self.document().kind() == "Shoot");
        shoot.map(RawValue::get)
    }

    /// The manifest that was applied last, where the state directory has it.
    pub(super) fn applied(&self, states: &StateDirectory) -> Result<Option<Document>, Trouble> {
        let Some(text) = states.manifest(&self.technical_id)?.filter(|_| self.manifest().is_some()) else {
            return Ok(None);
        };
        let file = states.folder(&self.technical_id)?.join("applied.json");
        let (input, roots) = source::read(&file.display().to_string(), text.as_bytes())?;
        let identity = self.document().identity();
        Ok(Document::all_of(&input, roots)?.into_iter().find(|applied| applied.identity() == identity))
    }

    /// Secrets among the files that no object among the files names as the Secret with the credentials.
    pub(super) fn unused_secrets(&self) -> Vec<String> {
        let used = self.secret().map(Document::identity);
        let secrets = self.manifests.documents().iter().filter(|document| document.kind() == "Secret");
        let unused = secrets.map(Document::identity).filter(|secret| Some(secret) != used.as_ref());
        unused.map(|secret| secret.to_string()).collect()
    }

    /// The Secret with the credentials of the cloud account, where it is among the files.
    pub(super) fn secret(&self) -> Option<&Document> {
        let document = self.document();
        if document.kind() == "Shoot" {
            return manifest::secret(document, &self.manifests);
        }
        let reference = |key| document.text_at(&["spec", "secretRef", key]);
        self.manifests.find(document, "Secret", reference("namespace").unwrap_or_default(), reference("name")?)
    }
}

/// The place of the only object that describes an infrastructure.
fn single_infrastructure(manifests: &Manifests) -> Result<usize, SubjectError> {
    let has_infrastructure = |document: &Document| match document.kind() {
        "Shoot" => manifest::is_of_gardener(document),
        "Infrastructure" => document.group() == Some(EXTENSIONS),
        _ => false,
    };
    let mut found = manifests.documents().iter().enumerate().filter(|(_, document)| has_infrastructure(document));
    let Some((at, first)) = found.next() else { return Err(SubjectError::NoInfrastructure) };
    match found.next() {
        None => Ok(at),
        Some((_, second)) => Err(SubjectError::Several {
            first: first.identity().to_string(),
            second: second.identity().to_string(),
            input: Arc::clone(&second.input),
            span: self::at(second, "/metadata/name"),
        }),
    }
}

fn load<'e>(engine: &'e dyn Engine, provider: &str) -> Result<Policy<'e>, Trouble> {
    Policy::load(engine, provider).map_err(|failure| Trouble::NoRules { provider: provider.to_owned(), failure })
}

fn provider_of(document: &Document, manifests: &Manifests, known: &[String]) -> Result<String, Trouble> {
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    if document.kind() == "Shoot" {
        let provider = manifest::provider(document, manifests, &names)?;
        return provider.ok_or_else(|| SubjectError::NoInfrastructure.into());
    }
    let name = text(document, &["spec", "type"], "`spec.type`")?;
    if names.contains(&name) { Ok(name.to_owned()) } else { Err(unknown_provider(name, known)) }
}

/// The name on the seed: Gardener recorded it in the status, or composes it of project and name, as policies do.
fn technical_id(document: &Document) -> Result<String, SubjectError> {
    let Identity { namespace, .. } = document.identity();
    let (id, pointer) = if document.kind() == "Infrastructure" {
        (text(document, &["metadata", "namespace"], "`metadata.namespace`")?.to_owned(), "/metadata/namespace")
    } else if let Some(id) = document.text_at(&["status", "technicalID"]).filter(|id| !id.is_empty()) {
        (id.to_owned(), "/status/technicalID")
    } else {
        let name = text(document, &["metadata", "name"], "`metadata.name`")?;
        let namespace = if namespace.is_empty() { "garden-local" } else { &namespace };
        let project = namespace.strip_prefix("garden-").unwrap_or(namespace);
        (format!("shoot--{project}--{name}"), "/metadata/name")
    };
    // The state directory has a directory of this name too.
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.';
    if id.len() <= MAX_ID && id.bytes().all(is_name) && id.starts_with(|first: char| first.is_ascii_alphanumeric())
    {
        return Ok(id);
    }
    let (object, input) = (document.identity().to_string(), Arc::clone(&document.input));
    Err(SubjectError::NoName { object, id, input, span: at(document, pointer) })
}

/// A text that the document must have.
fn text<'d>(document: &'d Document, path: &[&str], what: &'static str) -> Result<&'d str, SubjectError> {
    document.text_at(path).filter(|text| !text.is_empty()).ok_or_else(|| {
        let (object, input) = (document.identity().to_string(), Arc::clone(&document.input));
        SubjectError::Missing { object, what, input, span: at(document, &format!("/{}", path.join("/"))) }
    })
}

fn at(document: &Document, pointer: &str) -> Span {
    document.root.locate(pointer).highlight(&document.input)
}
