/** Where Gardener's objects have room for a provider's configuration: the kind of it, by path of members. */
export const PLACES = {
  Shoot: [
    ["InfrastructureConfig", "spec.provider.infrastructureConfig"],
    ["ControlPlaneConfig", "spec.provider.controlPlaneConfig"],
    ["WorkerConfig", "spec.provider.workers[].providerConfig"],
  ],
  CloudProfile: [["CloudProfileConfig", "spec.providerConfig"]],
  NamespacedCloudProfile: [["CloudProfileConfig", "spec.providerConfig"]],
  Seed: [["BackupBucketConfig", "spec.backup.providerConfig"]],
  BackupBucket: [["BackupBucketConfig", "spec.providerConfig"]],
} as const;

/** A kind of Gardener whose objects hold a provider's configuration. */
export type HostKind = keyof typeof PLACES;

/** The steps of a path into a schema; `[]` leads to the items of a list. */
export function stepsOf(path: string): string[] {
  return path.replaceAll("[]", ".[]").split(".");
}
