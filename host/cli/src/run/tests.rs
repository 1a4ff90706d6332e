use super::*;
use clap::{CommandFactory as _, Parser as _};

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    run: RunArguments,
}

fn line(more: &[&str]) -> Result<Line, String> {
    let line = ["trellis", "--provider", "alicloud", "--cloud", "http://127.0.0.1:8751"].iter().chain(more);
    Line::try_parse_from(line).map_err(|error| error.to_string())
}

fn options(more: &[&str]) -> Result<Options, String> {
    line(more)?.run.options(&Selection::Native).map_err(|error| error.to_string())
}

const PLACES: [&str; 5] = [
    "--leader-election-namespace",
    "garden",
    "--heartbeat-namespace",
    "garden",
    "--webhook-config-namespace=garden",
];

#[test]
fn the_defaults_are_those_of_the_existing_extension() {
    let options = options(&PLACES).unwrap();
    let election = options.election.unwrap();
    assert_eq!(
        (election.namespace.as_str(), election.name.as_str()),
        ("garden", "provider-alicloud-leader-election")
    );
    assert_eq!(options.heartbeat, Some(("garden".to_owned(), Duration::from_secs(30))));
    assert_eq!((options.controllers.most("infrastructure"), options.trigger), (Some(5), Trigger::Annotation));
    assert_eq!(options.controllers.most("healthcheck"), Some(5));
    assert_eq!(options.configuration.health_check.period, Duration::from_secs(30));
    assert_eq!(options.classes, ["shoot"]);
    assert_eq!((options.metrics.unwrap().port(), options.health.unwrap().port()), (8080, 8081));
    assert!(!options.safeguards.read_only && options.safeguards.most_destructive.is_none());
}

#[test]
fn calls_for_dns_records_have_the_limit_of_the_existing_extension_or_another_one() {
    let limit = |more: &[&str]| {
        let Limit { rate, wait } = options(&[PLACES.as_slice(), more].concat())?.wire.limit.unwrap();
        Ok::<_, String>((rate.per_second, rate.burst, wait.as_millis()))
    };
    assert_eq!(limit(&[]), Ok((25, 1, 2_000)));
    let flag = |name: &str, value: &str| format!("--dnsrecord-provider-client-{name}={value}");
    let [qps, burst, wait] = [flag("qps", "12.5"), flag("burst", "3"), flag("wait-timeout", "1m500ms")];
    assert_eq!(limit(&[&qps, &burst, &wait]), Ok((12, 3, 60_500)));
    for wrong in [
        flag("qps", "0.5"),
        flag("qps", "many"),
        flag("burst", "0"),
        flag("wait-timeout", "2"),
        flag("wait-timeout", "-2s"),
    ] {
        assert!(limit(&[&wrong]).is_err(), "{wrong}");
    }
}

#[test]
fn controllers_can_be_chosen_and_an_unknown_one_is_an_error() {
    let places = |more: &[&str]| options(&[PLACES.as_slice(), more].concat());
    let heartbeat = places(&["--controllers=heartbeat"]).unwrap();
    assert_eq!((heartbeat.controllers.most("infrastructure"), heartbeat.heartbeat.is_some()), (None, true));
    let health = places(&["--controllers=healthcheck", "--healthcheck-max-concurrent-reconciles=9"]).unwrap();
    assert_eq!((health.controllers.most("healthcheck"), health.controllers.most("controlplane")), (Some(9), None));
    let alone = ["--leader-election=false", "--disable-controllers=heartbeat", "--disable-webhooks=*"];
    let alone = options(&alone).unwrap();
    assert!(alone.webhooks.is_none());
    assert!(
        alone.election.is_none()
            && alone.heartbeat.is_none()
            && alone.controllers.most("infrastructure").is_some()
    );
    assert_eq!(places(&["--controllers=workers"]).unwrap_err(), "cannot enable unknown controller \"workers\"");
    let without = places(&["--disable-controllers=bastion,worker"]).unwrap();
    assert_eq!((without.controllers.most("bastion"), without.controllers.most("controlplane")), (None, Some(5)));
    assert_eq!(places(&["--disable-controllers=x"]).unwrap_err(), "cannot disable unknown controller \"x\"");
}

#[test]
fn a_self_hosted_shoot_is_one_for_webhooks_and_for_controllers() {
    for (more, expected) in [
        (&[][..], false),
        (&["--self-hosted-shoot-cluster"], true),
        (&["--self-hosted-shoot-cluster=false"], false),
    ] {
        let options = options(&[PLACES.as_slice(), more].concat()).unwrap();
        assert_eq!(
            (options.is_self_hosted, options.webhooks.unwrap().is_self_hosted),
            (expected, expected),
            "{more:?}"
        );
    }
}

#[test]
fn a_flag_that_is_there_twice_has_its_last_value_and_lists_add_up() {
    let places = |more: &[&str]| options(&[PLACES.as_slice(), more].concat());
    let twice = places(&[
        "--worker-max-concurrent-reconciles=1",
        "--worker-max-concurrent-reconciles=2",
        "--leader-election-id=a",
        "--leader-election-id=b",
        "--ignore-operation-annotation",
        "--ignore-operation-annotation=f",
        "--read-only=false",
        "--read-only",
        "--disable-controllers=bastion",
        "--disable-controllers=",
        "--disable-controllers=\"controlplane\",heartbeat",
        "--disable-webhooks=shoot",
        "--disable-webhooks=seedprovider",
        "--extension-classes=garden",
        "--extension-classes=seed",
    ]);
    let twice = twice.unwrap();
    assert_eq!((twice.controllers.most("worker"), twice.controllers.most("controlplane")), (Some(2), None));
    assert_eq!(twice.election.unwrap().name, "b");
    assert_eq!((twice.trigger, twice.safeguards.read_only), (Trigger::Annotation, true));
    assert!(twice.heartbeat.is_none());
    assert_eq!(twice.webhooks.unwrap().webhooks.len(), 2);
    assert_eq!(twice.classes, ["garden", "seed"]);
}

#[test]
fn a_truth_value_has_the_forms_of_go_and_takes_no_further_argument() {
    let trigger = |form: &str| options(&[PLACES.as_slice(), &[form]].concat()).map(|options| options.trigger);
    for form in ["", "=true", "=1", "=T"] {
        assert_eq!(trigger(&format!("--ignore-operation-annotation{form}")), Ok(Trigger::Generation), "{form}");
    }
    for form in ["=false", "=0", "=F"] {
        assert_eq!(trigger(&format!("--ignore-operation-annotation{form}")), Ok(Trigger::Annotation), "{form}");
    }
    // Go takes it for `true`, and passes over the rest.
    let apart = line(&["--ignore-operation-annotation", "false"]).map(|_| ());
    assert!(apart.unwrap_err().contains("unexpected argument 'false'"));
}

#[test]
fn every_controller_of_objects_has_its_option_and_stands_in_the_help() {
    let command = Line::command();
    let help = command.get_arguments().find(|argument| argument.get_id() == "controllers").unwrap();
    let help = help.get_help().unwrap().to_string();
    for name in KINDS.map(|kind| kind.controller).into_iter().chain([health_check::NAME]) {
        let most = format!("--{name}-max-concurrent-reconciles=9");
        let options = options(&[PLACES.as_slice(), &[&most]].concat()).unwrap();
        assert_eq!(options.controllers.most(name), Some(9), "{name}");
        let none = format!("--{name}-max-concurrent-reconciles=0");
        let options = self::options(&[PLACES.as_slice(), &[&none]].concat()).unwrap();
        assert_eq!(options.controllers.most(name), Some(1), "{name}");
    }
    for name in known() {
        assert!(help.contains(&format!("`{name}`")), "{name}: {help}");
    }
}

#[test]
fn flags_that_a_chart_leaves_empty_count_as_absent() {
    let empty = [
        "--leader-election-id=",
        "--extension-classes=",
        "--controllers=",
        "--disable-controllers=",
        "--disable-webhooks=",
        "--gardener-version=",
        "--config-file=",
        "--kubeconfig=",
        "--master=",
    ];
    let options = options(&[PLACES.as_slice(), &empty].concat()).unwrap();
    assert_eq!(options.election.unwrap().name, "provider-alicloud-leader-election");
    assert_eq!(options.classes, ["shoot"]);
    assert_eq!((options.access.kubeconfig, options.access.master), (None, None));
    assert_eq!((options.controllers.0.len(), options.webhooks.unwrap().webhooks.len()), (8, 4));
    assert_eq!(named(Some(&String::new())), None);
}

#[test]
fn what_the_process_needs_and_nobody_names_is_an_error() {
    assert_eq!(options(&[]).unwrap_err(), "nothing names the namespace of the Lease");
    let lease = ["--leader-election-namespace", "garden"];
    assert_eq!(options(&lease).unwrap_err(), "nothing names the namespace of the webhooks");
    let lease = [&lease[..], &["--disable-webhooks=*"]].concat();
    assert_eq!(options(&lease).unwrap_err(), "nothing names the namespace of the heartbeat");
    let wrong = options(&["--heartbeat-renew-interval-seconds", "0"]).unwrap_err();
    assert!(wrong.contains("heartbeat-renew-interval-seconds"), "{wrong}");
}

#[test]
fn traces_go_where_the_flag_says() {
    let receiver = |address: &str| line(&["--traces-endpoint", address]).unwrap().run.receiver();
    let found = receiver("http://collector:4318").map(|found| found.unwrap().to_string());
    assert_eq!(found.unwrap(), "http://collector:4318/v1/traces");
    assert!(receiver("collector:4317").unwrap_err().to_string().contains("must have the form `http://HOST:PORT`"));
}
