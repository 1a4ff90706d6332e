//! What webhooks change in the objects of control planes, seeds and Shoots.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

const DEPLOYMENT: &[&str] = &["Deployment"];
const AUTOSCALER: &[&str] = &["VerticalPodAutoscaler"];
const NODES: &[&str] = &["OperatingSystemConfig"];
const ETCD: &[&str] = &["Etcd"];
const SECRET: &[&str] = &["Secret"];
const SERVICE: &[&str] = &["Service"];

/// Where the encoding of a file is.
const ENCODED: &str = "Correct the content of the file; its encoding is `b64` or the empty text.";

rules! {
    CPW_001 = Rule::default("ALI-CPW-001", DEPLOYMENT, Both)
        .summary("The kube-controller-manager has the flag `--cloud-provider=external`.")
        .why("The cloud controller manager runs next to it, and two of them would quarrel over the cloud.")
        .fix("Leave the flag to the webhook.");
    CPW_002 = Rule::default("ALI-CPW-002", DEPLOYMENT, Both)
        .summary("The machine-controller-manager has a sidecar for Alibaba Cloud.")
        .why("The sidecar calls the cloud; the machine-controller-manager itself knows no cloud.")
        .fix("Let the host read the Cluster, and give an image for the sidecar.");
    CPW_003 = Rule::default("ALI-CPW-003", AUTOSCALER, Both)
        .summary("The autoscaler of the machine-controller-manager controls the requests of the sidecar alone.")
        .why("The sidecar has no limits that the autoscaler could scale with its requests.")
        .fix("Leave the policy of the container to the webhook.");
    CPW_004 = Rule::default("ALI-CPW-004", NODES, Both)
        .summary("The unit of the kubelet leaves the cloud to the cloud controller manager, and asks the cloud for the node's id.")
        .why("The cloud controller manager finds the machine of a node by that id, which only the machine itself can ask for.")
        .fix("Let the host read the Cluster, and correct the unit or the Kubernetes version that is named.");
    CPW_005 = Rule::default("ALI-CPW-005", NODES, Both)
        .summary("The kubelet configuration has `enableControllerAttachDetach: true`, and a placeholder for `providerID`.")
        .why("A controller attaches disks. The node replaces the placeholder by its own id before the kubelet starts.")
        .fix("Correct the kubelet configuration.");
    CPW_006 = Rule::default("ALI-CPW-006", NODES, Both)
        .summary("The settings of the kernel stay as they are.")
        .why("Alibaba Cloud needs none; the existing extension refuses a file that it cannot decode.")
        .fix(ENCODED)
        .informative("The row changes nothing; a file that cannot be decoded is refused.");
    CPW_007 = Rule::default("ALI-CPW-007", NODES, Both)
        .summary("Nodes that start, further units and files, and the configuration of containerd stay as they are.")
        .why("Alibaba Cloud needs nothing of its own there.")
        .fix("There is nothing to do.")
        .informative("The row changes nothing.");
    CPW_008 = Rule::default("ALI-CPW-008", DEPLOYMENT, Both)
        .summary("The kube-apiserver, the kube-scheduler, the cluster-autoscaler and others stay as they are.")
        .why("They have no flags for clouds.")
        .fix("There is nothing to do.")
        .informative("The row changes nothing.");
    CPW_009 = Rule::default("ALI-CPW-009", ETCD, Both)
        .summary("The volume of `etcd-main` has the class and the capacity of the extension's configuration.")
        .why("Its speed decides that of the kube-apiserver; without a configuration it has 20Gi of the default class.")
        .fix("Set `etcd.storage` in the configuration of the extension.");
    CPW_010 = Rule::default("ALI-CPW-010", ETCD, Both)
        .summary("The volumes of other etcds have 20Gi of the default class.")
        .why("The cloud has no smaller volumes.")
        .fix("Leave class and capacity to the webhook.");
    CPW_011 = Rule::default("ALI-CPW-011", SECRET, Both)
        .summary("The Secret `cloudprovider` has `credentialsFile`: its access key in the format of the cloud's SDKs.")
        .why("The CSI driver reads its credentials from that file.")
        .fix("Give the Secret the keys `accessKeyID` and `accessKeySecret`.");
    DEF_020 = Rule::default("ALI-DEF-020", SERVICE, Both)
        .summary("A Service of the type LoadBalancer has the size of load balancer of the extension's configuration.")
        .why("The operator of the seed chooses what load balancers of the ingress controller cost.")
        .fix("Set `service.backendLoadBalancerSpec` in the configuration of the extension.");
    DEF_021 = Rule::default("ALI-DEF-021", SERVICE, Both)
        .summary("A Service of the type LoadBalancer has `externalTrafficPolicy: Local`.")
        .why("The load balancer sends traffic to nodes with a pod alone, and pods see the addresses of clients.")
        .fix("Leave the policy to the webhook.");
    DEF_022 = Rule::default("ALI-DEF-022", SERVICE, Update)
        .summary("A Service of the type LoadBalancer keeps its `healthCheckNodePort` where it is left out.")
        .why("The load balancer checks that port, and Kubernetes allows nobody to change it.")
        .fix("Leave the port out, or write the one that the Service has.");
}
