/** What would be built: nodes, the network and manifests. These are loaded behind the first review. */

import { count } from "./numbers.js";

export const previewStrings = {
  planFrom: {
    nothing: "From nothing: this is the network that there will be.",
    empty:
      "From nothing: this is the network that there will be. With the manifest as it was under Before, the plan shows what the " +
      "edit does to nodes, too.",
    old:
      "What the edit changes in the network, from the manifest under Before. " +
      "Apply makes the network alone, and starts from what the simulated cloud has, and not from Before.",
    applied: "What the edit changes in the network, from what was applied to the simulator. Apply makes the network alone.",
  },
  nodes: "Nodes",
  network: "Network",
  rolloutFrom: {
    old: "What the edit does to the nodes, from the manifest under Before.",
    applied: "What the edit does to the nodes, from what was applied to the simulator.",
    itself: "What the upgrade does to the nodes.",
  },
  rolloutUnloaded: (why: string) =>
    `The page cannot load the module that shows what the edit does to nodes: ${why}. The next change of the text tries again.`,
  rolloutFailed: (code: string, message: string) => `The policy did not say what the edit does to nodes. ${code}: ${message}`,
  planRejected: "A Shoot that is rejected is not planned. Fix what Findings says first.",
  planUnsettled: "The text has problems, so nothing is planned.",
  planUnjudged: "The Shoot could not be judged, so nothing is planned. Fix what Findings says first.",
  planForbidden: "The network cannot be planned: what is found here forbids it.",
  planFailed: (code: string, message: string) => `The network cannot be planned. ${code}: ${message}`,

  renderedFrom: {
    empty:
      "A preview: the objects that the extension makes for the control plane and the machines of this Shoot, with its defaults. " +
      "Values of Secrets are never shown.",
    old:
      "What the edit changes in the objects of the control plane and the machines, from the manifest under Before; both with the " +
      "defaults of an update. Values of Secrets are never shown.",
    applied:
      "What the edit changes in the objects of the control plane and the machines, from what was applied to the simulator; both " +
      "with the defaults of an update. Values of Secrets are never shown.",
  },
  notCompared:
    "The earlier version of the Shoot cannot be rendered, so that nothing is compared: these are the objects of the manifest as it is now.",
  renderRejected: "A Shoot that is rejected is not rendered. Fix what Findings says first.",
  renderUnsettled: "The text has problems, so nothing is rendered.",
  renderUnjudged: "The Shoot could not be judged, so nothing is rendered. Fix what Findings says first.",
  renderForbidden: "The control plane cannot be rendered: what is found here forbids it.",
  renderUnloaded: (why: string) =>
    `The page cannot load the module that renders control planes: ${why}. The next change of the text tries again.`,
  renderFailed: (code: string, message: string) => `The control plane cannot be rendered. ${code}: ${message}`,
  nodesChange: "Plan shows what becomes of the nodes.",
  machinesForbidden: "The machines cannot be made: what is found here forbids it.",
  machinesFailed: (code: string, message: string) => `The machines cannot be made. ${code}: ${message}`,
  machinesUncompared: {
    old: (why: string) => `The machines of Before cannot be made (${why}), so they are not compared.`,
    applied: (why: string) => `The machines of what was applied cannot be made (${why}), so they are not compared.`,
    text: (why: string) => `The machines of the manifest cannot be made (${why}), so they are not compared.`,
  },
  forbiddenBy: (rule: string | undefined, why: string) => (rule === undefined ? why : `rule \`${rule}\`: ${why}`),
  placeholders: (number: number) => `${count(number, "placeholder")} for what the Shoot does not say`,
};
