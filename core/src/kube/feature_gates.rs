//! The feature gates that Kubernetes components know, by version.
//!
//! Source: the table of Gardener's library v1.143.1. A gate exists from the version on that added it, up to the version before
//! the one that removed it. From the version on that locked it, it has one value only.

use super::version::Version;

use crate::collections::NameMap;

/// A gate: its name, the minor versions of Kubernetes 1 that added and removed it, and the minor version that locked it, with
/// the value.
type Row = (&'static str, Option<u64>, Option<u64>, Option<(u64, bool)>);

/// Why a feature gate cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureGateError {
    /// No version has the gate.
    #[error("unknown feature gate {0}")]
    Unknown(String),
    /// The Kubernetes version cannot be read.
    #[error("invalid semantic version")]
    Version,
    /// The version does not have the gate.
    #[error("not supported in Kubernetes version {0}")]
    Unsupported(String),
    /// The version has the gate with one value only.
    #[error("cannot set feature gate to {requested}, feature is locked to {locked}")]
    Locked {
        /// The value that somebody wants to set.
        requested: bool,
        /// The value that the version has.
        locked: bool,
    },
}

/// Checks that a gate may have that value in a Kubernetes version.
pub fn check(gate: &str, value: bool, version: &str) -> Result<(), FeatureGateError> {
    let row = GATES.binary_search_by_key(&gate, |row| row.0).ok().and_then(|index| GATES.get(index));
    let Some((_, added, removed, locked)) = row else {
        return Err(FeatureGateError::Unknown(gate.to_owned()));
    };
    let parsed = Version::parse(version).ok_or(FeatureGateError::Version)?;
    let reached = |minor: u64| parsed >= Version::minor_release(minor);
    if added.is_some_and(|minor| !reached(minor)) || removed.is_some_and(reached) {
        return Err(FeatureGateError::Unsupported(version.to_owned()));
    }
    match *locked {
        Some((minor, locked)) if reached(minor) && value != locked => {
            Err(FeatureGateError::Locked { requested: value, locked })
        }
        _ => Ok(()),
    }
}

/// Checks every gate. Gives the errors by gate, in order of the names.
pub fn check_all<'a>(gates: &NameMap<'a, bool>, version: &str) -> Vec<(&'a str, FeatureGateError)> {
    gates
        .iter()
        .filter_map(|(gate, value)| check(gate, *value, version).err().map(|error| (gate, error)))
        .collect()
}

/// All gates, sorted by name.
#[rustfmt::skip]
const GATES: &[Row] = &[
    ("APIListChunking", None, Some(33), Some((29, true))),
    ("APIPriorityAndFairness", None, Some(31), Some((29, true))),
    ("APIResponseCompression", None, None, None),
    ("APIServerIdentity", None, None, None),
    ("APIServerTracing", None, None, Some((34, true))),
    ("APIServingWithRoutine", Some(30), None, None),
    ("AdmissionWebhookMatchConditions", None, Some(33), Some((30, true))),
    ("AggregatedDiscoveryEndpoint", None, Some(33), Some((30, true))),
    ("AggregatedDiscoveryRemoveBetaType", Some(33), None, Some((35, true))),
    ("AllAlpha", Some(17), None, None),
    ("AllBeta", Some(17), None, None),
    ("AllowDNSOnlyNodeCSR", Some(31), None, None),
    ("AllowInsecureKubeletCertificateSigningRequests", Some(31), None, None),
    ("AllowOverwriteTerminationGracePeriodSeconds", Some(32), None, Some((35, false))),
    ("AllowParsingUserUIDFromCertAuth", Some(33), None, None),
    ("AllowServiceLBStatusOnNonLB", Some(29), Some(35), Some((32, false))),
    ("AllowUnsafeMalformedObjectDeletion", Some(32), None, None),
    ("AnonymousAuthConfigurableEndpoints", Some(31), None, Some((34, true))),
    ("AnyVolumeDataSource", None, None, Some((33, true))),
    ("AppArmor", None, Some(33), Some((31, true))),
    ("AppArmorFields", Some(30), Some(33), Some((31, true))),
    ("AuthorizeNodeWithSelectors", Some(31), None, Some((34, true))),
    ("AuthorizePodWebsocketUpgradeCreatePermission", Some(35), None, None),
    ("AuthorizeWithSelectors", Some(31), None, Some((34, true))),
    ("BtreeWatchCache", Some(32), None, Some((33, true))),
    ("CBORServingAndStorage", Some(32), None, None),
    ("CPUManager", None, Some(33), Some((26, true))),
    ("CPUManagerPolicyAlphaOptions", None, None, None),
    ("CPUManagerPolicyBetaOptions", None, None, None),
    ("CPUManagerPolicyOptions", None, None, Some((33, true))),
    ("CRDObservedGenerationTracking", Some(35), None, None),
    ("CRDValidationRatcheting", Some(28), None, Some((33, true))),
    ("CSIMigrationPortworx", None, None, Some((33, true))),
    ("CSIMigrationRBD", None, Some(31), None),
    ("CSINodeExpandSecret", None, Some(31), Some((29, true))),
    ("CSIServiceAccountTokenSecrets", Some(35), None, None),
    ("CSIVolumeHealth", None, None, None),
    ("ChangeContainerStatusOnKubeletRestart", Some(35), None, None),
    ("ClearingNominatedNodeNameAfterBinding", Some(34), None, None),
    ("CloudControllerManagerWatchBasedRoutesReconciliation", Some(35), None, None),
    ("CloudControllerManagerWebhook", None, None, None),
    ("CloudDualStackNodeIPs", None, Some(32), Some((30, true))),
    ("ClusterTrustBundle", None, None, None),
    ("ClusterTrustBundleProjection", Some(29), None, None),
    ("ComponentFlagz", Some(32), None, None),
    ("ComponentSLIs", None, Some(35), None),
    ("ComponentStatusz", Some(32), None, None),
    ("ConcurrentWatchObjectDecode", Some(31), None, None),
    ("ConsistentHTTPGetHandlers", Some(26), Some(31), Some((30, true))),
    ("ConsistentListFromCache", Some(28), None, Some((34, true))),
    ("ConstrainedImpersonation", Some(35), None, None),
    ("ContainerCheckpoint", None, None, None),
    ("ContainerRestartRules", Some(34), None, None),
    ("ContainerStopSignals", Some(33), None, None),
    ("ContextualLogging", None, None, Some((30, true))),
    ("CoordinatedLeaderElection", Some(31), None, None),
    ("CronJobsScheduledAnnotation", Some(28), Some(35), Some((32, true))),
    ("CrossNamespaceVolumeDataSource", None, None, None),
    ("CustomCPUCFSQuotaPeriod", None, None, None),
    ("CustomResourceFieldSelectors", Some(30), None, Some((32, true))),
    ("CustomResourceValidationExpressions", None, Some(31), Some((29, true))),
    ("DRAAdminAccess", Some(32), None, None),
    ("DRAConsumableCapacity", Some(34), None, None),
    ("DRAControlPlaneController", Some(26), Some(32), None),
    ("DRADeviceBindingConditions", Some(34), None, None),
    ("DRADeviceTaintRules", Some(35), None, None),
    ("DRADeviceTaints", Some(33), None, None),
    ("DRAExtendedResource", Some(34), None, None),
    ("DRAPartitionableDevices", Some(33), None, None),
    ("DRAPrioritizedList", Some(33), None, None),
    ("DRAResourceClaimDeviceStatus", Some(32), None, None),
    ("DRASchedulerFilterTimeout", Some(34), None, None),
    ("DeclarativeValidation", Some(33), None, None),
    ("DeclarativeValidationTakeover", Some(33), None, None),
    ("DefaultHostNetworkHostPortsInPodTemplates", Some(28), Some(31), None),
    ("DeploymentReplicaSetTerminatingReplicas", Some(33), None, None),
    ("DetectCacheInconsistency", Some(34), None, None),
    ("DevicePluginCDIDevices", Some(28), Some(34), Some((31, true))),
    ("DisableAllocatorDualWrite", Some(31), None, Some((35, true))),
    ("DisableCPUQuotaWithExclusiveCPUs", Some(33), None, None),
    ("DisableCloudProviders", None, Some(33), Some((31, true))),
    ("DisableKubeletCloudCredentialProviders", None, Some(33), Some((31, true))),
    ("DisableNodeKubeProxyVersion", Some(29), None, None),
    ("DynamicResourceAllocation", None, None, Some((35, true))),
    ("EfficientWatchResumption", None, Some(33), Some((24, true))),
    ("ElasticIndexedJob", None, Some(34), Some((31, true))),
    ("EnvFiles", Some(34), None, None),
    ("EventedPLEG", None, None, None),
    ("ExecProbeTimeout", None, None, Some((35, true))),
    ("ExternalServiceAccountTokenSigner", Some(32), None, None),
    ("GangScheduling", Some(35), None, None),
    ("GenericWorkload", Some(35), None, None),
    ("GitRepoVolumeDriver", Some(33), None, None),
    ("GracefulNodeShutdown", None, None, None),
    ("GracefulNodeShutdownBasedOnPodPriority", None, None, None),
    ("HPAConfigurableTolerance", Some(33), None, None),
    ("HPAContainerMetrics", Some(20), Some(32), Some((30, true))),
    ("HPAScaleToZero", None, None, None),
    ("HonorPVReclaimPolicy", None, None, Some((33, true))),
    ("HostnameOverride", Some(34), None, None),
    ("ImageMaximumGCAge", Some(29), None, Some((35, true))),
    ("ImageVolume", Some(31), None, None),
    ("InPlacePodLevelResourcesVerticalScaling", Some(35), None, None),
    ("InPlacePodVerticalScaling", Some(27), None, Some((35, true))),
    ("InPlacePodVerticalScalingAllocatedStatus", Some(32), None, None),
    ("InPlacePodVerticalScalingExclusiveCPUs", Some(32), None, None),
    ("InPlacePodVerticalScalingExclusiveMemory", Some(34), None, None),
    ("InTreePluginAWSUnregister", None, Some(31), None),
    ("InTreePluginAzureDiskUnregister", None, Some(31), None),
    ("InTreePluginAzureFileUnregister", None, Some(31), None),
    ("InTreePluginGCEUnregister", None, Some(31), None),
    ("InTreePluginOpenStackUnregister", None, Some(31), None),
    ("InTreePluginPortworxUnregister", None, None, None),
    ("InTreePluginRBDUnregister", None, Some(31), None),
    ("InTreePluginvSphereUnregister", None, Some(31), None),
    ("InformerResourceVersion", Some(30), None, None),
    ("JobBackoffLimitPerIndex", Some(28), None, Some((33, true))),
    ("JobManagedBy", Some(30), None, Some((35, true))),
    ("JobPodFailurePolicy", None, Some(33), Some((31, true))),
    ("JobPodReplacementPolicy", Some(28), None, Some((34, true))),
    ("JobReadyPods", None, Some(31), Some((29, true))),
    ("JobSuccessPolicy", Some(30), None, Some((33, true))),
    ("KMSv1", Some(28), None, None),
    ("KMSv2", Some(25), Some(32), Some((29, true))),
    ("KMSv2KDF", Some(28), Some(32), Some((29, true))),
    ("KubeProxyDrainingTerminatingNodes", Some(28), Some(33), Some((31, true))),
    ("KubeletCgroupDriverFromCRI", Some(28), None, Some((34, true))),
    ("KubeletCrashLoopBackOffMax", Some(32), None, None),
    ("KubeletEnsureSecretPulledImages", Some(33), None, None),
    ("KubeletFineGrainedAuthz", Some(32), None, None),
    ("KubeletInUserNamespace", None, None, None),
    ("KubeletPSI", Some(33), None, None),
    ("KubeletPodResourcesDynamicResources", None, None, None),
    ("KubeletPodResourcesGet", None, None, None),
    ("KubeletPodResourcesListUseActivePods", Some(34), None, None),
    ("KubeletRegistrationGetOnExistsOnly", Some(32), None, None),
    ("KubeletSeparateDiskGC", Some(29), None, None),
    ("KubeletServiceAccountTokenForCredentialProviders", Some(33), None, None),
    ("KubeletTracing", None, None, Some((34, true))),
    ("LegacyServiceAccountTokenCleanUp", Some(28), Some(32), Some((30, true))),
    ("LegacySidecarContainers", Some(33), Some(34), None),
    ("ListFromCacheSnapshot", Some(33), None, None),
    ("LoadBalancerIPMode", Some(29), Some(35), Some((32, true))),
    ("LocalStorageCapacityIsolationFSQuotaMonitoring", None, None, None),
    ("LogarithmicScaleDown", None, None, Some((31, true))),
    ("MatchLabelKeysInPodAffinity", Some(29), None, Some((33, true))),
    ("MatchLabelKeysInPodTopologySpread", None, None, None),
    ("MatchLabelKeysInPodTopologySpreadSelectorMerge", Some(34), None, None),
    ("MaxUnavailableStatefulSet", None, None, None),
    ("MemoryManager", Some(21), None, Some((32, true))),
    ("MemoryQoS", None, None, None),
    ("MinDomainsInPodTopologySpread", Some(24), Some(32), Some((30, true))),
    ("MultiCIDRServiceAllocator", None, None, Some((34, true))),
    ("MutableCSINodeAllocatableCount", Some(33), None, None),
    ("MutablePVNodeAffinity", Some(35), None, None),
    ("MutablePodResourcesForSuspendedJobs", Some(35), None, None),
    ("MutableSchedulingDirectivesForSuspendedJobs", Some(35), None, None),
    ("MutatingAdmissionPolicy", Some(30), None, None),
    ("NFTablesProxyMode", Some(29), None, Some((33, true))),
    ("NewVolumeManagerReconstruction", Some(25), Some(32), Some((30, true))),
    ("NodeDeclaredFeatures", Some(35), None, None),
    ("NodeInclusionPolicyInPodTopologySpread", None, None, Some((33, true))),
    ("NodeLogQuery", None, None, None),
    ("NodeOutOfServiceVolumeDetach", Some(24), Some(32), Some((28, true))),
    ("NodeSwap", None, None, Some((34, true))),
    ("NominatedNodeNameForExpectation", Some(34), None, None),
    ("OpenAPIEnums", None, None, None),
    ("OpportunisticBatching", Some(35), None, None),
    ("OrderedNamespaceDeletion", Some(33), None, Some((34, true))),
    ("PDBUnhealthyPodEvictionPolicy", None, Some(33), Some((31, true))),
    ("PersistentVolumeLastPhaseTransitionTime", Some(28), Some(33), Some((31, true))),
    ("PodAndContainerStatsFromCRI", None, None, None),
    ("PodCertificateRequest", Some(34), None, None),
    ("PodDeletionCost", None, None, None),
    ("PodDisruptionConditions", None, Some(34), Some((31, true))),
    ("PodHostIPs", Some(28), Some(32), Some((30, true))),
    ("PodIndexLabel", Some(28), Some(35), Some((32, true))),
    ("PodLevelResources", Some(32), None, None),
    ("PodLifecycleSleepAction", Some(29), None, Some((34, true))),
    ("PodLifecycleSleepActionAllowZero", Some(32), None, Some((34, true))),
    ("PodLogsQuerySplitStreams", Some(32), None, None),
    ("PodObservedGenerationTracking", Some(33), None, Some((35, true))),
    ("PodReadyToStartContainersCondition", Some(28), None, None),
    ("PodSchedulingReadiness", None, None, Some((30, true))),
    ("PodTopologyLabelsAdmission", Some(33), None, None),
    ("PortForwardWebsockets", Some(30), None, None),
    ("PreferAlignCpusByUncoreCache", Some(32), None, None),
    ("PreferSameTrafficDistribution", Some(33), None, Some((35, true))),
    ("PreventStaticPodAPIReferences", Some(34), None, None),
    ("ProbeHostPodSecurityStandards", Some(34), Some(35), Some((34, true))),
    ("ProcMountType", None, None, None),
    ("QOSReserved", None, None, None),
    ("ReadWriteOncePod", None, Some(31), Some((29, true))),
    ("RecoverVolumeExpansionFailure", Some(28), None, Some((34, true))),
    ("RecursiveReadOnlyMounts", Some(30), None, Some((33, true))),
    ("ReduceDefaultCrashLoopBackOffDecay", Some(33), None, None),
    ("RelaxedDNSSearchValidation", Some(32), None, Some((34, true))),
    ("RelaxedEnvironmentVariableValidation", Some(30), None, Some((34, true))),
    ("RelaxedServiceNameValidation", Some(34), None, None),
    ("ReloadKubeletServerCertificateFile", Some(31), None, None),
    ("RemainingItemCount", None, Some(33), Some((29, true))),
    ("RemoteRequestHeaderUID", Some(32), None, None),
    ("ResilientWatchCacheInitialization", Some(31), None, Some((34, true))),
    ("ResourceHealthStatus", Some(31), None, None),
    ("RestartAllContainersOnContainerExits", Some(35), None, None),
    ("RetryGenerateName", Some(30), None, Some((32, true))),
    ("RotateKubeletServerCertificate", None, None, None),
    ("RuntimeClassInImageCriApi", Some(29), None, None),
    ("SELinuxChangePolicy", Some(32), None, None),
    ("SELinuxMount", Some(30), None, None),
    ("SELinuxMountReadWriteOncePod", None, None, Some((29, true))),
    ("SchedulerAsyncAPICalls", Some(34), None, None),
    ("SchedulerAsyncPreemption", Some(32), None, None),
    ("SchedulerPopFromBackoffQ", Some(33), None, None),
    ("SchedulerQueueingHints", Some(28), None, Some((34, true))),
    ("SeparateCacheWatchRPC", Some(28), None, None),
    ("SeparateTaintEvictionController", Some(29), None, Some((34, true))),
    ("ServerSideApply", Some(14), Some(32), Some((22, true))),
    ("ServerSideFieldValidation", Some(23), Some(32), Some((27, true))),
    ("ServiceAccountNodeAudienceRestriction", Some(32), None, None),
    ("ServiceAccountTokenJTI", Some(29), None, Some((32, true))),
    ("ServiceAccountTokenNodeBinding", Some(29), None, Some((33, true))),
    ("ServiceAccountTokenNodeBindingValidation", Some(29), None, Some((32, true))),
    ("ServiceAccountTokenPodNodeInfo", Some(29), None, Some((32, true))),
    ("ServiceNodePortStaticSubrange", None, Some(31), Some((29, true))),
    ("ServiceTrafficDistribution", Some(30), None, Some((33, true))),
    ("SidecarContainers", Some(28), None, Some((33, true))),
    ("SizeBasedListCostEstimate", Some(34), None, None),
    ("SizeMemoryBackedVolumes", Some(20), Some(35), Some((32, true))),
    ("SkipReadOnlyValidationGCE", Some(28), Some(31), None),
    ("StableLoadBalancerNodeSet", None, Some(32), Some((30, true))),
    ("StatefulSetAutoDeletePVC", Some(23), Some(35), Some((32, true))),
    ("StatefulSetStartOrdinal", None, Some(34), Some((31, true))),
    ("StorageCapacityScoring", Some(33), None, None),
    ("StorageNamespaceIndex", Some(30), None, None),
    ("StorageVersionAPI", None, None, None),
    ("StorageVersionHash", None, None, None),
    ("StorageVersionMigrator", Some(30), None, None),
    ("StreamingCollectionEncodingToJSON", Some(33), None, Some((34, true))),
    ("StreamingCollectionEncodingToProtobuf", Some(33), None, Some((34, true))),
    ("StrictCostEnforcementForVAP", Some(30), Some(35), Some((32, true))),
    ("StrictCostEnforcementForWebhooks", Some(30), Some(35), Some((32, true))),
    ("StrictIPCIDRValidation", Some(33), None, None),
    ("StructuredAuthenticationConfiguration", Some(29), None, Some((34, true))),
    ("StructuredAuthenticationConfigurationEgressSelector", Some(34), None, None),
    ("StructuredAuthenticationConfigurationJWKSMetrics", Some(35), None, None),
    ("StructuredAuthorizationConfiguration", Some(29), None, Some((32, true))),
    ("SupplementalGroupsPolicy", Some(31), None, Some((35, true))),
    ("SystemdWatchdog", Some(32), None, Some((35, true))),
    ("TaintTolerationComparisonOperators", Some(35), None, None),
    ("TokenRequestServiceAccountUIDValidation", Some(34), None, None),
    ("TopologyAwareHints", None, None, Some((33, true))),
    ("TopologyManagerPolicyAlphaOptions", None, None, None),
    ("TopologyManagerPolicyBetaOptions", None, None, None),
    ("TopologyManagerPolicyOptions", None, None, Some((32, true))),
    ("TranslateStreamCloseWebsocketRequests", Some(29), None, None),
    ("UnauthenticatedHTTP2DOSMitigation", None, None, None),
    ("UnknownVersionInteroperabilityProxy", Some(28), None, None),
    ("UserNamespacesHostNetworkSupport", Some(35), None, None),
    ("UserNamespacesPodSecurityStandards", Some(29), Some(35), None),
    ("UserNamespacesSupport", Some(28), None, None),
    ("ValidatingAdmissionPolicy", None, Some(32), Some((30, true))),
    ("VolumeAttributesClass", Some(29), None, None),
    ("VolumeCapacityPriority", None, Some(33), None),
    ("VolumeLimitScaling", Some(35), None, None),
    ("WatchBookmark", None, Some(33), Some((17, true))),
    ("WatchCacheInitializationPostStartHook", Some(31), None, None),
    ("WatchFromStorageWithoutResourceVersion", None, None, Some((33, false))),
    ("WatchList", None, None, None),
    ("WatchListClient", Some(30), None, None),
    ("WinDSR", None, None, Some((34, true))),
    ("WinOverlay", None, None, Some((34, true))),
    ("WindowsCPUAndMemoryAffinity", Some(32), None, None),
    ("WindowsGracefulNodeShutdown", Some(32), None, None),
    ("WindowsHostNetwork", None, None, None),
    ("ZeroLimitedNominalConcurrencyShares", Some(29), Some(32), Some((30, true))),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_sorted_and_their_intervals_make_sense() {
        assert!(GATES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (gate, added, removed, locked) in GATES {
            assert!(added.is_none_or(|added| removed.is_none_or(|removed| added < removed)), "{gate}");
            assert!(locked.is_none_or(|(locked, _)| added.is_none_or(|added| added <= locked)), "{gate}");
        }
        assert_eq!(GATES.len(), 276);
    }

    #[test]
    fn a_gate_is_judged_by_version_and_lock() {
        let text = |gate, value, version| check(gate, value, version).err().map(|error| error.to_string());
        assert_eq!(text("WatchList", true, "1.30.4"), None);
        assert_eq!(text("Foo", true, "x"), Some("unknown feature gate Foo".into()));
        assert_eq!(text("WatchList", true, ""), Some("invalid semantic version".into()));
        assert_eq!(
            text("CustomResourceFieldSelectors", true, "1.29"),
            Some("not supported in Kubernetes version 1.29".into())
        );
        assert_eq!(
            text("CustomResourceFieldSelectors", false, "v1.32.0-rc.1"),
            Some("cannot set feature gate to false, feature is locked to true".into())
        );
        assert_eq!(text("CustomResourceFieldSelectors", false, "1.31.99"), None);
        assert_eq!(text("AppArmor", true, "1.33.0"), Some("not supported in Kubernetes version 1.33.0".into()));
    }
}
