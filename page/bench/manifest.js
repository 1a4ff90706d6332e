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
