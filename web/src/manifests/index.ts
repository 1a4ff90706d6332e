/**
 * What a control plane and the machines of a Shoot consist of, for people to read: objects as YAML by managed resource, and what
 * an edit changes in them.
 */

export { type ManifestObject, manifestsOf, type Rendered, type ResourceManifests } from "./objects.js";
export { type ManifestChange, manifestsDiff } from "./diff.js";
export { type ManifestLine } from "./lines.js";
export { type Machines, machinesDiff, machinesOf } from "./machines.js";
