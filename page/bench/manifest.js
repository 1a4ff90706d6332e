// A Shoot of 500 lines and more, with what most Shoots have and many labels.
import { readFileSync } from "node:fs";

const EXAMPLE = new URL("../../examples/two-zones.yaml", import.meta.url);

/** The text of a manifest of at least 500 lines. */
export function longManifest() {
  const text = readFileSync(EXAMPLE, "utf8");
  const labels = Array.from({ length: 60 }, (_, index) => `        example.com/label-${index}: value-${index}`);
  const pools = ["b", "c", "d", "e", "f", "g"].map((letter) => [
    `    - name: pool-${letter}`,
    "      machine:",
    "        type: ecs.g7.large",
    "        image:",
    "          name: gardenlinux",
    "          version: 1592.9.0",
    "      minimum: 1",
    "      maximum: 3",
    "      volume:",
    "        type: cloud_essd",
    "        size: 50Gi",
    "        encrypted: false",
    "      labels:",
    ...labels,
    "      zones:",
    "      - eu-central-1a",
  ]);
  return text.replace(/^ {4}workers:\n/m, (line) => `${line}${pools.flat().join("\n")}\n`);
}

/** The name of the profile that `longProfile` gives, and that Shoots of `manyShoots` refer to. */
const PROFILE = "clouds";

/** The text of a CloudProfile of at least so many bytes, nearly all of them machine types and versions of images. */
export function longProfile(bytes) {
  const types = (count) =>
    Array.from({ length: count }, (_, index) => `  - name: ecs.g${index}.large\n    cpu: "2"\n    gpu: "0"\n    memory: 8Gi\n    architecture: amd64\n    usable: true\n`).join("");
  const versions = (count) =>
    Array.from({ length: count }, (_, index) => `    - version: 1592.${index}.0\n      architectures:\n      - amd64\n      cri:\n      - name: containerd\n`).join("");
  const text = (count) => `apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata:
  name: ${PROFILE}
spec:
  type: alicloud
  kubernetes:
    versions:
    - version: 1.33.4
    - version: 1.32.8
  machineImages:
  - name: gardenlinux
    versions:
${versions(count)}  regions:
  - name: eu-central-1
    zones:
    - name: eu-central-1a
    - name: eu-central-1b
  volumeTypes:
  - name: cloud_essd
    class: standard
    usable: true
  machineTypes:
${types(count)}`;
  const step = text(1001).length - text(1).length;
  return text(Math.ceil((bytes * 1000) / step));
}

/** The text of so many bytes of Shoots, each a document of its own; the profile of the first `profile` bytes goes before. */
export function manyShoots(bytes, profile) {
  const shoot = longManifest().replace(/^# .*\n/gm, "").replace(/cloudProfile:\n {4}name: .*/, `cloudProfile:\n    name: ${PROFILE}`);
  const documents = [longProfile(profile)];
  for (let length = documents[0].length, index = 0; length < bytes; index += 1) {
    const next = shoot.replace(/^ {2}name: .*/m, `  name: shoot-${index}`);
    documents.push(next);
    length += next.length + "---\n".length;
  }
  return documents.join("---\n");
}
