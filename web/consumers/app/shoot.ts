/** A Shoot with one zone and one worker pool. */
export function shoot(infrastructureConfig: object) {
  return {
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    metadata: { name: "crazy-botany", namespace: "garden-dev" },
    spec: {
      cloudProfileName: "alicloud",
      region: "eu-central-1",
      credentialsBindingName: "my-account",
      kubernetes: { version: "1.33.2" },
      networking: { type: "calico", nodes: "10.250.0.0/16", pods: "172.16.0.0/16", services: "172.17.0.0/20" },
      provider: { type: "alicloud", infrastructureConfig, workers: [pool("worker", "eu-central-1a")] },
    },
  };
}

/** The Shoot with thousands of pools, each wrong, which takes long to judge. */
export function largeShoot(small: ReturnType<typeof shoot>) {
  const large = structuredClone(small);
  large.spec.provider.workers = Array.from({ length: 3_900 }, (_, index) => pool(`pool-${index}`, `nowhere-${index}`));
  return large;
}

function pool(name: string, zone: string) {
  return {
    name,
    machine: { type: "ecs.sn2ne.large", image: { name: "coreos", version: "2023.5.0" } },
    minimum: 1,
    maximum: 2,
    volume: { size: "50Gi", type: "cloud_efficiency" },
    zones: [zone],
  };
}
