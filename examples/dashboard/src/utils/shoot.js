/** A new Shoot as the form begins with it: for AWS, the one provider of this sample. */
export function createShootManifest ({ namespace, cloudProfile }) {
  const { regions, kubernetes } = cloudProfile.spec
  return {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'Shoot',
    metadata: { name: 'my-cluster', namespace },
    spec: {
      cloudProfile: { kind: 'CloudProfile', name: cloudProfile.metadata.name },
      region: regions[0].name,
      credentialsBindingName: 'aws',
      kubernetes: { version: kubernetes.versions[0].version },
      networking: { type: 'calico', nodes: '10.250.0.0/16', pods: '100.96.0.0/11', services: '100.64.0.0/13' },
      provider: { type: cloudProfile.spec.type, workers: [createWorker({ name: 'worker-1', cloudProfile })] },
    },
  }
}

export function createWorker ({ name, cloudProfile }) {
  const { machineImages: [image], machineTypes: [type], volumeTypes: [volume], regions } = cloudProfile.spec
  return {
    name,
    machine: { type: type.name, architecture: type.architecture, image: { name: image.name, version: image.versions[0].version } },
    volume: { type: volume.name, size: '50Gi' },
    minimum: 1,
    maximum: 2,
    maxSurge: 1,
    zones: [regions[0].zones[0].name],
  }
}

/** The networks of the zones follow those of the workers. */
export function infrastructureConfigOf ({ workers }) {
  const zones = [...new Set(workers.flatMap(({ zones }) => zones))]
  return {
    apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'InfrastructureConfig',
    networks: {
      vpc: { cidr: '10.250.0.0/16' },
      zones: zones.map((name, index) => ({
        name,
        workers: `10.250.${index * 64}.0/19`,
        public: `10.250.${index * 64 + 32}.0/20`,
        internal: `10.250.${index * 64 + 48}.0/20`,
      })),
    },
  }
}
