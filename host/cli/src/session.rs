//! The input of the commands that judge objects: the objects, and the policy of each.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::facts::facts;
use super::files::FileArguments;
use super::input::Input;
use super::judged_at::JudgedAt;
use super::output::Skipped;
use super::{CommandError, Streams};
use trellis_policies::answer::{Effect, Failure, Finding};
use trellis_policies::engine::{Engine, Function, Part};
use trellis_policies::judge::{Case, Panel, Policies, Settings, Target};
use trellis_policies::manifest::{
    self, Document, Identity, ManifestError, ManifestProblem, Manifests, OldManifests, named,
};
use trellis_policies::policy::{GARDENER, Policy};

#[derive(Args, Debug)]
pub(super) struct SessionArguments {
    #[command(flatten)]
    files: FileArguments,

    /// A file or folder with objects that the others may refer to; they are neither judged nor reported
    /// themselves. May be repeated.
    ///
    /// An object in FILES goes before one of `--with`, and a file that is among FILES too counts as one of FILES.
    /// With `-R`, Trellis reads the folders within a folder too.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,

    /// Files with old versions: an object with one of the same kind, namespace and name is an update.
    #[arg(long, value_name = "FILE")]
    old: Vec<PathBuf>,

    /// A file with answers to the queries of undecided rules: a list of facts, YAML or JSON.
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// Ask the policy of this provider about every object; it refuses one that names another provider.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,

    /// Judge objects that have a `metadata.uid` and no old version as new ones, as Secrets and bindings always
    /// are.
    ///
    /// Without this, Trellis judges such an object as an update of itself. One that has an old version (`--old`)
    /// is an update of that, also with `--create`.
    #[arg(long)]
    create: bool,

    /// Judge what `kubectl apply` makes of an object and its old version: what the object leaves out stays as it
    /// is.
    ///
    /// This is the default where the old version has a `metadata.uid` and the object has none.
    #[arg(long, requires = "old", conflicts_with = "replace")]
    apply: bool,

    /// Judge an object that replaces its old version, as `kubectl replace` sends it: what it leaves out goes.
    #[arg(long, requires = "old")]
    replace: bool,

    #[command(flatten)]
    time: JudgedAt,
}

/// The objects that were given.
pub(super) struct Session<'e> {
    manifests: Manifests,
    old: OldManifests,
    /// JSON text of each fact of the caller.
    facts: Vec<String>,
    /// The time at which the objects are judged.
    now: String,
    provider: Option<String>,
    /// Whether an object that exists in a cluster is judged as a new one.
    creates: bool,
    /// How an object and its old version make what is sent.
    update: Update,
    /// The version of Kubernetes to which Shoots are to go, where a person asks what must change before.
    target: Option<Target>,
    policies: Policies<'e>,
    /// Documents of the files that are no objects.
    skipped: Vec<Skipped>,
    files: usize,
}

/// How an object and its old version make what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Update {
    /// A manifest for a stored object is applied; another object replaces its old version.
    ByUid,
    /// `kubectl apply`
    Apply,
    /// `kubectl replace`
    Replace,
}

/// What is to be done with an object by a policy, or by several.
pub(super) enum Assignment<'s, P> {
    /// The object is judged.
    Judge(Case<'s>, P),
    /// No policy judges the object, for this reason.
    Skip(&'s Document, &'static str),
    /// The object is refused, whatever policies say of it.
    Refuse(&'s Document, Box<Finding>),
    /// A policy should judge the object, and cannot.
    Fail(CommandError),
}

impl SessionArguments {
    /// The time at which the objects are judged.
    pub(super) fn now(&self) -> String {
        self.time.text()
    }

    /// Reads all files; what is wrong with some of them is no reason not to judge the objects of the others.
    pub(super) fn open<'e>(
        &self,
        engine: &'e dyn Engine,
        streams: &mut Streams<'_>,
    ) -> Result<(Session<'e>, Vec<CommandError>), Vec<CommandError>> {
        let known = engine.providers();
        if let Some(name) = self.provider.as_ref().filter(|name| !known.contains(name)) {
            return Err(vec![unknown_provider(name, &known)]);
        }
        let mut input = Input::new(streams);
        let (paths, mut errors) = self.files.paths();
        // Where nothing is named, standard input is the file.
        let files = paths.len().max(1);
        let mut documents = Vec::new();
        // Nothing else is read where what is named cannot be.
        if !paths.is_empty() || errors.is_empty() {
            let (found, unreadable) = input.readable(&paths)?;
            documents = found;
            errors.extend(unreadable);
        }
        let (mut manifests, refused) = Manifests::collect(documents);
        errors.extend(refused.into_iter().map(CommandError::from));
        let skipped = std::mem::take(&mut input.skipped);
        let (context, unfound) = self.files.context(&self.with, &paths);
        let (context, unreadable) = input.context(&context);
        let refused = manifests.add_context(context);
        errors.extend(unfound.into_iter().chain(unreadable).chain(refused.into_iter().map(CommandError::from)));
        let old = if self.old.is_empty() { Vec::new() } else { input.documents(&self.old)? };
        if old.is_empty() && !self.old.is_empty() {
            return Err(vec![CommandError::NothingOld]);
        }
        let old = OldManifests::pair(old, &manifests).map_err(one)?;
        let facts = match &self.facts {
            Some(file) => facts(&mut input, file).map_err(|error| vec![error])?,
            None => Vec::new(),
        };
        let policies = Policies::load(engine).map_err(|error| vec![error.into()])?;
        let (provider, creates) = (self.provider.clone(), self.create);
        let update = match (self.apply, self.replace) {
            (true, _) => Update::Apply,
            (_, true) => Update::Replace,
            _ => Update::ByUid,
        };
        let now = self.now();
        let target = None;
        Ok((
            Session { manifests, old, facts, now, provider, creates, update, target, policies, skipped, files },
            errors,
        ))
    }
}

fn one(error: ManifestError) -> Vec<CommandError> {
    vec![error.into()]
}

pub(super) fn unknown_provider(name: &str, known: &[String]) -> CommandError {
    let meant = manifest::meant_provider(name, known.iter().map(String::as_str)).map(str::to_owned);
    let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    CommandError::UnknownProvider { name: name.to_owned(), known, meant }
}

impl Session<'_> {
    /// The same objects, of which Shoots are to go to another version of Kubernetes.
    pub(super) fn toward(self, target: Option<Target>) -> Self {
        Self { target, ..self }
    }

    /// Every object that was given, without those of `--with`.
    pub(super) fn documents(&self) -> impl Iterator<Item = &Document> {
        self.manifests.documents().iter().map(Arc::as_ref)
    }

    /// The objects whose mistakes are errors of an object, too, each with the place where the object names it.
    pub(super) fn named(&self, document: &Document) -> Vec<(&'static str, Identity)> {
        named(document, &self.manifests)
    }

    /// The object of that identity that an object means, where it is judged itself.
    pub(super) fn judged(&self, by: &Document, identity: &Identity) -> Option<&Document> {
        self.manifests.judged(by, identity)
    }

    /// The object of that identity that an object means, where it is certain.
    pub(super) fn meant(&self, by: &Document, identity: &Identity) -> Option<&Document> {
        self.manifests.meant(by, identity).one()
    }

    /// How many files were to be read.
    pub(super) fn files(&self) -> usize {
        self.files
    }

    /// Documents of the files that are no objects.
    pub(super) fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Answers to queries that the caller gave, each as JSON text.
    pub(super) fn facts(&self) -> &[String] {
        &self.facts
    }

    /// The policies, Gardener's own first, then by provider.
    pub(super) fn policies(&self) -> impl Iterator<Item = &Policy<'_>> {
        self.policies.all()
    }

    /// Every object, with the policy of its provider where that has the function for the object, or why there is
    /// none.
    pub(super) fn assignments(&self, function: Function) -> impl Iterator<Item = Assignment<'_, &Policy<'_>>> {
        self.documents().map(move |document| match self.policy(document) {
            Owner::Policy(policy) if has(policy, document, function) => self.assigned(document, policy),
            Owner::Policy(_) => Assignment::Skip(document, lacks(document, function)),
            Owner::Nobody(why) => Assignment::Skip(document, why),
            Owner::Unknown(error) => match error.problem {
                ManifestProblem::UnknownProvider { .. } | ManifestProblem::NoProvider { .. }
                    if is_other_kind(function, document) =>
                {
                    Assignment::Skip(document, lacks(document, function))
                }
                _ => Assignment::Fail((*error).into()),
            },
        })
    }

    /// Every object, with all policies that judge it, where one has rules with that effect for the object, or why
    /// there is none.
    pub(super) fn panels(&self, effect: Effect) -> impl Iterator<Item = Assignment<'_, Panel<'_>>> {
        self.documents().map(move |document| self.panel(document, effect))
    }

    /// What is to be done with an object by all policies that judge it, where one has rules with that effect for
    /// the object.
    pub(super) fn panel<'s>(&'s self, document: &'s Document, effect: Effect) -> Assignment<'s, Panel<'s>> {
        let kind = document.kind();
        let gardener = self.policies.gardener().filter(|policy| policy.has_rules(kind, Effect::Validate));
        let panel = match (self.policy(document), gardener) {
            (Owner::Policy(policy), _) => Panel::of_kind(kind, gardener, Some(policy)),
            (Owner::Unknown(error), Some(gardener)) => match &error.problem {
                ManifestProblem::UnknownProvider { provider, meant, .. } => {
                    Panel::of_gardener(gardener, Some(provider), meant.as_deref())
                }
                ManifestProblem::NoProvider { .. } => Panel::of_gardener(gardener, None, None),
                _ => return Assignment::Fail((*error).into()),
            },
            (Owner::Unknown(error), None) => {
                return match &error.problem {
                    ManifestProblem::NoProvider { .. } if is_binding(kind) => {
                        Assignment::Refuse(document, Box::new(without_provider(document)))
                    }
                    // Other clouds' bindings and Seeds stand next to objects that Trellis judges.
                    ManifestProblem::UnknownProvider { .. } if !manifest::OF_GARDENER.contains(&kind) => {
                        Assignment::Skip(document, "Trellis has no rules of its provider yet")
                    }
                    _ => Assignment::Fail((*error).into()),
                };
            }
            (Owner::Nobody(why), _) => return Assignment::Skip(document, why),
        };
        if panel.has_rules(kind, effect) {
            return self.assigned(document, panel);
        }
        let function = if effect == Effect::Default { Function::Default } else { Function::Validate };
        Assignment::Skip(document, lacks(document, function))
    }

    /// An object that is judged by somebody, as it is sent.
    fn assigned<'s, P>(&'s self, document: &'s Document, by: P) -> Assignment<'s, P> {
        if let Some(target) = self.target.as_ref().filter(|_| Case::can_upgrade(document)) {
            return Assignment::Judge(Case::upgrade(document, &self.manifests, target), by);
        }
        let case = match self.old.of(document) {
            None if document.has_uid() && !self.creates => Case::existing(document, &self.manifests),
            old => Case::new(document, old, &self.manifests),
        };
        let is_applied = match self.update {
            Update::ByUid => case.is_manifest_for_stored(),
            Update::Apply => true,
            Update::Replace => false,
        };
        if !is_applied {
            return Assignment::Judge(case, by);
        }
        match case.applied(self.policies.gardener()) {
            Ok(case) => Assignment::Judge(case, by),
            Err(failure) => Assignment::Fail(CommandError::no_answer(document, failure)),
        }
    }

    /// What policies cannot read of an object, of which that of its provider gave no answer.
    pub(super) fn unreadable(&self, case: &Case<'_>, policy: &Policy<'_>) -> Option<Failure> {
        let panel = Panel::of_kind(case.document.kind(), self.policies.gardener(), Some(policy));
        case.unreadable(&panel, Settings::at(&self.now, &self.facts))
    }

    /// The policy of an object's provider.
    fn policy<'s>(&'s self, document: &'s Document) -> Owner<'s> {
        if let Err(error) = document.has_kind() {
            return Owner::Unknown(Box::new(error));
        }
        if let Some(error) = manifest::wrong_kind(document) {
            return Owner::Unknown(Box::new(error));
        }
        if !manifest::is_of_gardener(document) {
            return Owner::Nobody("no policy has rules for this kind");
        }
        let provider = if let Some(name) = &self.provider {
            Ok(Some(name.clone()))
        } else {
            manifest::provider(document, &self.manifests, &self.policies.providers())
        };
        match provider.map(|name| self.policies.of(&name?)) {
            Ok(Some(policy)) => Owner::Policy(policy),
            Ok(None) => Owner::Nobody(
                "nothing says that it belongs to a provider: add the label `provider.shoot.gardener.cloud/<provider>: \"true\"`, or name \
                 the provider with `--provider`",
            ),
            Err(error) => Owner::Unknown(Box::new(error)),
        }
    }
}

fn is_binding(kind: &str) -> bool {
    matches!(kind, "SecretBinding" | "CredentialsBinding")
}

/// What Gardener says of a binding that names no provider.
fn without_provider(binding: &Document) -> Finding {
    let (field, pointer, what) = if binding.root.at(&["provider"]).is_some() {
        ("provider.type", "/provider/type", "a provider type")
    } else {
        ("provider", "/provider", "a provider")
    };
    let detail = format!("must specify {what}");
    let remedy = "Set `provider.type` to the type of the cloud that the credentials are for.";
    Finding::required(GARDENER, field, pointer, detail, remedy)
}

/// Whose an object is.
enum Owner<'s> {
    Policy(&'s Policy<'s>),
    /// No policy judges it, for this reason.
    Nobody(&'static str),
    /// What the object says of it is wrong, missing, or names a provider without a policy.
    Unknown(Box<ManifestError>),
}

/// Whether the policy of a provider has that function for an object.
fn has(policy: &Policy<'_>, document: &Document, function: Function) -> bool {
    match function {
        Function::Addresses | Function::Zones => !is_other_kind(function, document) && policy.answers(function),
        other => policy.answers(other),
    }
}

/// Whether a function is for objects of another kind.
fn is_other_kind(function: Function, document: &Document) -> bool {
    matches!(function, Function::Addresses | Function::Zones) && document.kind() != "Shoot"
}

/// Why no policy has that function for an object.
pub(super) fn lacks(document: &Document, function: Function) -> &'static str {
    match function {
        Function::Default => "the policy of its provider has no defaults for this kind",
        Function::Addresses | Function::Zones if document.kind() != "Shoot" => "only Shoots have an address space",
        Function::Addresses => "its provider's policy gives no address space",
        Function::Zones => "the zones of its provider have no address ranges of their own",
        other if other.part() == Part::Planning => "Trellis does not plan infrastructures of its provider yet",
        Function::Render => "Trellis does not render control planes of its provider yet",
        Function::Workers => "Trellis does not make machines of its provider yet",
        Function::Validate => "its provider has no rules for this kind",
        _ => "its provider's policy does not answer this",
    }
}
