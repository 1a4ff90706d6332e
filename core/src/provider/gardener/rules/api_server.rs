//! The API server of a Shoot: its plug-ins, APIs, encryption, and who may ask it.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const NO_START: &str = "The API server does not start with another value.";
const PLUGIN: &str = "The API server asks its plug-ins before it stores an object.";
const APIS: &str = "The API server serves these APIs.";
const AUDIT: &str = "The API server takes its audit policy from that ConfigMap.";
const AUTHENTICATION: &str = "The API server reads from that ConfigMap who may ask it.";
const AUTHORIZATION: &str = "The API server reads from that ConfigMap whom it asks what a user may do.";
const CACHE: &str = "The API server keeps objects in memory for clients that watch them.";
const TOKENS: &str = "Service accounts show a token to the API server, and to others.";
const ISSUER: &str = "Others read below this URL how they check tokens.";
const SECRET: &str = "Gardener encrypts these resources in etcd.";
const ROOM: &str = "Write 0 or more.";
const NAME: &str = "Write the name of a ConfigMap of the Shoot's namespace.";
const URL: &str = "Write a URL such as `https://issuer.example.com`, without a user, `?` and `#`.";

rules! {
    GDN_API_001 = Rule::error("GDN-API-001", SHOOT, Both)
        .summary("From Kubernetes 1.35 on, a Shoot has no `enableAnonymousAuthentication`.")
        .why("The structured authentication says who may ask without a name.")
        .fix("Remove `enableAnonymousAuthentication`, and use `structuredAuthentication` where you need it.");
    GDN_API_002 = Rule::error("GDN-API-002", SHOOT, Both)
        .summary("The Kubernetes version by which admission plug-ins are judged is a version.")
        .why("Each version has its own plug-ins.")
        .fix("Write a version such as `1.33.7`.");
    GDN_API_003 = Rule::error("GDN-API-003", SHOOT, Both)
        .summary("An admission plug-in has a name.")
        .why(PLUGIN)
        .fix("Set `name`, or remove the plug-in.");
    GDN_API_004 = Rule::error("GDN-API-004", SHOOT, Both)
        .summary("An admission plug-in is one that Kubernetes has.")
        .why(NO_START)
        .fix("Correct the name of the plug-in, or remove the plug-in.");
    GDN_API_005 = Rule::error("GDN-API-005", SHOOT, Both)
        .summary("The Kubernetes version has the admission plug-in.")
        .why(NO_START)
        .fix("Remove the plug-in, or choose a Kubernetes version that has it.");
    GDN_API_006 = Rule::error("GDN-API-006", SHOOT, Both)
        .summary("Only an admission plug-in that reads a configuration has one.")
        .why(NO_START)
        .fix("Remove `config`.");
    GDN_API_007 = Rule::error("GDN-API-007", SHOOT, Both)
        .summary("Nobody switches off an admission plug-in that Gardener needs.")
        .why("The cluster would not be safe, or not work, without it.")
        .fix("Remove `disabled`.");
    GDN_API_008 = Rule::error("GDN-API-008", SHOOT, Both)
        .summary("Only an admission plug-in that asks a server has a kubeconfig.")
        .why("The plug-in would not read it.")
        .fix("Remove `kubeconfigSecretName`.");
    GDN_API_009 = Rule::error("GDN-API-009", SHOOT, Both)
        .summary("The configuration of `PodSecurity` is a `PodSecurityConfiguration`.")
        .why(NO_START)
        .fix("Set `apiVersion: pod-security.admission.config.k8s.io/v1` and `kind: PodSecurityConfiguration`.");
    GDN_API_010 = Rule::error("GDN-API-010", SHOOT, Both)
        .summary("Kubernetes can read the configuration of `PodSecurity`.")
        .why(NO_START)
        .fix("Write `apiVersion`, `kind`, the texts of `defaults`, and the lists of `exemptions`.");
    GDN_API_011 = Rule::error("GDN-API-011", SHOOT, Both)
        .summary("An API of `runtimeConfig` is one that Kubernetes has.")
        .why(APIS)
        .fix("Write a group and a version, for example `batch/v1beta1`, or a resource, for example `batch/v1beta1/cronjobs`.");
    GDN_API_012 = Rule::error("GDN-API-012", SHOOT, Both)
        .summary("The Kubernetes version has the API.")
        .why(APIS)
        .fix("Remove the API, or choose a Kubernetes version that has it.");
    GDN_API_013 = Rule::error("GDN-API-013", SHOOT, Both)
        .summary("Nobody switches off an API that Gardener needs.")
        .why("Gardener itself creates such objects in the cluster.")
        .fix("Remove the API from `runtimeConfig`.");
    GDN_API_014 = Rule::error("GDN-API-014", SHOOT, Both)
        .summary("The audit policy names its ConfigMap.")
        .why(AUDIT)
        .fix(NAME);
    GDN_API_015 = Rule::error("GDN-API-015", SHOOT, Both)
        .summary("The namespace of the ConfigMap of an audit policy could be one.")
        .why(AUDIT)
        .fix("Remove `namespace`: the ConfigMap is in the Shoot's namespace.");
    GDN_API_016 = Rule::error("GDN-API-016", SHOOT, Both)
        .summary("`structuredAuthentication` goes with the feature gate `StructuredAuthenticationConfiguration`.")
        .why("Without the gate, the API server does not read it.")
        .fix("Remove the gate from `featureGates`, or remove `structuredAuthentication`.");
    GDN_API_017 = Rule::error("GDN-API-017", SHOOT, Both)
        .summary("`structuredAuthentication` names its ConfigMap.")
        .why(AUTHENTICATION)
        .fix(NAME);
    GDN_API_018 = Rule::error("GDN-API-018", SHOOT, Both)
        .summary("`structuredAuthorization` goes with the feature gate `StructuredAuthorizationConfiguration`.")
        .why("Without the gate, the API server does not read it.")
        .fix("Remove the gate from `featureGates`, or remove `structuredAuthorization`.");
    GDN_API_019 = Rule::error("GDN-API-019", SHOOT, Both)
        .summary("`structuredAuthorization` names its ConfigMap.")
        .why(AUTHORIZATION)
        .fix(NAME);
    GDN_API_020 = Rule::error("GDN-API-020", SHOOT, Both)
        .summary("`structuredAuthorization` has kubeconfigs.")
        .why("The API server asks other servers with them.")
        .fix("Add the name of the authorizer and of a Secret with its kubeconfig to `kubeconfigs`.");
    GDN_API_021 = Rule::error("GDN-API-021", SHOOT, Both)
        .summary("`watchCacheSizes.default` is not negative, and is not there from Kubernetes 1.35 on.")
        .why(CACHE)
        .fix("Remove `default`: the API server chooses the size itself.");
    GDN_API_022 = Rule::error("GDN-API-022", SHOOT, Both)
        .summary("The resource of a watch cache is the name of one, in lower case.")
        .why(CACHE)
        .fix("Write a resource such as `secrets`, and its group as `apiGroup`.");
    GDN_API_023 = Rule::error("GDN-API-023", SHOOT, Both)
        .summary("The group of a watch cache is the name of one, in lower case.")
        .why(CACHE)
        .fix("Write a group such as `apps`.");
    GDN_API_024 = Rule::error("GDN-API-024", SHOOT, Both)
        .summary("The size of a watch cache is not negative.")
        .why(CACHE)
        .fix(ROOM);
    GDN_API_025 = Rule::error("GDN-API-025", SHOOT, Both)
        .summary("`logging.verbosity` and `logging.httpAccessVerbosity` are not negative.")
        .why("The API server logs more with a higher number.")
        .fix(ROOM);
    GDN_API_027 = Rule::error("GDN-API-027", SHOOT, Both)
        .summary("`defaultNotReadyTolerationSeconds` and `defaultUnreachableTolerationSeconds` are not negative.")
        .why("Pods stay so long on a node that does not answer.")
        .fix(ROOM);
    GDN_ENC_001 = Rule::error("GDN-ENC-001", SHOOT, Both)
        .summary("An encrypted resource is in lower case.")
        .why(SECRET)
        .fix("Write a resource such as `configmaps` or `deployments.apps`.");
    GDN_ENC_002 = Rule::error("GDN-ENC-002", SHOOT, Both)
        .summary("An encrypted resource is one that an API serves.")
        .why(SECRET)
        .fix("Remove the resource.");
    GDN_ENC_003 = Rule::error("GDN-ENC-003", SHOOT, Both)
        .summary("An encrypted resource does not end in a dot.")
        .why(SECRET)
        .fix("Write a resource of the core group without a dot, for example `configmaps`.");
    GDN_ENC_004 = Rule::error("GDN-ENC-004", SHOOT, Both)
        .summary("An encrypted resource has no wildcard.")
        .why(SECRET)
        .fix("List each resource.");
    GDN_ENC_005 = Rule::error("GDN-ENC-005", SHOOT, Both)
        .summary("Nobody names events by the group `events.k8s.io`.")
        .why("etcd keeps all events in the core group.")
        .fix("Write `events`.");
    GDN_ENC_006 = Rule::error("GDN-ENC-006", SHOOT, Both)
        .summary("Nobody names resources of the group `extensions`.")
        .why("Kubernetes has the group no more.")
        .fix("Write the group that the resource has now, for example `ingresses.networking.k8s.io`.");
    GDN_ENC_007 = Rule::error("GDN-ENC-007", SHOOT, Both)
        .summary("An encrypted resource is there once.")
        .why(SECRET)
        .fix("Remove the resource.");
    GDN_ENC_008 = Rule::error("GDN-ENC-008", SHOOT, Both)
        .summary("Nobody lists Secrets.")
        .why("Gardener always encrypts them.")
        .fix("Remove the resource.");
    GDN_ENC_009 = Rule::error("GDN-ENC-009", SHOOT, Both)
        .summary("The encryption is `aescbc`, `aesgcm` or `secretbox`.")
        .why(NO_START)
        .fix("Choose one of the listed types.");
    GDN_ENC_010 = Rule::error("GDN-ENC-010", SHOOT, Both)
        .summary("The encryption `aesgcm` has a key that Gardener rotates.")
        .why("A key of AES-GCM is not safe after many writes.")
        .fix("Set `spec.maintenance.autoRotation.credentials.etcdEncryptionKey.rotationPeriod`, for example to `672h`.");
    GDN_API_028 = Rule::error("GDN-API-028", SHOOT, Both)
        .summary("`requests.maxNonMutatingInflight` is between 0 and 5000.")
        .why("The API server answers so many requests at once that read.")
        .fix("Write a number between 0 and 5000.");
    GDN_API_029 = Rule::error("GDN-API-029", SHOOT, Both)
        .summary("`requests.maxMutatingInflight` is between 0 and 2500.")
        .why("The API server answers so many requests at once that write.")
        .fix("Write a number between 0 and 2500.");
    GDN_API_031 = Rule::error("GDN-API-031", SHOOT, Both)
        .summary("`maxTokenExpiration` is not negative.")
        .why(TOKENS)
        .fix("Write a duration between `720h` and `2160h`.");
    GDN_API_032 = Rule::error("GDN-API-032", SHOOT, Both)
        .summary("`maxTokenExpiration` is 30 days or more.")
        .why(TOKENS)
        .fix("Write a duration between `720h` and `2160h`.");
    GDN_API_033 = Rule::error("GDN-API-033", SHOOT, Both)
        .summary("`maxTokenExpiration` is 90 days or less.")
        .why(TOKENS)
        .fix("Write a duration between `720h` and `2160h`.");
    GDN_API_034 = Rule::error("GDN-API-034", SHOOT, Both)
        .summary("The issuer of tokens is a URL with `https`.")
        .why(ISSUER)
        .fix(URL);
    GDN_API_035 = Rule::error("GDN-API-035", SHOOT, Both)
        .summary("An accepted issuer of tokens is a URL with `https`.")
        .why(ISSUER)
        .fix(URL);
    GDN_API_036 = Rule::error("GDN-API-036", SHOOT, Both)
        .summary("An accepted issuer is not the issuer itself.")
        .why("The API server always accepts its own tokens.")
        .fix("Remove the accepted issuer.");
    GDN_API_037 = Rule::error("GDN-API-037", SHOOT, Both)
        .summary("An accepted issuer is there once.")
        .why(TOKENS)
        .fix("Remove the accepted issuer.");
    GDN_API_026 = Rule::error("GDN-API-026", SHOOT, Both)
        .summary("`eventTTL` is not negative, and a day or less.")
        .why("etcd keeps events so long.")
        .fix("Write a duration such as `1h`.");
    GDN_API_039 = Rule::error("GDN-API-039", SHOOT, Both)
        .summary("An audience is there once.")
        .why(TOKENS)
        .fix("Remove the audience.");
    GDN_API_040 = Rule::error("GDN-API-040", SHOOT, Both)
        .summary("An audience has no comma.")
        .why("The API server takes audiences with commas between them.")
        .fix("Write each audience as an entry of its own.");
    GDN_API_041 = Rule::error("GDN-API-041", SHOOT, Both)
        .since(149)
        .summary("`tlsMinVersion` is a version of TLS that the API server has.")
        .why("The API server does not start with another one.")
        .fix("Write `VersionTLS12` or `VersionTLS13`.");
}
