// Texts for the tests of the checker.
import { readFile } from "node:fs/promises";

/** The text of an example, without the line that says what tests expect: places are those of the rest. */
export async function exampleText(name) {
  const text = await readFile(new URL(`../../../examples/${name}.yaml`, import.meta.url), "utf8");
  return text.replace(/^# expect: .*\n/, "");
}

/** A checker whose reviews wait until Gardener's own rules are there. */
export function whole(checker) {
  return { ...checker, review: (input, options) => checker.review({ wait: true, ...input }, options) };
}

/** A Shoot in good order, as a mapping of YAML. */
export const shoot = (name = "crazy-botany", { workers = "10.250.0.0/19", namespace = "garden-dev" } = {}) => `\
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  cloudProfileName: alicloud
  region: eu-central-1
  secretBindingName: my-account
  kubernetes:
    version: 1.33.2
  networking:
    type: calico
    nodes: 10.250.0.0/16
    pods: 172.16.0.0/16
    services: 172.17.0.0/20
  provider:
    type: alicloud
    infrastructureConfig:
      apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1
      kind: InfrastructureConfig
      networks:
        vpc:
          cidr: 10.250.0.0/16
        zones:
        - name: eu-central-1a
          workers: ${workers}
    workers:
    - name: worker
      machine:
        type: ecs.sn2ne.large
        image:
          name: coreos
          version: 2023.5.0
      minimum: 1
      maximum: 2
      volume:
        size: 50Gi
        encrypted: false
        type: cloud_efficiency
      zones:
      - eu-central-1a
`;
