/** Policies of Gardener and its cloud providers: `await load(...)` once, then synchronous calls that never throw. */

// This file only passes on what others export, because bundlers then leave out the files whose names nobody imports.

export type { CheckAnswer, CheckedFinding } from "./check/answer.js";
export type { CheckContext, CheckRequest } from "./check/request.js";
export type { FormFields, FormMessages } from "./check/forms.js";
export type { Upgrade } from "./check/upgrade.js";
export { offeredSpec } from "./check/namespaced.js";
export { type FieldNames, openapiNames } from "./check/openapi.js";
export { detailOf, placeOf } from "./detail.js";
export type * from "./documents.js";
export { LoadError, type CallFailure } from "./errors.js";
export { type ModuleName, modules } from "./generated/modules.js";
export { classified, type ClassifiedProvider, type FurtherPlannedProvider, infrastructures, mutated, type MutatedProvider, plannedFurther, type PlannedProvider, type PolicyName, type Provider, providers, rendered, type RenderedProvider } from "./generated/providers.js";
export type { CompiledModule, LoadOptions, ModuleOptions, PackagedModule, Source } from "./options.js";
export type { Addresses, Infrastructure, JudgingPolicy, MutatingPolicy, Policy, RenderingPolicy } from "./policy.js";
export { check, load, loadAddresses, loadGardener, loadInfrastructure, loadRendering } from "./policies.js";
export { isProvider } from "./provider.js";
export type { ExplainedRule, ExplainedRules } from "./rules.js";
export { promptOf, sentenceOf } from "./sentence.js";
