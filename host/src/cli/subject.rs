//! The one infrastructure that a command is about, as the files tell of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::input::Input;
use super::session::unknown_provider;
use super::{Streams, Trouble};
use crate::answer::Change;
use crate::engine::{Engine, Function};
use crate::judge::{Case, Ruling, Settings};
use crate::manifest::{self, Document, Identity, Manifests, excerpt};
use crate::policy::{Policy, of_role};
use crate::source::{self, Node, Source, Span};
use crate::state::{Identity as StateIdentity, SavedPlan, StateDirectory};

/// Group of the objects by which Gardener tells extensions what to do.
const EXTENSIONS: &str = "extensions.gardener.cloud";
/// The annotation by which Gardener tells an extension of a control plane that moves.
const OPERATION: &str = "gardener.cloud/operation";
/// Longest technical id. Gardener's own have at most 63 characters.
const MAX_ID: usize = 253;

#[derive(Args, Clone, Debug, Default)]
pub(super) struct SubjectArguments {
    /// Files with a Shoot, or with an Infrastructure and its Cluster, YAML or JSON; `-` for standard input, which is also
    /// read where no file is named.
    ///
    /// Other objects are there for the Shoot to refer to: its CloudProfile, binding and Secret.
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,

    /// The same, as other tools name it.
    #[arg(short, long = "filename", value_name = "FILE")]
    filename: Vec<PathBuf>,

    /// Take the policy of this provider, whatever the object says.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

/// An infrastructure: what is wanted of it, in the parts of a policy's request.
pub(super) struct Subject {
    manifests: Manifests,
    /// Where in the manifests the object is that the person wrote.
    at: usize,
    provider: String,
    technical_id: String,
    region: String,
    parts: Parts,
    /// Defaults that were set in the Shoot.
    changes: Vec<Change>,
}

/// The parts of an infrastructure request, as JSON texts.
#[derive(Default)]
struct Parts {
    infrastructure: Option<String>,
    cloud_profile: Option<String>,
    seed: Option<String>,
    shoot: Option<String>,
    configuration: Option<String>,
    /// What Gardener asks for by an annotation.
    operation: Option<Operation>,
}

/// What is to become of an infrastructure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Made, or brought to what is wanted.
    Reconcile,
    /// Taken down.
    Delete,
    /// As `Reconcile`, after its control plane moved to another seed.
    Restore,
    /// Left alone, for another seed to take over.
    Migrate,
}

/// Why it is not clear what a command is about.
#[derive(Debug, thiserror::Error)]
pub(super) enum SubjectError {
    #[error("none of the objects given has an infrastructure")]
    None,
    #[error("{second} is given, and {first} too: a run is about one infrastructure")]
    Several { first: String, second: String, input: Arc<Source>, span: Span },
    #[error("the Cluster of {infrastructure} is not given")]
    NoCluster { infrastructure: String, namespace: String, input: Arc<Source>, span: Span },
    #[error("the policy of `{0}` plans no infrastructure")]
    NoPlans(String),
    #[error("{object} has no {what}")]
    Missing { object: String, what: &'static str, input: Arc<Source>, span: Span },
    #[error("{object} would be named `{id}` in the cloud, which is no name there")]
    NoName { object: String, id: String, input: Arc<Source>, span: Span },
    #[error("the older version is of {older}, not of {object}")]
    OtherOlder { object: String, older: String, input: Arc<Source>, span: Span },
}

impl Operation {
    /// Its name in requests.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reconcile => "reconcile",
            Self::Delete => "delete",
            Self::Restore => "restore",
            Self::Migrate => "migrate",
        }
    }
}

impl SubjectArguments {
    /// The files as they are named, by either way.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.files.iter().chain(&self.filename).cloned().collect()
    }

    /// Reads the files, and sets the defaults of a Shoot.
    pub(super) fn open(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<Subject, Vec<Trouble>> {
        self.open_files(&self.files(), engine, streams)
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
    /// The subject among some objects.
    pub(super) fn of(manifests: Manifests, provider: Option<&str>, engine: &dyn Engine) -> Result<Self, Trouble> {
        let at = only(&manifests)?;
        let Some(document) = manifests.documents().get(at) else { return Err(SubjectError::None.into()) };
        let known = engine.providers();
        let provider = match provider {
            Some(name) => name.to_owned(),
            None => provider_of(document, &manifests, &known)?,
        };
        let policy = load(engine, &provider)?;
        if !policy.answers(Function::Plan) {
            return Err(SubjectError::NoPlans(provider).into());
        }
        let (parts, changes) = if document.kind() == "Shoot" {
            of_shoot(document, &manifests, &policy)?
        } else {
            (of_infrastructure(document, &manifests, &policy)?, Vec::new())
        };
        let technical_id = technical_id(document)?;
        let region = text(document, &["spec", "region"], "`spec.region`")?.to_owned();
        Ok(Self { manifests, at, provider, technical_id, region, parts, changes })
    }

    /// What a saved plan is about, from its file.
    pub(super) fn of_saved(file: &str, saved: &SavedPlan) -> Result<Self, Trouble> {
        #[derive(Deserialize)]
        struct Request<'r> {
            operation: &'r str,
            #[serde(borrow)]
            infrastructure: Option<&'r RawValue>,
            #[serde(borrow, default)]
            cluster: Cluster<'r>,
            #[serde(borrow)]
            configuration: Option<&'r RawValue>,
        }
        #[derive(Default, Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Cluster<'r> {
            #[serde(borrow)]
            cloud_profile: Option<&'r RawValue>,
            #[serde(borrow)]
            seed: Option<&'r RawValue>,
            #[serde(borrow)]
            shoot: Option<&'r RawValue>,
        }
        let text = |value: Option<&RawValue>| value.map(|value| value.get().to_owned());
        // What was saved was written from such a request.
        let request: Request<'_> = serde_json::from_str(saved.request.get()).map_err(|_| SubjectError::None)?;
        let Request { operation, infrastructure, cluster, configuration } = request;
        let Cluster { cloud_profile, seed, shoot } = cluster;
        let written = text(infrastructure.or(shoot)).ok_or(SubjectError::None)?;
        let (input, roots) = source::read(file, written.as_bytes())?;
        let manifests = Manifests::new(Document::all_of(&input, roots)?)?;
        let StateIdentity { technical_id, provider, region, .. } = saved.identity.clone();
        let operations = [Operation::Reconcile, Operation::Delete, Operation::Restore, Operation::Migrate];
        let parts = Parts {
            infrastructure: text(infrastructure),
            cloud_profile: text(cloud_profile),
            seed: text(seed),
            shoot: text(shoot),
            configuration: text(configuration),
            operation: operations.into_iter().find(|known| known.name() == operation),
        };
        let at = only(&manifests)?;
        Ok(Self { manifests, at, provider, technical_id, region, parts, changes: Vec::new() })
    }

    /// The object that the person wrote: a Shoot, or an Infrastructure.
    #[expect(clippy::indexing_slicing, reason = "it was found there")]
    pub(super) fn document(&self) -> &Document {
        &self.manifests.documents()[self.at]
    }

    /// Provider type.
    pub(super) fn provider(&self) -> &str {
        &self.provider
    }

    /// The name on the seed, by which resources are named and tagged.
    pub(super) fn technical_id(&self) -> &str {
        &self.technical_id
    }

    /// The cloud's region.
    pub(super) fn region(&self) -> &str {
        &self.region
    }

    /// Defaults that were set in the Shoot.
    pub(super) fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What files alone ask for: an annotation of Gardener's, else to reconcile.
    pub(super) fn operation(&self) -> Operation {
        self.parts.operation.unwrap_or(Operation::Reconcile)
    }

    /// What tells it from others in a state directory.
    pub(super) fn identity(&self) -> StateIdentity {
        StateIdentity {
            technical_id: self.technical_id.clone(),
            provider: self.provider.clone(),
            region: self.region.clone(),
            cloud: None,
            uid: self.document().text_at(&["metadata", "uid"]).map(str::to_owned),
        }
    }

    /// The infrastructure request.
    pub(super) fn request(&self, operation: Operation) -> Box<RawValue> {
        let Parts { infrastructure, cloud_profile, seed, shoot, configuration, .. } = &self.parts;
        let member = |name: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!("\"{name}\":{value}")).unwrap_or_default()
        };
        let joined = |members: &[String]| {
            members.iter().filter(|member| !member.is_empty()).cloned().collect::<Vec<_>>().join(",")
        };
        let cluster =
            joined(&[member("cloudProfile", cloud_profile), member("seed", seed), member("shoot", shoot)]);
        let members = joined(&[
            format!("\"operation\":\"{}\"", operation.name()),
            member("infrastructure", infrastructure),
            format!("\"cluster\":{{{cluster}}}"),
            member("configuration", configuration),
        ]);
        // Never fails: its parts are JSON.
        RawValue::from_string(format!("{{{members}}}")).unwrap_or_default()
    }

    /// Judges a Shoot as it is judged when it is submitted; `None` for an Infrastructure, whose Shoot was. A Shoot that is
    /// there already, with a uid or with a recorded state, is an update: of its older version where that is known, else of
    /// itself.
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
        let context = manifest::context(document, &self.manifests);
        let is_there = is_recorded || document.text_at(&["metadata", "uid"]).is_some();
        let case = Case { document, old: older.or_else(|| is_there.then_some(document)), context };
        let settings = Settings { defaults: true, ratchet: false, facts: "[]" };
        case.judge(&policy, settings).map(Some).map_err(|failure| Trouble::no_answer(document, failure))
    }

    /// The Shoot as it is applied, as JSON text; `None` for an Infrastructure.
    pub(super) fn manifest(&self) -> Option<&str> {
        self.parts.shoot.as_deref().filter(|_| self.document().kind() == "Shoot")
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

    /// Secrets among the files that nothing in them names as the one with the credentials.
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
            let context = manifest::context(document, &self.manifests);
            return context.into_iter().find(|(role, _)| *role == "secret").map(|(_, secret)| secret);
        }
        let reference = |key| document.text_at(&["spec", "secretRef", key]);
        self.manifests.find("Secret", reference("namespace").unwrap_or_default(), reference("name")?)
    }
}

/// Where the one object is that has an infrastructure.
fn only(manifests: &Manifests) -> Result<usize, SubjectError> {
    let has_infrastructure = |document: &Document| match document.kind() {
        "Shoot" => manifest::is_of_gardener(document),
        "Infrastructure" => document.group() == Some(EXTENSIONS),
        _ => false,
    };
    let mut found = manifests.documents().iter().enumerate().filter(|(_, document)| has_infrastructure(document));
    let Some((at, first)) = found.next() else { return Err(SubjectError::None) };
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
        return provider.ok_or_else(|| SubjectError::None.into());
    }
    let name = text(document, &["spec", "type"], "`spec.type`")?;
    if names.contains(&name) { Ok(name.to_owned()) } else { Err(unknown_provider(name, known)) }
}

/// The parts of a Shoot's request, and the defaults that were set in it.
fn of_shoot(
    document: &Document,
    manifests: &Manifests,
    policy: &Policy<'_>,
) -> Result<(Parts, Vec<Change>), Trouble> {
    let context = manifest::context(document, manifests);
    let profile = context.iter().find(|(role, _)| *role == "cloudProfile").map(|(_, profile)| *profile);
    let case = Case { document, old: None, context };
    let settings = Settings { defaults: true, ratchet: false, facts: "[]" };
    let (shoot, changes) = match case.default(policy, settings) {
        Some(Ok(defaulted)) => (defaulted.object.get().to_owned(), defaulted.changes),
        Some(Err(failure)) => return Err(Trouble::no_answer(document, failure)),
        None => (document.json().to_owned(), Vec::new()),
    };
    let seed = document.text_at(&["status", "seedName"]).or_else(|| document.text_at(&["spec", "seedName"]));
    let seed = seed.and_then(|name| manifests.find("Seed", "", name));
    let parts = Parts {
        cloud_profile: profile.and_then(|profile| cloud_profile(profile, document.kind(), policy)),
        seed: seed.map(|seed| seed.json().to_owned()),
        shoot: Some(shoot),
        configuration: configuration(manifests),
        ..Parts::default()
    };
    Ok((parts, changes))
}

/// The CloudProfile as a Cluster has it: what a NamespacedCloudProfile adds to its parent is merged into it by Gardener.
fn cloud_profile(profile: &Document, kind: &str, policy: &Policy<'_>) -> Option<String> {
    if profile.kind() == "CloudProfile" {
        return part(&profile.root, kind, "cloudProfile", policy);
    }
    let merged = profile.root.at(&["status", "cloudProfileSpec"])?;
    Some(format!("{{\"kind\":\"CloudProfile\",\"spec\":{}}}", merged.to_json()))
}

/// An object of the Cluster, cut down to what the policy reads of it where it says.
fn part(node: &Node, kind: &str, role: &str, policy: &Policy<'_>) -> Option<String> {
    match policy.info().reads.get(Function::Plan.name()).and_then(|kinds| kinds.get(kind)) {
        Some(reads) => excerpt(node, &of_role(role, reads)),
        None => Some(node.to_json()),
    }
}

fn of_infrastructure(
    document: &Document,
    manifests: &Manifests,
    policy: &Policy<'_>,
) -> Result<Parts, SubjectError> {
    let Identity { namespace, .. } = document.identity();
    let Some(cluster) = manifests.find("Cluster", "", &namespace) else {
        let (input, span) = (Arc::clone(&document.input), at(document, "/metadata/namespace"));
        return Err(SubjectError::NoCluster {
            infrastructure: document.identity().to_string(),
            namespace,
            input,
            span,
        });
    };
    let spec = |key| cluster.root.at(&["spec", key]);
    let operation = match document.text_at(&["metadata", "annotations", OPERATION]) {
        Some("restore") => Some(Operation::Restore),
        Some("migrate") => Some(Operation::Migrate),
        _ => None,
    };
    Ok(Parts {
        infrastructure: Some(document.json().to_owned()),
        cloud_profile: spec("cloudProfile").and_then(|node| part(node, document.kind(), "cloudProfile", policy)),
        seed: spec("seed").map(Node::to_json),
        shoot: spec("shoot").map(Node::to_json),
        configuration: configuration(manifests),
        operation,
    })
}

/// The configuration of the extension itself, where it is among the files.
fn configuration(manifests: &Manifests) -> Option<String> {
    let mut documents = manifests.documents().iter();
    documents.find(|document| document.kind() == "ControllerConfiguration").map(|found| found.json().to_owned())
}

/// The name on the seed, as Gardener recorded it or composes it; policies compose it alike.
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
    // It is the name of a directory too.
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'.';
    if id.len() <= MAX_ID && id.bytes().all(is_name) && id.starts_with(|first: char| first.is_ascii_alphanumeric())
    {
        return Ok(id);
    }
    let (object, input) = (document.identity().to_string(), Arc::clone(&document.input));
    Err(SubjectError::NoName { object, id, input, span: at(document, pointer) })
}

/// A text that has to be there.
fn text<'d>(document: &'d Document, path: &[&str], what: &'static str) -> Result<&'d str, SubjectError> {
    document.text_at(path).filter(|text| !text.is_empty()).ok_or_else(|| {
        let (object, input) = (document.identity().to_string(), Arc::clone(&document.input));
        SubjectError::Missing { object, what, input, span: at(document, &format!("/{}", path.join("/"))) }
    })
}

fn at(document: &Document, pointer: &str) -> Span {
    document.root.locate(pointer).highlight(&document.input)
}

impl SubjectError {
    /// What to do about it.
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::None => "give a Shoot, or an Infrastructure of extensions.gardener.cloud with its Cluster",
            Self::Several { .. } => "give one of the two; for the version before an edit use `--baseline FILE`",
            Self::NoCluster { namespace, .. } => {
                return Some(format!("give it too: `kubectl get cluster {namespace} -o yaml`"));
            }
            Self::NoPlans(_) => return None,
            Self::Missing { .. } => "add it",
            Self::NoName { .. } => "use lower-case letters, digits and `-` for names",
            Self::OtherOlder { .. } => "check kind, namespace and name of the older version",
        };
        Some(text.to_owned())
    }

    /// Where it is.
    pub(super) fn place(&self) -> Option<(&Source, Span)> {
        match self {
            Self::None | Self::NoPlans(_) => None,
            Self::Several { input, span, .. }
            | Self::NoCluster { input, span, .. }
            | Self::Missing { input, span, .. }
            | Self::NoName { input, span, .. }
            | Self::OtherOlder { input, span, .. } => Some((input, *span)),
        }
    }
}
