import { loadRendering } from "trellis-policy";
import { type ManifestChange, manifestsDiff, manifestsOf, type ResourceManifests } from "trellis-policy/manifests";

const { render } = await loadRendering({ provider: "alicloud" });

/** The objects of a control plane by managed resource, and what differs from those of an older Shoot. */
export function controlPlane(shoot: object, cloudProfile: object, older: object) {
  const rendered = (shoot: object) => render({ what: "controlPlane", cluster: { shoot, cloudProfile } });
  const [before, after] = [rendered(older), rendered(shoot)];
  if ("error" in before || "error" in after) return undefined; // `error` says why
  const manifests: ResourceManifests[] = manifestsOf(after); // where there are none, `after.findings` say what forbids it
  const changes: ManifestChange[] = manifestsDiff(before, after);
  return { manifests, changes, restarts: changes.filter(({ restarts }) => restarts) };
}
