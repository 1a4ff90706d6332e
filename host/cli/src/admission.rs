//! `trellis admission`

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::Status;
use super::engine::Selection;
use super::process::forms::path;
use super::process::webhooks::{FlagsError, Place};
use super::process::{self, Flags, ProcessError, named};
use trellis_kubernetes::admission::cloud::Cloud;
use trellis_kubernetes::admission::process::{Certified, Options, Own};
use trellis_kubernetes::admission::{self, Mode, published, registered};
use trellis_kubernetes::controller::process::logging;
use trellis_kubernetes::controller::runtime::client::Access;
use trellis_kubernetes::webhook::registration::Registration;
use trellis_policies::engine::Function;
use trellis_runner::transport::{AllowedCalls, Wire, family_of};

/// Say that the process runs in another cluster than the garden's, and name its kubeconfig.
const SOURCE: [&str; 2] = ["SOURCE_CLUSTER", "SOURCE_KUBECONFIG"];
const AFTER_HELP: &str = "\
Examples:
  trellis admission --provider alicloud --cloud real --webhook-config-namespace garden --leader-election-namespace garden
  trellis admission --provider alicloud --cloud real --webhook-config-cert-dir /etc/certificate --mode warn   # look first

Exit codes:
  0  Somebody stopped the process, and each review that had arrived was
     answered.
  1  The process cannot run.
  2  The command line cannot be used.";

/// Judge and complete the objects of a garden before its API server stores them, until SIGTERM.
///
/// These are the admission webhooks of an extension of Gardener. Policies run in the sandbox alone: those that
/// `--policies` names, else the folder `policies` next to the program. Standard error has the log.
#[derive(Args, Debug)]
#[command(version, display_name = "trellis", args_override_self = true, after_help = AFTER_HELP)]
pub(super) struct AdmissionArguments {
    #[command(flatten)]
    process: process::Flags,

    /// What becomes of an object that a rule rejects: `enforce` refuses it, `warn` admits it with warnings, and
    /// `ratchet` refuses it but for errors that the stored object has already.
    #[arg(long, value_name = "MODE", default_value = "enforce")]
    mode: Mode,

    /// The kubeconfig of the garden, unless `$GARDEN_KUBECONFIG` names another one; else `$KUBECONFIG`, the pod's
    /// own, or the home folder's.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<OsString>,

    /// A folder with the certificate and its key, `tls.crt` and `tls.key`, which are read again when they change.
    /// The process that writes them registers the webhooks. Without it, the process makes the certificate and
    /// registers the webhooks.
    #[arg(long, value_name = "FOLDER")]
    webhook_config_cert_dir: Option<OsString>,

    /// The namespace of the ConfigMap that shows every user of the garden which policy judges; an empty text
    /// leaves it out.
    #[arg(long, value_name = "NAMESPACE", default_value = published::NAMESPACE)]
    policy_config_map_namespace: String,
}

/// Why the process does not run.
#[derive(Debug, thiserror::Error)]
pub(super) enum AdmissionCommandError {
    #[error(transparent)]
    Process(#[from] ProcessError),
    #[error(transparent)]
    Webhooks(#[from] FlagsError),
}

impl AdmissionCommandError {
    /// What to do about it.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Process(error) => error.help(),
            Self::Webhooks(error) => error.help(&registered::NAMES),
        }
    }
}

impl AdmissionArguments {
    /// Takes `--webhook-config-cert-dir` as the existing program does, which writes its certificate into that
    /// folder: this one keeps it in memory.
    pub(super) fn make_certificate(&mut self) {
        self.webhook_config_cert_dir = None;
    }

    /// Runs until the process is asked to stop.
    pub(super) fn run(&self, selection: &Selection) -> Result<Status, AdmissionCommandError> {
        let (level, format) = self.process.log()?;
        let options = self.options(selection)?;
        let runtime = process::runtime()?;
        logging::start(level, format, None).map_err(ProcessError::from)?;
        let ended = runtime.block_on(async {
            let (_, signal) = process::stopped_by_signals()?;
            Ok::<_, ProcessError>(Box::pin(admission::process::run(options, signal)).await)
        });
        // Calls of policies that still go on have no effect any more.
        runtime.shutdown_background();
        Ok(process::status(ended?))
    }

    fn options(&self, selection: &Selection) -> Result<Options, AdmissionCommandError> {
        let Flags { provider, cloud, webhooks, .. } = &self.process;
        Ok(Options {
            provider: provider.clone(),
            policies: self.process.policies(selection, Function::Validate)?,
            mode: self.mode,
            access: self.access(process::garden()),
            cloud: Cloud {
                family: family_of(provider),
                wire: Wire::new(self.process.wire()?),
                endpoint: cloud.0.clone(),
                allowed_calls: AllowedCalls::of_reads(provider),
            },
            webhooks: webhooks.address()?,
            certified: self.certified()?,
            drain: webhooks.drain(),
            metrics: self.process.metrics_bind_address,
            health: self.process.health_bind_address,
            published: named(Some(&self.policy_config_map_namespace)),
        })
    }

    /// The way to the garden, for which the environment may name a kubeconfig. It wins, as of the existing program,
    /// because charts set the flag where somebody else injects the variable.
    fn access(&self, garden: Option<PathBuf>) -> Access {
        Access { kubeconfig: garden.or_else(|| path(self.kubeconfig.as_ref())), master: self.process.master() }
    }

    fn certified(&self) -> Result<Certified, AdmissionCommandError> {
        let Flags { provider, webhooks, .. } = &self.process;
        let enabled = webhooks.enabled(&registered::NAMES)?;
        if let Some(folder) = path(self.webhook_config_cert_dir.as_ref()) {
            return Ok(Certified::Files(folder));
        }
        let name = format!("admission-{provider}");
        let Place { extension, reach, namespace, owner, .. } = webhooks.place(&name)?;
        let election = self.process.election(extension.object())?;
        let entries = registered::entries(provider, &enabled);
        Ok(Certified::Own(Box::new(Own {
            registration: Registration { extension, reach, webhooks: entries, owner, is_self_hosted: false },
            namespace,
            period: webhooks.period(),
            election,
            source: source(|name| std::env::var(name).ok()),
        })))
    }
}

/// The way to the cluster of the process, where the garden is another one: by the variables that Gardener's charts
/// set.
fn source(variable: impl Fn(&str) -> Option<String>) -> Option<Access> {
    let [cluster, kubeconfig] = SOURCE.map(|name| variable(name).filter(|value| !value.is_empty()));
    let is_another = kubeconfig.is_some() || cluster.as_deref() == Some("enabled");
    is_another.then(|| Access { kubeconfig: kubeconfig.map(PathBuf::from), master: None })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: AdmissionArguments,
    }

    fn read(more: &[&str]) -> Result<AdmissionArguments, clap::Error> {
        let least = ["trellis", "--provider", "p", "--cloud", "real"];
        Line::try_parse_from(least.iter().chain(more)).map(|line| line.arguments)
    }

    #[test]
    fn the_command_line_of_the_existing_chart_registers_all_webhooks_by_a_url() {
        let arguments = read(&[
            "--webhook-config-server-port=10250",
            "--webhook-config-mode=url",
            "--webhook-config-url=gardener-extension-admission-p.garden",
            "--webhook-config-namespace=garden",
            "--webhook-config-owner-namespace=extension-p",
            "--leader-election-id=gardener-extension-admission-p",
            "--leader-election-namespace=garden",
        ]);
        let arguments = arguments.unwrap();
        assert_eq!(arguments.process.webhooks.address().unwrap().port(), 10250);
        let Certified::Own(own) = arguments.certified().unwrap() else {
            panic!("the process makes its certificate")
        };
        assert_eq!(own.registration.webhooks.len(), 3);
        assert_eq!(own.registration.owner.as_deref(), Some("extension-p"));
        assert_eq!(own.registration.extension.object(), "gardener-extension-admission-p");
        assert_eq!(own.namespace.as_deref(), Some("garden"));
        let election = own.election.unwrap();
        assert_eq!(
            (election.namespace, election.name),
            ("garden".to_owned(), "gardener-extension-admission-p".to_owned())
        );
    }

    #[test]
    fn files_with_a_certificate_need_no_place_and_no_lease() {
        let arguments = read(&["--webhook-config-cert-dir=d"]).unwrap();
        assert!(matches!(arguments.certified(), Ok(Certified::Files(folder)) if folder.as_os_str() == "d"));
        let reported = |more: &[&str]| read(more).unwrap().certified().err().unwrap().to_string();
        assert_eq!(reported(&[]), "nothing names the namespace of the webhooks");
        assert_eq!(reported(&["--webhook-config-namespace=n"]), "nothing names the namespace of the Lease");
        assert_eq!(reported(&["--disable-webhooks=x"]), "cannot disable unknown webhook \"x\"");
    }

    #[test]
    fn the_folder_into_which_the_existing_program_writes_leaves_the_registration_to_the_process() {
        let line = ["--webhook-config-cert-dir=d", "--webhook-config-namespace=n", "--leader-election=false"];
        let mut arguments = read(&line).unwrap();
        assert!(matches!(arguments.certified(), Ok(Certified::Files(_))));
        arguments.make_certificate();
        assert!(matches!(arguments.certified(), Ok(Certified::Own(own)) if own.registration.webhooks.len() == 3));
    }

    #[test]
    fn the_cluster_of_the_process_is_that_of_the_garden_unless_a_variable_says_otherwise() {
        let with = |set: &'static [(&str, &str)]| {
            source(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(with(&[]).is_none() && with(&[("SOURCE_CLUSTER", "disabled")]).is_none());
        assert!(with(&[("SOURCE_CLUSTER", "enabled"), ("SOURCE_KUBECONFIG", "")]).unwrap().kubeconfig.is_none());
        assert_eq!(with(&[("SOURCE_KUBECONFIG", "f")]).unwrap().kubeconfig, Some(PathBuf::from("f")));
    }

    #[test]
    fn the_kubeconfig_of_the_garden_is_that_of_the_environment_before_that_of_the_flag() {
        let (flag, variable) = (PathBuf::from("flag"), PathBuf::from("variable"));
        for (line, named, expected) in [
            (&["--kubeconfig=flag"][..], None, Some(&flag)),
            (&["--kubeconfig=flag"], Some(&variable), Some(&variable)),
            (&[], Some(&variable), Some(&variable)),
            (&["--kubeconfig="], None, None),
        ] {
            let access = read(line).unwrap().access(named.cloned());
            assert_eq!(access.kubeconfig.as_ref(), expected, "{line:?} {named:?}");
        }
    }

    #[test]
    fn it_enforces_unless_it_is_asked_otherwise() {
        assert_eq!(read(&[]).unwrap().mode, Mode::Enforce);
        for mode in [Mode::Enforce, Mode::Warn, Mode::Ratchet] {
            assert_eq!(read(&["--mode", &mode.to_string()]).unwrap().mode, mode);
        }
        assert!(read(&["--mode", "off"]).is_err());
    }
}
