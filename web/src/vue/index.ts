/** Components for Vue 3 that show what policies say. They need the styles of `trellis-policy/vue.css`. */

import "./tokens.css";
import "./theme.css";

export { default as AddressMap } from "./AddressMap.vue";
export { default as DefaultsDiff } from "./DefaultsDiff.vue";
export { default as FindingsPanel } from "./FindingsPanel.vue";
export { default as ManifestsView } from "./ManifestsView.vue";
export { default as PlanChanges } from "./PlanChanges.vue";
export { default as PlanGraph } from "./PlanGraph.vue";
export { type Billed, billedOf, type Progress, type StepState } from "./plans.js";
export { default as RolloutView } from "./RolloutView.vue";
export { Prose } from "./Prose.js";
export { visible } from "../invisible.js";
export { default as VerdictBadge } from "./VerdictBadge.vue";
export { default as ZonePlanner } from "./ZonePlanner.vue";
export { type Judged, notChecked, upgradeWords, whoseRules } from "./coverage.js";
export { type PartialStrings, provideStrings, TRELLIS_STRINGS, type TrellisStrings, withStrings } from "./strings.js";
export type { DefaultedLine, ReviewedDocument, ReviewedFinding, ReviewedPool, ZoneNodes } from "../checker/interface.js";
export type { ManifestChange, ManifestLine, ManifestObject, ResourceManifests } from "../manifests/index.js";
export type { AddressesAnswer, AddressRange, Plan, PoolRollout, ResourceChange, PlannedResource, Rule, Verdict, ZoneChoice } from "../documents.js";
export type { Syntax, SyntaxName, SyntaxSpan } from "../syntax.js";
export { type Needed, neededBy, titleOf } from "./findings.js";
