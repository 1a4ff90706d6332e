/** From texts to everything that can be said about them. */

import type { PatchOperation, ZoneRequest } from "../documents.js";
import { GARDENER, rulesOf } from "../check/join.js";
import { choicesAt } from "../choices/offers.js";
import type { Choice, ChoicePlace } from "../choices/place.js";
import { profilesIn } from "../choices/texts.js";
import { canUpgrade, targetOf } from "../check/upgrade.js";
import { type Asked, type Judged, type Parts, judge, jsonOf, requestOf, sentBy } from "../check/judge.js";
import { type TextObject, companionsOf, contextOf, hasUid, identityOf, isItsOwnOld, isSecretKind, member, textAt } from "../check/objects.js";
import { candidatesOf, isOfAll, isOfGardener } from "../check/provider.js";
import { readsOf } from "../check/reads.js";
import { withoutText } from "../check/secrets.js";
import { infrastructures as planned, providers, rendered } from "../generated/providers.js";
import type { LoadError } from "../errors.js";
import type { Addresses } from "../policy.js";
import type { ExplainedRule } from "../rules.js";
import { documentOf } from "../yaml/document.js";
import { editParts, partsOf } from "../yaml/parts.js";
import type { Range, TextEdit } from "../yaml/index.js";
import { MAX_LINES, attach, diffLines } from "./defaulted.js";
import {
  CheckError,
  type CheckInput,
  type Review,
  type ReviewedDocument,
  type Ruling,
  type Skipped,
  type ZonesPlan,
} from "./interface.js";
import type { Tasks } from "./messages.js";
import { leaveToSecrets } from "./left.js";
import { saidOfOthers } from "./others.js";
import { placed, placer } from "./places.js";
import { secretsAt } from "./secret-places.js";
import { manifestsFor } from "./manifests.js";
import { type Planned, planOf } from "./plan.js";
import { rolloutOf } from "./rollout.js";
import type { KnownPolicy, Policies } from "./policies.js";
import { ObjectsReader, type ReadText, TextReader } from "./texts.js";

/** An object that policies judge. */
interface Case extends Planned {
  object: TextObject;
  /** Absent where there is no policy of its provider: `skipped` says why. */
  provider: string | undefined;
  skipped: Skipped | undefined;
  /** Gardener's own policy first, then that of the provider, as far as they are there. */
  policies: KnownPolicy[];
  /** Why the policy of the provider, or Gardener's own, is not there. */
  lost: LoadError | undefined;
  gardenerLost: LoadError | undefined;
  /** Whether Gardener's own policy is still to come. */
  isPreliminary: boolean;
  request: Parts;
  isUpdate: boolean;
  /** Whether the update is one of the object itself. */
  isOfItself: boolean;
  /** Whether the object before is a stored one, and this one a manifest, which `kubectl apply` sends. */
  isApplied: boolean;
  /** The version of Kubernetes to which the Shoot is to go, where a person asks what must change before. */
  target: string | undefined;
}

/** The texts of a check, and what is to be done with each document. */
interface Prepared {
  text: ReadText;
  cases: (Case | Skipped)[];
  /** The objects of the text and of the context. */
  given: TextObject[];
  /** What there is to say of the other two texts themselves. */
  others: Omit<Review, "documents">;
}

/** What a checker's worker does. */
export class Reviewer implements Tasks {
  private readonly texts = new TextReader();
  private readonly olds = new ObjectsReader();
  private readonly contexts = new ObjectsReader();
  private readonly applied = new ObjectsReader();

  /** Whether an object was reviewed that Gardener's own policy judges. */
  private wantsGardener = false;

  constructor(private readonly policies: Policies) {}

  /** Loads what the last review went without. Whether the next one says more. */
  async fetchMore(): Promise<boolean> {
    return this.wantsGardener && this.policies.fetchGardener();
  }

  async review(input: CheckInput): Promise<Review> {
    const { text, cases, given, others } = await this.prepare(input);
    const judged = await Promise.all(
      cases.map(async (found, index) => {
        if ("because" in found || found.lost || found.policies.length === 0) return undefined;
        const isSound = text.documents[index]?.problems.length === 0;
        const kind = textAt(found.object.object, "kind") ?? "";
        const sets = (policy: KnownPolicy): boolean => input.defaults !== false && policy.defaulted.has(kind);
        const asked = found.policies.map((known): Asked => {
          const { provider: source, policy, rules, reads } = known;
          return { source, policy, rules, setsDefaults: sets(known), reads: readsOf(reads, kind) };
        });
        const { isApplied, isOfItself, target } = found;
        return judge(asked, found.object.json, found.request, given, { missing: missingOf(found), isSound, isApplied, isOfItself, target });
      }),
    );
    // What an edit does to nodes can be told only where there is one.
    const isAddressed = (text: ReadText, index: number): boolean =>
      input.addresses === true ? isShoot(text, index) : isPlanned(text, index) && isEdit(cases[index]);
    const [addressing, infrastructures, renderings] = await Promise.all([
      this.policies.addresses(input.addresses || input.rollouts ? shootProviders(text, cases, isAddressed) : []),
      this.policies.infrastructure(input.plans ? shootProviders(text, cases, isPlanned).filter(isOf(planned)) : []),
      this.policies.rendering(input.manifests ? shootProviders(text, cases, isPlanned).filter(isOf(rendered)) : []),
    ]);
    const documents = text.documents.map((document, index): ReviewedDocument => {
      const found = cases[index];
      const reviewed = described(text, index);
      if (!found) return reviewed;
      if ("because" in found) {
        return { ...reviewed, ...skippedOf(found) };
      }
      const { provider, isUpdate, isOfItself, isApplied, policies, lost } = found;
      const isOfApplied = found.target === undefined && found.old === undefined && found.applied !== undefined;
      const update = { isUpdate, ...(isOfItself && { isOfItself }), ...(isApplied && { isApplied }), ...(isOfApplied && { isOfApplied }) };
      const known = {
        ...(provider !== undefined && { provider }),
        ...update,
        ...(found.skipped && skippedOf(found.skipped)),
        ...(found.isPreliminary && { isPreliminary: true }),
        ...(found.gardenerLost && { gardenerError: found.gardenerLost.message }),
      };
      if (lost) {
        const error = { code: "PolicyUnavailable", message: lost.message };
        const ruling: Ruling = { error, range: reviewed.head, findings: [], undecided: [], changes: [] };
        return { ...reviewed, ...known, ruling };
      }
      const outcome = judged[index];
      if (!outcome) return { ...reviewed, ...known };
      const ruling = placed(policies, outcome, document, text, isSecretKind(reviewed.kind));
      const teller = reviewed.kind === "Shoot" ? addressing.get(provider ?? "") : undefined;
      const addresses = teller && input.addresses ? addressesOf(teller, found, outcome) : {};
      const tells = teller && input.rollouts && isPlanned(text, index);
      const rollout = tells ? rolloutOf(policies, teller, outcome, found) : undefined;
      const infrastructure = isPlanned(text, index) ? infrastructures.get(provider ?? "") : undefined;
      const place = placer(policies, document, text, ruling.changes);
      const plan = infrastructure && planOf(policies, infrastructure, outcome, found, place);
      const rendering = isPlanned(text, index) ? renderings.get(provider ?? "") : undefined;
      const manifests = rendering && manifestsFor(policies, rendering, outcome, found, place);
      return { ...reviewed, ...known, ruling, ...(outcome.upgrade && { upgrade: outcome.upgrade }), ...addresses, ...(plan && { plan }), ...(rollout && { rollout }), ...(manifests && { manifests }) };
    });
    leaveToSecrets(documents, text.objects, given);
    showDefaults(text, documents, judged);
    return { documents, ...others };
  }

  async edits(text: string, document: number, patch: PatchOperation[]): Promise<TextEdit[] | undefined> {
    return editsOf(this.texts.read(text), document, patch);
  }

  async locate(text: string, document: number, pointer: string): Promise<Range | undefined> {
    const found = this.texts.read(text).documents[document]?.locate(pointer);
    return found && { from: found.from, to: found.to };
  }

  async zones(input: CheckInput, document: number, add: ZoneRequest[]): Promise<ZonesPlan> {
    const { text, cases } = await this.prepare(input, document);
    const found = cases[document];
    if (!found || "because" in found || found.provider === undefined) {
      const skipped = found && "because" in found ? found : found?.skipped;
      const isOther = skipped?.because === "provider";
      const message = isOther ? `${skipped?.found} is not supported yet` : "no policy plans zones for this document";
      return { error: { code: isOther ? "UnsupportedProvider" : "UnsupportedKind", message } };
    }
    if (found.lost) return { error: { code: "PolicyUnavailable", message: found.lost.message } };
    const teller = (await this.policies.addresses([found.provider])).get(found.provider);
    if (!teller || teller instanceof Error) {
      return { error: { code: "PolicyUnavailable", message: teller?.message ?? "the policy is not there" } };
    }
    const members = `,"add":${JSON.stringify(add)}}`;
    const request = found.request.of(found.object.json).replace(/\}$/, () => members);
    const answer = teller.zones(request);
    if ("error" in answer) return answer;
    const edits = editsOf(text, document, answer.patch);
    return { ...answer, ...(edits && { edits }) };
  }

  async objects(input: CheckInput, document: number): Promise<object[]> {
    const found = (await this.prepare(input, document)).cases[document];
    if (!found || "because" in found) return [];
    const isShown = (object: object): boolean => !isSecretKind(textAt(object, "kind"));
    return [found.object.json, ...Object.values(found.context)].map((json) => JSON.parse(json)).filter(isShown);
  }

  async choices({ text, context = "" }: Pick<CheckInput, "text" | "context">, place: ChoicePlace): Promise<Choice[]> {
    const beside = this.contexts.read(context).objects.map(({ object }) => object);
    return choicesAt(place, profilesIn(text, beside), new Date());
  }

  async rules(provider: string): Promise<ExplainedRule[]> {
    const found = (await this.policies.get([provider])).get(provider);
    if (!found || found instanceof Error) {
      throw new CheckError("PolicyUnavailable", found?.message ?? "the policy is not there");
    }
    const answer = await found.policy.rules();
    if ("error" in answer) {
      const { code, message } = answer.error;
      throw new CheckError(code === "WordsUnavailable" ? code : "PolicyUnavailable", message);
    }
    return answer.rules;
  }

  /** Reads the texts and loads the policies, of all documents or of one. */
  private async prepare(input: CheckInput, only?: number): Promise<Prepared> {
    const text = this.texts.read(input.text);
    const context = this.contexts.read(input.context ?? "");
    const old = this.olds.read(input.old ?? "");
    const others = [...text.objects.filter((object) => object !== undefined), ...context.objects];
    const olds = byIdentity(old.objects);
    const applied = byIdentity(this.applied.read(input.applied ?? "").objects);
    const found = text.objects.map((object) => assign(object, others, input.provider));
    const wanted = found.filter((_, index) => only === undefined || only === index);
    const policies = await this.policies.get(wanted.flatMap((one) => (typeof one === "string" ? [one] : [])));
    const isWanted = text.objects.some((object) => isOfAll(object?.object));
    this.wantsGardener ||= isWanted;
    // Gardener's policy knows what `kubectl apply` makes of a manifest for a stored object; without that, there is nothing right to say.
    const isMerged = text.objects.some((object) => object && isManifestFor(olds.get(identityOf(object.object) ?? ""), object.object));
    if (isWanted && (input.wait === true || isMerged)) await this.policies.get([GARDENER]);
    const { gardener } = this.policies;
    const now = JSON.stringify(new Date().toISOString());
    const cases = found.map((assigned, index): Case | Skipped => {
      const object = text.objects[index];
      const ofAll = isOfAll(object?.object);
      if (!object || (typeof assigned !== "string" && !ofAll)) return assigned as Skipped;
      const [provider, skipped] = typeof assigned === "string" ? [assigned, undefined] : [undefined, assigned];
      const policy = policies.get(provider ?? "");
      const lost = policy instanceof Error ? policy : undefined;
      const kind = textAt(object.object, "kind");
      const judges = policy && !(policy instanceof Error) && (kind === undefined || policy.kinds.has(kind));
      if (kind !== undefined && policy && !lost && !judges && !ofAll) return { because: "kind", found: kind };
      const own = ofAll && gardener && !(gardener instanceof Error) ? [gardener] : [];
      const gardenerLost = ofAll && gardener instanceof Error ? gardener : undefined;
      const asked = [...own, ...(judges ? [policy] : [])];
      const identity = identityOf(object.object) ?? "";
      const target = canUpgrade(object.object) ? targetOf(input.kubernetes ?? "") : undefined;
      const old = olds.get(identity);
      const last = applied.get(identity);
      const earlier = old ?? last;
      const isOfItself = earlier === undefined && target === undefined && input.create !== true && isItsOwnOld(object.object);
      // What is looked at in advance, too, is an update of the object itself.
      const before = isOfItself || target !== undefined ? object.json : earlier;
      // What an object has itself is no excuse for it.
      const ratchet = old !== undefined && target === undefined && input.ratchet ? `,"ratchet":true` : "";
      const context = jsonOf(contextOf(object.object, others));
      const companions = jsonOf(companionsOf(object.object, others));
      const sent = { ...sentBy({ isOfItself, isAhead: target !== undefined }), ...gardenOf(input) };
      const request = requestOf({ ...context, ...companions, ...sent }, { old: before, members: `"now":${now}${ratchet}` });
      const isUpdate = before !== undefined;
      const isApplied = target === undefined && own.length > 0 && isManifestFor(old, object.object);
      const judging = { provider, skipped, policies: asked, lost, gardenerLost, isPreliminary: ofAll && !gardener };
      return { object, ...judging, request, isUpdate, isOfItself, isApplied, context, old, applied: last, target };
    });
    return {
      text,
      cases,
      given: others,
      others: saidOfOthers(text, old, context),
    };
  }
}

/** Whether an object is a manifest, and the one before it, as JSON text, a stored object. */
function isManifestFor(old: string | undefined, object: unknown): boolean {
  return old !== undefined && !hasUid(object) && hasUid(JSON.parse(old));
}

/** The provider whose policy judges an object, or why none does. */
function assign(found: TextObject | undefined, others: TextObject[], fallback: string | undefined): string | Skipped {
  if (!found) return { because: "unreadable", found: "" };
  const { object } = found;
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    return { because: "unreadable", found: Array.isArray(object) ? "list" : object === null ? "null" : typeof object };
  }
  const kind = textAt(object, "kind") ?? "";
  if (!isOfGardener(object)) return { because: "kind", found: kind };
  const candidates = candidatesOf(object, others);
  if (candidates.length === 0 && fallback !== undefined) candidates.push(fallback);
  const [first] = candidates;
  if (first === undefined) return { because: "unnamed", found: kind };
  const known = candidates.find((candidate) => providers.some((provider) => provider === candidate));
  return known ?? { because: "provider", found: first };
}

/** What is said of an object that no policy of a provider judges. */
function skippedOf(skipped: Skipped): Pick<ReviewedDocument, "skipped" | "unsupported"> {
  return { skipped, ...(skipped.because === "provider" && { unsupported: skipped.found }) };
}

/** The rules that nobody can ask about an object. */
function missingOf({ skipped, gardenerLost, isPreliminary }: Case): string[] {
  const own = gardenerLost || isPreliminary ? [GARDENER] : [];
  if (!skipped) return own;
  return [...own, skipped.because === "provider" ? rulesOf(skipped.found) : "the rules of a provider"];
}

/** What a document is, before a policy has seen it. */
function described(text: ReadText, index: number): ReviewedDocument {
  const [document, found] = [text.documents[index], text.objects[index]];
  if (!document) throw new RangeError("there is no such document");
  const { from, to } = document;
  const object = found?.object;
  const kind = textAt(object, "kind");
  const names = {
    apiVersion: textAt(object, "apiVersion"),
    kind,
    namespace: textAt(object, "metadata", "namespace"),
    name: textAt(object, "metadata", "name"),
  };
  const head = document.locate("") ?? { from, to: from };
  const secrets = secretsAt(text, index);
  return {
    from,
    to,
    line: text.lineAt(from),
    head: { from: head.from, to: head.to },
    ...defined(names),
    isUpdate: false,
    problems: document.problems.map((problem) => ({
      ...(secrets.length > 0 ? withoutText(problem) : problem),
      line: text.lineAt(problem.from),
    })),
    secrets,
  };
}

/** The entries that have a value. */
function defined<T extends object>(entries: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as never;
}

/** The JSON text of objects by what tells them apart. */
function byIdentity(objects: TextObject[]): Map<string, string> {
  return new Map(
    objects.flatMap(({ json, object }) => {
      const identity = identityOf(object);
      return identity === undefined ? [] : [[identity, json]];
    }),
  );
}

/** The providers of the Shoots of a text. */
function shootProviders(text: ReadText, cases: Prepared["cases"], isWanted = isShoot): string[] {
  const isMeant = (found: Case | Skipped, index: number): found is Case => !("because" in found) && isWanted(text, index);
  return cases.filter(isMeant).flatMap(({ provider }) => provider ?? []);
}

function isShoot({ objects }: ReadText, index: number): boolean {
  return textAt(objects[index]?.object, "kind") === "Shoot";
}

/** Whether something is known of an object before. */
function isEdit(found: Case | Skipped | undefined): boolean {
  return found !== undefined && !("because" in found) && (found.target ?? found.old ?? found.applied) !== undefined;
}

/** Whether a provider is one of some. */
function isOf(some: readonly string[]): (provider: string) => boolean {
  return (provider) => some.includes(provider);
}

/** Whether a document is a Shoot that can be read as it will be by others. */
function isPlanned(text: ReadText, index: number): boolean {
  return isShoot(text, index) && text.documents[index]?.problems.length === 0;
}

function addressesOf(
  teller: Addresses | LoadError,
  { request }: Case,
  { object }: Judged,
): Pick<ReviewedDocument, "addresses" | "addressesError" | "ipFamilies"> {
  if (teller instanceof Error) return { addressesError: teller.message };
  const addresses = teller.addresses(request.of(object));
  if ("error" in addresses) return {};
  const families = member(member(member(JSON.parse(object), "spec"), "networking"), "ipFamilies");
  return { addresses, ...(Array.isArray(families) && { ipFamilies: families.map(String) }) };
}

function editsOf({ text, readings, parts, known }: ReadText, document: number, patch: PatchOperation[]): TextEdit[] | undefined {
  return editParts(text, readings, parts, new Map([[document, patch]]), known)?.edits;
}

/** Adds to documents the lines of the text with their defaults. */
function showDefaults(text: ReadText, documents: ReviewedDocument[], judged: (Judged | undefined)[]): void {
  const patches = new Map<number, PatchOperation[]>();
  for (const [index, outcome] of judged.entries()) {
    if (outcome && outcome.patch.length > 0 && !isSecretKind(documents[index]?.kind)) patches.set(index, outcome.patch);
  }
  if (patches.size === 0 || text.lineAt(text.text.length) > MAX_LINES) return;
  const edited = editParts(text.text, text.readings, text.parts, patches, text.known);
  if (!edited) return;
  const parts = partsOf(edited.readings);
  const lines = diffLines(text.text, edited.text, edited.edits);
  const made = [...patches.keys()].map((index) => ({
    document: documentOf(edited.text, parts[index] ?? { from: 0, to: 0, problems: [] }),
    changes: documents[index]?.ruling?.changes ?? [],
  }));
  attach(lines, edited.text, made);
  // Where each line of the old text stands among all lines; what is added behind it goes with it.
  const indices = lines.flatMap(({ line }, index) => (line === undefined ? [] : [index]));
  for (const index of patches.keys()) {
    const document = documents[index];
    if (!document) continue;
    const first = index === 0 ? 1 : document.line;
    const last = text.lineAt(Math.max(document.from, document.to - 1));
    document.defaulted = lines.slice(first === 1 ? 0 : indices[first - 1], indices[last] ?? lines.length);
  }
}

/** What policies are told of the garden. */
function gardenOf({ gardenerVersion: version = "", openapi = "" }: CheckInput): Record<string, string> {
  return { ...(version !== "" && { gardenerVersion: JSON.stringify(version) }), ...(openapi !== "" && { openapi }) };
}
