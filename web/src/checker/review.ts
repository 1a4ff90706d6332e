/** From texts to everything that can be said about them. */

import type { PatchOperation, ZoneRequest } from "../documents.js";
import { GARDENER, rulesOf } from "../check/join.js";
import { choicesAt } from "../choices/offers.js";
import type { Choice, ChoicePlace } from "../choices/place.js";
import { profilesIn } from "../choices/profiles.js";
import { canUpgrade, targetOf } from "../check/upgrade.js";
import { type Asked, type Judged, type Parts, judge, jsonOf, requestOf, sentBy } from "../check/judge.js";
import { type TextObject, companionsOf, contextOf, hasUid, identityOf, isItsOwnOld, isSecretKind, member, textAt } from "../check/objects.js";
import { candidatesOf, isOfAll, isOfGardener } from "../check/provider.js";
import { readsOf } from "../check/reads.js";
import type { TriedFixes } from "../check/worlds.js";
import { infrastructures as planned, providers, rendered } from "../generated/providers.js";
import type { LoadError } from "../errors.js";
import type { Addresses } from "../policy.js";
import type { ExplainedRule } from "../rules.js";
import { editParts } from "../yaml/parts.js";
import type { Range, TextEdit } from "../yaml/index.js";
import { showDefaults } from "./defaulted.js";
import { described } from "./described.js";
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
import { KeyReader, traced, type WrongKey, withKeys } from "./keys.js";
import { LastJudged } from "./last.js";
import { leaveToSecrets } from "./left.js";
import { saidOfOthers } from "./others.js";
import { placed, placer } from "./places.js";
import { manifestsFor } from "./manifests.js";
import { type Planned, planOf } from "./plan.js";
import { rolloutOf } from "./rollout.js";
import type { KnownPolicy, Policies } from "./policies.js";
import { ObjectsReader, type OtherObjects, type ReadText, TextReader } from "./texts.js";

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
  /** The request beside texts whose misspelt keys have the names that are meant; nothing where it is the same. */
  requestWith: (keys: WrongKey[]) => Parts | undefined;
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
  /** The keys that are misspelt in them. */
  keys: WrongKey[];
}

/** What a checker's worker does. */
export class Reviewer implements Tasks {
  private readonly texts = new TextReader();
  private readonly olds = new ObjectsReader();
  private readonly contexts = new ObjectsReader();
  private readonly applied = new ObjectsReader();
  private readonly keys = new KeyReader();
  private readonly last = new LastJudged();

  /** Whether an object was reviewed that Gardener's own policy judges. */
  private wantsGardener = false;

  constructor(private readonly policies: Policies) {}

  /** Loads what the last review went without. Whether the next one says more. */
  async fetchMore(): Promise<boolean> {
    return this.wantsGardener && this.policies.fetchGardener();
  }

  async review(input: CheckInput): Promise<Review> {
    const { text, cases, given, others, keys } = await this.prepare(input);
    this.last.begin(input, cases.flatMap((found) => ("because" in found ? [] : found.policies)));
    const judged = await Promise.all(
      cases.map(async (found, index) => {
        if ("because" in found || found.lost || found.policies.length === 0) return undefined;
        const isSound = text.documents[index]?.problems.length === 0;
        const kind = textAt(found.object.object, "kind") ?? "";
        const sets = (policy: KnownPolicy): boolean => input.defaults !== false && policy.defaulted.has(kind);
        const asked = found.policies.map((known) => askedOf(known, kind, sets(known)));
        const { isApplied, isOfItself, target } = found;
        const circumstances = { missing: missingOf(found), isSound, isApplied, isOfItself, target };
        const by = (request: Parts, among: TextObject[], tried?: TriedFixes): Promise<Judged> =>
          judge(asked, found.object.json, request, among, { ...circumstances, ...(tried && { tried }) });
        return this.last.of(index, async (tried) => {
          const outcome = await by(found.request, given, tried);
          const { ruling } = outcome;
          const findings = await traced(ruling.findings, keys, async (some) => {
            const request = found.requestWith(some);
            return request && (await by(request, withKeys(given, some))).ruling.findings;
          });
          return { ...outcome, ruling: { ...ruling, findings } };
        });
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
      const contextIn = (among: TextObject[]) => jsonOf(contextOf(object.object, among));
      const sent = { ...sentBy({ isOfItself, isAhead: target !== undefined }), ...gardenOf(input) };
      const requestBeside = (among: TextObject[], old: string | undefined): Parts => {
        const companions = jsonOf(companionsOf(object.object, among));
        return requestOf({ ...contextIn(among), ...companions, ...sent }, { old, members: `"now":${now}${ratchet}` });
      };
      const request = requestBeside(others, before);
      const requestWith = (keys: WrongKey[]): Parts | undefined => {
        const isOld = before !== undefined && before === old;
        const [first] = isOld ? withKeys([{ json: before, object: undefined }], keys) : [];
        const changed = requestBeside(withKeys(others, keys), first?.json ?? before);
        return changed.of("{}") === request.of("{}") ? undefined : changed;
      };
      const context = contextIn(others);
      const isUpdate = before !== undefined;
      const isApplied = target === undefined && own.length > 0 && isManifestFor(old, object.object);
      const judging = { provider, skipped, policies: asked, lost, gardenerLost, isPreliminary: ofAll && !gardener };
      return { object, ...judging, request, requestWith, isUpdate, isOfItself, isApplied, context, old, applied: last, target };
    });
    const keys = only === undefined ? await this.misspelt(input, { old, context }, policies) : [];
    return { text, cases, given: others, others: saidOfOthers(text, old, context, keys), keys };
  }

  /** The misspelt keys of the other texts, by the policies that the text itself needs. */
  private misspelt(input: CheckInput, { old, context }: Record<"old" | "context", OtherObjects>, policies: Map<string, KnownPolicy | LoadError>): Promise<WrongKey[]> {
    const { gardener } = this.policies;
    const judges = ({ object }: TextObject): Asked[] => {
      const kind = textAt(object, "kind") ?? "";
      const named = isOfGardener(object) ? candidatesOf(object, context.objects) : [];
      const all = [isOfAll(object) ? gardener : undefined, ...named.map((name) => policies.get(name)).slice(0, 1)];
      return all.flatMap((known) => (known && !(known instanceof Error) && known.kinds.has(kind) ? [askedOf(known, kind, known.defaulted.has(kind))] : []));
    };
    const settings = [input.gardenerVersion, input.openapi, gardener, ...policies.values()];
    return this.keys.read({ "the old version": old, "the context": context }, judges, gardenOf(input), settings);
  }
}

/** A policy as it is asked about objects of a kind. */
function askedOf({ provider: source, policy, rules, reads }: KnownPolicy, kind: string, setsDefaults: boolean): Asked {
  return { source, policy, rules, setsDefaults, reads: readsOf(reads, kind) };
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

/** What policies are told of the garden. */
function gardenOf({ gardenerVersion: version = "", openapi = "" }: CheckInput): Record<string, string> {
  return { ...(version !== "" && { gardenerVersion: JSON.stringify(version) }), ...(openapi !== "" && { openapi }) };
}
