//! The names of the existing programs. A Deployment of one of them starts this program by its name, which stands
//! for a command, a provider, and what the existing program does where its command line says nothing.

use std::ffi::OsString;
use std::path::Path;

use super::process::forms::boolean;

/// What a program is called for which this one stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Called {
    /// It is called as it likes.
    Trellis,
    /// The extension of a provider in a seed.
    Provider(String),
    /// The admission of a provider in a garden.
    Admission(String),
}

impl Called {
    /// What the first argument says.
    pub(super) fn of(arguments: &[OsString]) -> Self {
        let file = arguments.first().and_then(|program| Path::new(program).file_name()?.to_str());
        let after = |prefix| file.and_then(|file| file.strip_prefix(prefix)).filter(|name| !name.is_empty());
        match (after("gardener-extension-provider-"), after("gardener-extension-admission-")) {
            (Some(provider), _) => Self::Provider(provider.to_owned()),
            (_, Some(provider)) => Self::Admission(provider.to_owned()),
            (None, None) => Self::Trellis,
        }
    }

    /// The usage that people read of an error, where it is not that of `trellis`.
    pub(super) fn usage(&self) -> Option<String> {
        match self {
            Self::Trellis => None,
            Self::Provider(provider) => Some(format!("gardener-extension-provider-{provider} [OPTIONS]")),
            Self::Admission(provider) => Some(format!("gardener-extension-admission-{provider} [OPTIONS]")),
        }
    }

    /// The command line of `trellis` that the arguments stand for. What it gets by its name stands first, because
    /// the last one of several values counts.
    pub(super) fn line(&self, arguments: Vec<OsString>) -> Vec<OsString> {
        let own = match self {
            Self::Trellis => return arguments,
            Self::Provider(provider) => vec!["run", "--provider", provider, "--webhook-config-server-port=443"],
            // The Service of the existing chart has this port, which its command line does not say.
            Self::Admission(provider) => vec![
                "admission",
                "--provider",
                provider,
                "--webhook-config-server-port=443",
                "--webhook-config-service-port=443",
            ],
        };
        let mut line: Vec<OsString> =
            ["trellis"].into_iter().chain(own).chain(["--cloud=real"]).map(Into::into).collect();
        let mut asks_version = false;
        for argument in arguments.into_iter().skip(1) {
            match version(&argument) {
                Some(asks) => asks_version = asks,
                None => line.push(argument),
            }
        }
        if asks_version {
            // After the others, so that a wrong one among them is an error here too.
            line.push("--version".into());
        }
        line
    }
}

/// Whether an argument asks for the version; none where it is about something else.
fn version(argument: &OsString) -> Option<bool> {
    match argument.to_str()?.strip_prefix("--version")? {
        "" => Some(true),
        value => boolean(value.strip_prefix('=')?).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Selection;
    use crate::{Command, help};
    use trellis_kubernetes::controller::process::options::Options;
    use trellis_kubernetes::webhook::registration::Reach;
    use trellis_runner::transport::Endpoint;

    fn line(arguments: &[&str]) -> String {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let line = Called::of(&arguments).line(arguments);
        line.iter().map(|argument| argument.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_name_of_an_existing_program_stands_for_a_command_and_a_provider() {
        let run = "trellis run --provider p --webhook-config-server-port=443 --cloud=real";
        assert_eq!(line(&["/gardener-extension-provider-p", "--a", "b"]), format!("{run} --a b"));
        assert_eq!(line(&["gardener-extension-provider-p"]), run);
        assert_eq!(
            line(&["./x/gardener-extension-admission-p", "--a=b"]),
            "trellis admission --provider p --webhook-config-server-port=443 --webhook-config-service-port=443 \
             --cloud=real --a=b"
        );
        for other in
            ["trellis", "gardener-extension-provider-", "gardener-extension-network-p", "/a-b/trellis", ""]
        {
            assert_eq!(line(&[other, "--a", "--version"]), format!("{other} --a --version"));
        }
        assert_eq!(line(&[]), "");
    }

    /// What the extension of a seed is to do.
    fn resolved(more: &[&str]) -> Options {
        let own = ["/gardener-extension-provider-alicloud", "--leader-election-namespace=n"];
        let arguments: Vec<OsString> = own.iter().chain(more).map(OsString::from).collect();
        let cli = help::parse(&Called::of(&arguments).line(arguments), None).unwrap();
        let Command::Run(run) = cli.command else { panic!("the name stands for `run`") };
        run.options(&Selection::Native).unwrap()
    }

    #[test]
    fn called_by_the_name_of_the_extension_the_program_has_its_defaults_and_the_real_cloud() {
        let place = ["--heartbeat-namespace=n", "--webhook-config-namespace=n"];
        let options = resolved(&place);
        assert_eq!((options.provider.as_str(), &options.endpoint), ("alicloud", &Endpoint::Cloud));
        let webhooks = options.webhooks.unwrap();
        assert_eq!(webhooks.address.port(), 443);
        assert_eq!(webhooks.reach, Reach::Service { namespace: "n".to_owned(), port: 443 });
        let other = ["--cloud=http://127.0.0.1:1", "--webhook-config-server-port=10250", "--read-only"];
        let options = resolved(&[&place[..], &other].concat());
        assert_ne!(options.endpoint, Endpoint::Cloud);
        assert_eq!((options.webhooks.unwrap().address.port(), options.safeguards.read_only), (10250, true));
    }

    #[test]
    fn the_command_line_of_a_garden_leaves_two_controllers_and_no_webhook() {
        let options = resolved(&[
            "--heartbeat-namespace=n",
            "--webhook-config-namespace=n",
            "--controllers=backupbucket,dnsrecord",
            "--disable-webhooks=\"*\"",
            "--extension-classes=garden",
        ]);
        let controllers: Vec<&str> = options.controllers.0.keys().copied().collect();
        assert_eq!(controllers, ["backupbucket", "dnsrecord"]);
        assert!(options.webhooks.is_none() && options.heartbeat.is_none());
        assert_eq!(options.classes, ["garden"]);
    }

    #[test]
    fn the_version_is_asked_for_as_of_the_existing_programs() {
        let asks = |arguments: &[&str]| {
            let line = line(&[&["gardener-extension-provider-p"], arguments].concat());
            line.split_once("--cloud=real").unwrap().1.trim().to_owned()
        };
        assert_eq!(asks(&["--version", "--a"]), "--a --version");
        assert_eq!(asks(&["--version=true"]), "--version");
        assert_eq!(asks(&["--version", "--version=false"]), "");
        assert_eq!(asks(&["--version=x", "--versions"]), "--version=x --versions");
    }
}
