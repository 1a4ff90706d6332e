/** Dialogs, and the list of examples. These are loaded behind the first review. */

import { visible } from "trellis-policy/vue";

export const dialogStrings = {
  searchExamples: "Search the examples",
  noExample: "No example has these words.",
  provider: (type: string) => PROVIDERS[type] ?? (type === "" ? "Every provider" : type),
  aboutTitle: (version: string) => `Trellis ${version}`,
  aboutGardener: (oldest: string, newest: string) =>
    `Trellis knows the rules, fields and defaults of Gardener ${oldest} to ${newest}. The policies run in this browser, and no text leaves it.`,
  aboutPolicy: "Policy",
  aboutRules: "Rules",
  policy: (name: string) => (name === "gardener" ? "Gardener" : (PROVIDERS[name] ?? name)),
  aboutDocs: "Documentation, in the repository",
  docs: [
    ["docs/page.md", "this page"],
    ["docs/cli.md", "the command line"],
    ["docs/performance.md", "what is measured"],
    ["web/README.md", "the package for other pages"],
    ["CHANGELOG.md", "what is new"],
  ],
  keyLists: [
    {
      title: "Everywhere",
      keys: [
        ["?", "shows these keys, outside of the editors"],
        ["Tab", "goes on to the next part, also out of an editor"],
        ["Enter, Space", "presses what has the focus"],
        ["Arrow keys", "move within tabs, menus, pictures and lists"],
        ["Esc", "closes a menu or a dialog"],
      ],
    },
    {
      title: "In an editor",
      keys: [
        ["Ctrl-Space", "completes"],
        ["F8", "goes to the next finding"],
        ["Ctrl-Shift-M", "lists the findings"],
        ["Ctrl-F", "searches"],
        ["Ctrl-]  Ctrl-[", "indents more or less"],
        ["Ctrl-Z", "undoes"],
      ],
    },
  ],

  newNameRule: "Lower-case letters, digits and hyphens, 63 at most; a letter or a digit first and last",
  newTitle: "New Shoot",
  newProvider: "Provider",
  newCloudProfile: "CloudProfile",
  newProfile: (name: string, from: "context" | "manifest" | { example: string }) => {
    const places = { context: "from Context", manifest: "from the manifest" };
    return `${visible(name)} (${typeof from === "string" ? places[from] : `example ${from.example}`})`;
  },
  newIncomplete: ({ kind, name, from, isReplaced }: { kind: string; name: string; from: "context" | "manifest" | { example: string }; isReplaced: boolean }) => {
    const lacks = kind === "CloudProfile" ? "it lacks spec.type" : "it lacks its namespace, or the parent with its spec.type";
    const instead = isReplaced ? " If you choose the other one of this name, that takes its place." : "";
    return `The ${kind} ${visible(name)} ${from === "context" ? "under Context" : "in the manifest"} is not offered: ${lacks}.${instead}`;
  },
  newRegion: "Region",
  newZones: "Zones",
  newName: "Name",
  newNamespace: "Namespace",
  newCredentials: "CredentialsBinding",
  newHint:
    "The page takes versions, machine type, image and volume type from the CloudProfile. The Shoot takes the place of the manifest, " +
    "and Undo brings the old text back.",
  newMake: "Make the Shoot",
  newMaking: "Checking…",
  newNoVersion: (profile: string) => `${visible(profile)} lists no version of Kubernetes that can still be chosen`,
  newNoRegion: (profile: string) => `${visible(profile)} lists no region`,
  newNoVolume: (profile: string, region: string) => `${visible(profile)} lists no volume type for ${visible(region)}, and its provider asks for one`,
  newNoMachine: (profile: string, region: string) => `${visible(profile)} lists no machine type with an image for ${visible(region)}`,
  newFailed: (why: string) => `The page cannot make the Shoot: ${why}.`,
  ruleLabel: (id: string) => `Rule ${id}`,
  ruleWhy: "Why",
  ruleFix: "How to fix it",
  ruleOperation: { create: "on create", update: "on update", both: "on create and update" },
  ruleReading: "The page is reading what the rule says.",
};

/** The names of clouds, by the types of their providers. */
const PROVIDERS: Record<string, string> = {
  alicloud: "Alibaba Cloud",
  aws: "AWS",
  azure: "Azure",
  equinixmetal: "Equinix Metal",
  gcp: "Google Cloud",
  openstack: "OpenStack",
};
