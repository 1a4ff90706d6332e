import { load, loadRendering } from "trellis-policy";
import { type ManifestChange, machinesDiff, machinesOf, type ResourceManifests } from "trellis-policy/manifests";

const { rollout } = await load({ provider: "alicloud" });
const { workers } = await loadRendering({ provider: "alicloud" });

/** What an edit of a Shoot does to the nodes of each pool, in words, and where the Shoot says what causes it. */
export async function nodes(shoot: object, older: object) {
  const answer = await rollout({ object: shoot, oldObject: older });
  if ("error" in answer) return []; // `error` says why
  return answer.pools.map(({ change, summary, causes = [] }) => ({ change, summary, pointers: causes.map(({ pointer }) => pointer) }));
}

/** The machine deployments, machine classes and their Secrets, and what differs from those of an older Shoot. */
export function machines(shoot: object, cloudProfile: object, older: object) {
  const [before, after] = [older, shoot].map((shoot) => workers({ cluster: { shoot, cloudProfile } }));
  if (!before || !after || "error" in before || "error" in after) return undefined; // `error` says why
  const manifests: ResourceManifests[] = machinesOf(after); // where there are none, `after.findings` may say what forbids them
  const changes: ManifestChange[] = machinesDiff(before, after);
  return { manifests, changes };
}
