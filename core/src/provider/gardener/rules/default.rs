//! What the API server fills in, rewrites before it judges, and tidies up after that.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::ALL_KINDS;

const SHOOT: &[&str] = &["Shoot"];
const CLOUD_PROFILE: &[&str] = &["CloudProfile"];
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];

rules! {
    DEF_001 = Rule::default("DEF-1", SHOOT, Both)
        .summary("`spec.kubernetes.kubeAPIServer` is there.")
        .why("Its settings have a place.")
        .fix("There is nothing to do.")
        .informative("The settings that the API server fills in make the object.");
    DEF_002 = Rule::default("DEF-2", SHOOT, Both)
        .summary("`spec.purpose` becomes `evaluation`.")
        .why("What a cluster is for decides how much Gardener does for it, such as monitoring.")
        .fix("Set `spec.purpose`, for example to `production`.");
    DEF_003 = Rule::default("DEF-3", SHOOT, Both)
        .summary("A Shoot in the namespace `garden` tolerates protected Seeds.")
        .why("Protected Seeds are for the clusters of operators.")
        .fix("Choose another namespace for other clusters.");
    DEF_004 = Rule::default("DEF-4", SHOOT, Both)
        .summary("`spec.maintenance.autoUpdate.kubernetesVersion` becomes `true` where `autoUpdate` is left out.")
        .why("Clusters get bug fixes without work.")
        .fix("Set `spec.maintenance.autoUpdate.kubernetesVersion: false` to update by yourself.");
    DEF_005 = Rule::default("DEF-5", SHOOT, Both)
        .summary("`spec.networking` is there.")
        .why("Its settings have a place.")
        .fix("There is nothing to do.")
        .informative("DEF-75 makes the object with the families of addresses.");
    DEF_006 = Rule::default("DEF-6", SHOOT, Both)
        .until(149)
        .summary("A worker pool's `machine.architecture` becomes `amd64`.")
        .why("Machine types and images are chosen by it.")
        .fix("Set `machine.architecture: arm64` for machines of that kind.");
    DEF_007 = Rule::default("DEF-7", SHOOT, Both)
        .summary("A worker pool's `cri.name` becomes `containerd` where `cri` is left out.")
        .why("It is the only runtime that Gardener has.")
        .fix("Write `cri` to add container runtimes such as `gvisor`.");
    DEF_008 = Rule::default("DEF-8", SHOOT, Both)
        .summary("A worker pool's own kubelet settings say how swap is used.")
        .why("The kubelet has to know whether a node may have swap.")
        .fix("Set `failSwapOn` and `memorySwap` in the pool's `kubernetes.kubelet`.");
    DEF_009 = Rule::default("DEF-9", SHOOT, Both)
        .summary("The extension that exposes a self-hosted control plane becomes that of the Shoot's provider.")
        .why("Most clouds have an extension for their own load balancers.")
        .fix("Set `controlPlane.exposure.extension.type`.");
    DEF_011 = Rule::default("DEF-11", SHOOT, Both)
        .summary("`kubeAPIServer.defaultNotReadyTolerationSeconds` becomes 300.")
        .why("Pods leave a node that is not ready, but not for a moment's failure.")
        .fix("Set another number of seconds.");
    DEF_012 = Rule::default("DEF-12", SHOOT, Both)
        .summary("`kubeAPIServer.defaultUnreachableTolerationSeconds` becomes 300.")
        .why("Pods leave a node that nobody reaches, but not for a moment's failure.")
        .fix("Set another number of seconds.");
    DEF_013 = Rule::default("DEF-13", SHOOT, Both)
        .summary("`spec.kubernetes.kubeControllerManager` is there.")
        .why("Its settings have a place.")
        .fix("There is nothing to do.")
        .informative("The settings that the API server fills in make the object.");
    DEF_014 = Rule::default("DEF-14", SHOOT, Both)
        .summary("`kubeControllerManager.nodeCIDRMaskSize` leaves twice as many addresses as a node has pods.")
        .why("A node needs an address for each pod, also while one replaces another.")
        .fix("Set `kubelet.maxPods`, or the size itself; it cannot be changed later.");
    DEF_015 = Rule::default("DEF-15", SHOOT, Both)
        .summary("`kubeControllerManager.nodeCIDRMaskSize` becomes 64 where addresses are IPv6 only.")
        .why("It is the usual size of a network in IPv6.")
        .fix("Set the size; it cannot be changed later.");
    DEF_016 = Rule::default("DEF-16", SHOOT, Both)
        .summary("Both sizes of the ranges of nodes are set where addresses are IPv4 and IPv6.")
        .why("A node needs a range of each family.")
        .fix("Set `nodeCIDRMaskSize` and `nodeCIDRMaskSizeIPv6`; they cannot be changed later.");
    DEF_018 = Rule::default("DEF-18", SHOOT, Both)
        .summary("`kubeControllerManager.nodeMonitorGracePeriod` becomes 40 seconds.")
        .why("A node that is silent for longer counts as gone.")
        .fix("Set another duration.");
    DEF_019 = Rule::default("DEF-19", SHOOT, Both)
        .summary("`kubeScheduler.profile` becomes `balanced`.")
        .why("Pods are spread over the nodes.")
        .fix("Set `bin-packing` to fill nodes, and so need fewer.");
    DEF_020 = Rule::default("DEF-20", SHOOT, Both)
        .summary("kube-proxy runs, in the mode `IPTables`.")
        .why("Services reach their pods by it.")
        .fix("Set `kubeProxy.enabled: false` where the network plug-in takes its place, or another `mode`.");
    DEF_021 = Rule::default("DEF-21", SHOOT, Both)
        .summary("The kubelet settings of the Shoot say how swap is used.")
        .why("The kubelet has to know whether a node may have swap.")
        .fix("Set `failSwapOn` and `memorySwap` in `spec.kubernetes.kubelet`.");
    DEF_022 = Rule::default("DEF-22", SHOOT, Both)
        .summary("`kubelet.imageMinimumGCAge` becomes two minutes.")
        .why("An image that was just pulled is not removed at once.")
        .fix("Set another duration.");
    DEF_023 = Rule::default("DEF-23", SHOOT, Both)
        .summary("`kubelet.imageMaximumGCAge` becomes 0.")
        .why("Images are not removed for their age alone.")
        .fix("Set a duration to remove images that were not used for so long.");
    DEF_024 = Rule::default("DEF-24", SHOOT, Both)
        .summary("`kubelet.imageGCHighThresholdPercent` becomes 50.")
        .why("From there on, unused images are removed.")
        .fix("Set another percentage.");
    DEF_025 = Rule::default("DEF-25", SHOOT, Both)
        .summary("`kubelet.imageGCLowThresholdPercent` becomes 40.")
        .why("Unused images are removed until no more of the disk is full.")
        .fix("Set another percentage.");
    DEF_026 = Rule::default("DEF-26", SHOOT, Both)
        .summary("`kubelet.serializeImagePulls` becomes `true`, unless `maxParallelImagePulls` allows several pulls.")
        .why("The two must not contradict each other.")
        .fix("Set `maxParallelImagePulls` to pull several images at a time.");
    DEF_027 = Rule::default("DEF-27", SHOOT, Both)
        .summary("`spec.maintenance.autoUpdate.machineImageVersion` becomes `true`.")
        .why("Nodes get security fixes without work.")
        .fix("Set it to `false` to update by yourself.");
    DEF_028 = Rule::default("DEF-28", SHOOT, Both)
        .summary("`provider.workersSettings.sshAccess.enabled` becomes `true` where `sshAccess` is left out.")
        .why("Operators can look at a node that fails.")
        .fix("Set it to `false` to close the nodes.");
    DEF_029 = Rule::default("DEF-29", SHOOT, Both)
        .summary("`systemComponents.coreDNS.autoscaling.mode` becomes `horizontal`, also where it is a text that nobody knows.")
        .why("The DNS of a cluster has to grow with its load.")
        .fix("Write `cluster-proportional` to have it grow with the number of nodes.");
    DEF_030 = Rule::default("DEF-30", SHOOT, Both)
        .summary("The dashboard asks for a token.")
        .why("It is the only way that Gardener has.")
        .fix("Leave out `authenticationMode`.");
    DEF_031 = Rule::default("DEF-31", SHOOT, Both)
        .summary("`spec.schedulerName` becomes `default-scheduler`.")
        .why("Gardener's own scheduler chooses the Seed.")
        .fix("Name another scheduler, where there is one.");
    DEF_035 = Rule::default("DEF-35", SHOOT, Both)
        .summary("The vertical pod autoscaler's updates get their settings.")
        .why("They work for most clusters.")
        .fix("Set what you want otherwise in `verticalPodAutoscaler`.");
    DEF_042 = Rule::default("DEF-42", SHOOT, Both)
        .summary("The vertical pod autoscaler's recommendations get their settings.")
        .why("They work for most clusters.")
        .fix("Set what you want otherwise in `verticalPodAutoscaler`.");
    DEF_050 = Rule::default("DEF-50", SHOOT, Both)
        .summary("The cluster autoscaler gets its settings.")
        .why("They work for most clusters.")
        .fix("Set what you want otherwise in `clusterAutoscaler`.");
    DEF_064 = Rule::default("DEF-64", SHOOT, Both)
        .summary("`clusterAutoscaler.maxScaleDownParallelism` becomes `maxEmptyBulkDelete`, or else 10.")
        .why("It takes the place of `maxEmptyBulkDelete`.")
        .fix("Set `maxScaleDownParallelism`.");
    DEF_070 = Rule::default("DEF-70", SHOOT, Both)
        .summary("The API server serves up to 400 requests that read and 200 that write at a time.")
        .why("More would be too much for a small control plane.")
        .fix("Set `kubeAPIServer.requests`.");
    DEF_072 = Rule::default("DEF-72", SHOOT, Both)
        .summary("`kubeAPIServer.eventTTL` becomes an hour.")
        .why("Events are many, and soon of no interest.")
        .fix("Set another duration, up to a day.");
    DEF_073 = Rule::default("DEF-73", SHOOT, Both)
        .summary("`kubeAPIServer.logging.verbosity` becomes 2.")
        .why("Logs of that verbosity show what happened without drowning it.")
        .fix("Set another verbosity.");
    DEF_074 = Rule::default("DEF-74", SHOOT, Both)
        .summary("`kubeAPIServer.encryptionConfig.provider.type` becomes `aescbc`.")
        .why("Secrets are encrypted in etcd.")
        .fix("Set another type, where there is one.");
    DEF_075 = Rule::default("DEF-75", SHOOT, Both)
        .summary("`spec.networking.ipFamilies` becomes `[IPv4]`.")
        .why("Every cloud has it.")
        .fix("Set `[IPv6]`, or both, where the cloud has them.");
    DEF_076 = Rule::default("DEF-76", SHOOT, Both)
        .summary("`spec.maintenance.timeWindow` becomes an hour of the night or day.")
        .why("Not all clusters are maintained at the same time.")
        .fix("Set `spec.maintenance.timeWindow` to choose the hour.")
        .informative("The API server draws the hour by lot; Trellis leaves it open.");
    DEF_077 = Rule::default("DEF-77", SHOOT, Both)
        .summary("Credentials that are renewed by themselves are renewed every week.")
        .why("A person who asks for the rotation means it to happen.")
        .fix("Set `rotationPeriod`.");
    DEF_080 = Rule::default("DEF-80", SHOOT, Both)
        .summary("`addons.nginxIngress.externalTrafficPolicy` becomes `Cluster`.")
        .why("Any node may take a request.")
        .fix("Set `Local` to keep the address of the client.");
    DEF_081 = Rule::default("DEF-81", SHOOT, Both)
        .summary("A worker pool's `updateStrategy` becomes `AutoRollingUpdate`.")
        .why("New machines in the place of old ones are the safest way.")
        .fix("Set `AutoInPlaceUpdate` or `ManualInPlaceUpdate`, where the garden has them.");
    DEF_082 = Rule::default("DEF-82", SHOOT, Both)
        .summary("A worker pool that Gardener updates in place updates one machine at a time.")
        .why("The others do the work.")
        .fix("Set `maxSurge` and `maxUnavailable`.");
    DEF_083 = Rule::default("DEF-83", SHOOT, Both)
        .summary("A worker pool that a person updates in place has no `maxSurge` and no `maxUnavailable`.")
        .why("The person decides when a machine is updated.")
        .fix("There is nothing to do.")
        .informative("The row says that nothing is filled in.");
    DEF_084 = Rule::default("DEF-84", SHOOT, Both)
        .summary("A worker pool whose machines are replaced gets one machine more meanwhile.")
        .why("The work goes on while a machine is replaced.")
        .fix("Set `maxSurge` and `maxUnavailable`.");
    DEF_085 = Rule::default("DEF-85", SHOOT, Both)
        .summary("Machines that are updated in place are not replaced when they are unhealthy for long.")
        .why("An update in place takes a machine out of work for a while.")
        .fix("Set `machineControllerManager.disableHealthTimeout: false`.");
    DEF_086 = Rule::default("DEF-86", SHOOT, Both)
        .summary("A worker pool's `systemComponents.allow` becomes `true` where `systemComponents` is left out.")
        .why("Gardener's own pods need nodes.")
        .fix("Set it to `false` for pools that are for your pods alone.");
    PREP_001 = Rule::default("PREP-1", SHOOT, Create)
        .summary("A new Shoot has no status.")
        .why("Only Gardener writes it.")
        .fix("There is nothing to do.")
        .informative("Trellis leaves a status as it is: no rule reads that of a new Shoot.");
    PREP_002 = Rule::default("PREP-2", SHOOT, Update)
        .until(144)
        .summary("`spec.seedName` stays as it was.")
        .why("Moving a control plane is an operation of its own.")
        .fix("Ask an operator to move the control plane.");
    PREP_003 = Rule::default("PREP-3", SHOOT, Both)
        .summary("The profile is named in the way of the Kubernetes version: by `cloudProfile`, before 1.34 also by `cloudProfileName`.")
        .why("Older clients read `cloudProfileName` alone.")
        .fix("Write `spec.cloudProfile` with `kind` and `name`.");
    PREP_004 = Rule::default("PREP-4", SHOOT, Both)
        .summary("Before Kubernetes 1.35, a DNS provider names its Secret by `credentialsRef` and by `secretName`.")
        .why("Older clients read `secretName` alone.")
        .fix("Write `credentialsRef`.");
    PREP_005 = Rule::default("PREP-5", SHOOT, Update)
        .summary("Annotations with operations name each operation once, without spaces.")
        .why("Gardener reads the list as it is.")
        .fix("Separate operations by `;` alone.");
    PREP_007 = Rule::default("PREP-7", SHOOT, Update)
        .summary("Operations that begin with the update, that others contain, or that have nothing to do leave the annotation.")
        .why("An operation must not begin twice.")
        .fix("Leave the annotation; Gardener begins the operation.");
    PREP_008 = Rule::default("PREP-8", SHOOT, Update)
        .until(147)
        .summary("`kubeAPIServer.eventTTL` becomes a day where it is longer.")
        .why("Events fill the database of the cluster.")
        .fix("Write a duration of up to `24h`.");
    PREP_009 = Rule::default("PREP-9", ALL_KINDS, Both)
        .summary("The API server sets `uid` and the times of creation and deletion itself, and an update leaves the status.")
        .why("They show what happened to the object, and nobody may change that.")
        .fix("Leave them out.");
    CAN_001 = Rule::default("CAN-1", SHOOT, Both)
        .summary("`clusterAutoscaler.maxEmptyBulkDelete` goes.")
        .why("`maxScaleDownParallelism` takes its place.")
        .fix("There is nothing to do.")
        .informative("It goes after the object is judged: the rules have to see it.");
    CAN_002 = Rule::default("CAN-2", SHOOT, Both)
        .summary("`kubeAPIServer.enableAnonymousAuthentication: false` goes.")
        .why("It says what holds anyway.")
        .fix("There is nothing to do.")
        .informative("It goes after the object is judged: the rules have to see it.");
    CAN_003 = Rule::default("CAN-3", SHOOT, Both)
        .summary("`spec.addons` goes where no addon is left.")
        .why("It says nothing then.")
        .fix("There is nothing to do.")
        .informative("It goes after the object is judged: the rules have to see it.");
    CAN_004 = Rule::default("CAN-4", SHOOT, Both)
        .summary("Labels name the Seeds of a Shoot.")
        .why("Gardener finds by them the Shoots of a Seed.")
        .fix("There is nothing to do.")
        .informative("The labels come after the object is judged, and are Gardener's own.");
    CAN_005 = Rule::default("CAN-5", SHOOT, Both)
        .summary("A label marks a self-hosted Shoot.")
        .why("Gardener finds such Shoots by it.")
        .fix("There is nothing to do.")
        .informative("The label comes after the object is judged, and is Gardener's own.");
    MUT_000 = Rule::default("MUT-0", SHOOT, Both)
        .summary("An annotation asks for what a change needs: the network, the DNS records, another try.")
        .why("Not every reconciliation does everything.")
        .fix("Leave the annotation; Gardener removes what is done.");
    MUT_004 = Rule::default("MUT-4", SHOOT, Create)
        .summary("A new Shoot renews the key that encrypts Secrets in etcd every four weeks.")
        .why("A key that was stolen is of no use for long.")
        .fix("Set `rotationPeriod` of `maintenance.autoRotation.credentials.etcdEncryptionKey`; `0s` switches the rotation off.");
    ADM_NET = Rule::default("ADM-NET", SHOOT, Both)
        .summary("`networking.pods` and `networking.services` become the ranges that the Seed has for Shoots without.")
        .why("Pods and Services need addresses.")
        .fix("Set both ranges.");
    MUT_001 = Rule::default("MUT-1", SHOOT, Both)
        .summary("A part of a Kubernetes version, or none, becomes the highest version that the CloudProfile supports and that begins so.")
        .why("A manifest such as `1.33` stays right when there are fixes.")
        .fix("Write a whole version.");
    MUT_002 = Rule::default("MUT-2", SHOOT, Both)
        .summary("A part of a worker pool's Kubernetes version becomes the highest version that the CloudProfile supports and that begins so.")
        .why("A manifest such as `1.33` stays right when there are fixes.")
        .fix("Write a whole version.");
    MUT_003 = Rule::default("MUT-3", SHOOT, Both)
        .summary("A worker pool without an image, or with a part of its version, keeps its image, or gets the highest version that goes with its machine type.")
        .why("Machines need an image, and a new one would replace them.")
        .fix("Write name and version of the image.");
    MUT_005 = Rule::default("MUT-5", SHOOT, Both)
        .since(149)
        .summary("A worker pool's `machine.architecture` becomes that of its machine type in the CloudProfile, or `amd64` where the profile does not say.")
        .why("A machine type has one architecture.")
        .fix("Set `machine.architecture` to say it yourself.");
    PREP_CPR_001 = Rule::default("PREP-CPR-1", PROFILES, Both)
        .summary("Kubernetes versions that nobody can use and image versions that are expired leave a new profile, and a \
                  NamespacedCloudProfile that did not have them before.")
        .why("A version that is over helps nobody.")
        .fix("Remove the version, or write a later date.");
    PREP_CPR_002 = Rule::default("PREP-CPR-2", CLOUD_PROFILE, Update)
        .summary("Architectures and the capability `architecture` of images and machine types are written by each other.")
        .why("Older clients read the architectures alone.")
        .fix("Write both.");
    DEF_CPR_001 = Rule::default("DEF-CPR-1", CLOUD_PROFILE, Both)
        .summary("A version of an image has the architecture `amd64`, where the profile defines no capabilities.")
        .why("Machine types and images are matched by it.")
        .fix("Set `architectures`.");
    DEF_CPR_002 = Rule::default("DEF-CPR-2", CLOUD_PROFILE, Both)
        .summary("A machine type has the architecture `amd64`, where the profile defines no capabilities.")
        .why("Machine types and images are matched by it.")
        .fix("Set `architecture`.");
    DEF_CPR_003 = Rule::default("DEF-CPR-3", CLOUD_PROFILE, Both)
        .summary("An image's `updateStrategy` becomes `major`.")
        .why("Nodes get the newest version.")
        .fix("Set `minor` or `patch`.");
    DEF_CPR_004 = Rule::default("DEF-CPR-4", CLOUD_PROFILE, Both)
        .summary("A version of an image has the runtime `containerd`.")
        .why("It is the only runtime that Gardener has.")
        .fix("Write `cri` to add container runtimes such as `gvisor`.");
    DEF_CPR_005 = Rule::default("DEF-CPR-5", PROFILES, Both)
        .summary("Machine types and volume types may be used.")
        .why("A profile lists what it offers.")
        .fix("Set `usable: false` to offer it to nobody any more.");
}
