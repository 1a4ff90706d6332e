/** From the texts of a check to what is to be done with each of their objects. */

import { identityOf } from "../check/identity.js";
import { GARDENER } from "../check/join.js";
import { type Asked, type Parts, jsonOf, requestOf, sentBy } from "../check/judge.js";
import { type TextObject, hasUid, isItsOwnOld, isObject, textAt } from "../check/objects.js";
import { isOfGardener, wrongKind } from "../check/kinds.js";
import { candidatesOf, isOfAll } from "../check/provider.js";
import { readsOf } from "../check/reads.js";
import { companionsOf, contextOf } from "../check/references.js";
import { twiceIn } from "../check/twice.js";
import { canUpgrade, targetOf } from "../check/upgrade.js";
import { providers } from "../generated/providers.js";
import type { LoadError } from "../errors.js";
import type { Review, Skipped } from "./interface.js";
import { KeyReader, type WrongKey, withKeys } from "./keys.js";
import type { GivenInput } from "./messages.js";
import { partsOnto } from "./onto.js";
import { saidOfOthers } from "./others.js";
import type { Planned } from "./plan.js";
import type { KnownPolicy, Policies } from "./policies.js";
import { lineOf, ObjectsReader, type OtherObjects, type ReadText, TextReader } from "./texts.js";

/** An object that policies judge. */
export interface Case extends Planned {
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
  /** The request next to texts whose misspelt keys have the names that are meant; nothing where it is the same. */
  requestWith: (keys: WrongKey[]) => Parts | undefined;
  /** The request as if nobody knew another object. */
  requestWithout: (other: TextObject) => Parts;
  isUpdate: boolean;
  /** Whether the update is one of the object itself. */
  isOfItself: boolean;
  /** Whether the object before is a stored one, and this one a manifest, which `kubectl apply` sends. */
  isApplied: boolean;
  /** The version of Kubernetes to which the Shoot is to go, where a person asks what must change before. */
  target: string | undefined;
}

/** The texts of a check, and what is to be done with each document. */
export interface Prepared {
  text: ReadText;
  cases: (Case | Skipped)[];
  /** The objects of the text and of the context. */
  given: TextObject[];
  /** What there is to say of the other two texts themselves. */
  others: Omit<Review, "documents" | "judgedAt">;
  /** The keys that are misspelt in them. */
  keys: WrongKey[];
}

/** Reads texts, each once as long as it stays the same, and loads the policies of their objects. */
export class Preparation {
  private readonly texts = new TextReader();
  private readonly olds = new ObjectsReader();
  private readonly contexts = new ObjectsReader();
  private readonly applied = new ObjectsReader();
  private readonly keys = new KeyReader();
  /** Whether there was an object that Gardener's own policy judges. */
  wantsGardener = false;

  constructor(private readonly policies: Policies) {}

  /** A text that somebody edits. */
  read(text: string): ReadText {
    return this.texts.read(text);
  }

  /** The objects of a text that another one refers to. */
  besides(context: string): TextObject[] {
    return this.contexts.read(context).objects;
  }

  /** Reads the texts and loads the policies, of all documents or of one. */
  async prepare(input: GivenInput, only?: number): Promise<Prepared> {
    const read = this.texts.read(input.text);
    const text = input.onto === undefined ? read : partsOnto(read, input.onto);
    const context = this.contexts.read(input.context ?? "");
    const old = this.olds.read(input.old ?? "");
    const others = [...text.objects.filter((object) => object !== undefined), ...context.objects];
    const olds = byIdentity(old.objects);
    const applied = byIdentity(this.applied.read(input.applied ?? "").objects);
    const found = text.objects.map((object) => assign(object, others, input.provider, object && olds.get(identityOf(object.object) ?? "")));
    const wanted = found.filter((_, index) => only === undefined || only === index);
    const policies = await this.policies.get(wanted.flatMap((one) => (typeof one === "string" ? [one] : [])));
    const isWanted = text.objects.some((object) => isOfAll(object?.object));
    this.wantsGardener ||= isWanted;
    // Gardener's policy knows what `kubectl apply` makes of a manifest for a stored object; without that, there is nothing right to say.
    const isMerged = text.objects.some((object) => object && isManifestFor(olds.get(identityOf(object.object) ?? ""), object.object));
    const waited = isWanted && (input.wait === true || isMerged) ? await this.policies.get([GARDENER]) : undefined;
    const gardener = waited?.get(GARDENER) ?? this.policies.gardener;
    const now = JSON.stringify(new Date().toISOString());
    // Parts are of one Shoot, and each is judged in it.
    const twice = twiceIn(text.objects.map((object, index) => (text.partOf.has(index) ? undefined : object)));
    const cases = found.map((assigned, index): Case | Skipped => {
      const object = text.objects[index];
      const { first, isCopy = false } = twice.get(index) ?? {};
      if (first !== undefined) return { because: isCopy ? "copy" : "twice", found: String(lineOf(text, first)) };
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
      const old = olds.get(identity) ?? storedOf(text.partOf.get(index), input, applied.has(identity));
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
      const requestWithout = (other: TextObject): Parts => requestBeside(others.filter((one) => one !== other), before);
      const context = contextIn(others);
      const isUpdate = before !== undefined;
      const isApplied = target === undefined && own.length > 0 && isManifestFor(old, object.object);
      const judging = { provider, skipped, policies: asked, lost, gardenerLost, isPreliminary: ofAll && !gardener };
      return { object, ...judging, request, requestWith, requestWithout, isUpdate, isOfItself, isApplied, context, old, applied: last, target };
    });
    const keys = only === undefined ? await this.misspelt(input, { old, context }, policies) : [];
    return { text, cases, given: others, others: saidOfOthers(text, old, context, keys), keys };
  }

  /** The misspelt keys of the other texts, by the policies that the text itself needs. */
  private misspelt(input: GivenInput, { old, context }: Record<"old" | "context", OtherObjects>, policies: Map<string, KnownPolicy | LoadError>): Promise<WrongKey[]> {
    const { gardener } = this.policies;
    const judges = ({ object }: TextObject): Asked[] => {
      const kind = textAt(object, "kind") ?? "";
      const named = isOfGardener(object) ? candidatesOf(object, context.objects) : [];
      const all = [isOfAll(object) ? gardener : undefined, ...named.map((name) => policies.get(name)).slice(0, 1)];
      return all.flatMap((known) => (known && !(known instanceof Error) && known.kinds.has(kind) ? [askedOf(known, kind, known.defaulted.has(kind))] : []));
    };
    const settings = [input.gardenerVersion, input.openapi, gardener, ...policies.values()];
    // What nobody knows in an old version, nobody compares either.
    return this.keys.read({ "the old version": old, "the context": context }, context, judges, gardenOf(input), settings);
  }
}

/** A policy as it is asked about objects of a kind. */
export function askedOf({ provider: source, policy, rules, reads }: KnownPolicy, kind: string, setsDefaults: boolean): Asked {
  return { source, policy, rules, setsDefaults, reads: readsOf(reads, kind) };
}

/** The Shoot that a part is put into, as JSON text, where it is stored: then the part is an edit of it. */
function storedOf(shoot: TextObject | undefined, { create }: GivenInput, isApplied: boolean): string | undefined {
  return shoot && create !== true && !isApplied && hasUid(shoot.object) ? shoot.json : undefined;
}

/** Whether an object is a manifest, and the one before it, as JSON text, a stored object. */
function isManifestFor(old: string | undefined, object: unknown): boolean {
  return old !== undefined && !hasUid(object) && hasUid(JSON.parse(old));
}

/** The provider whose policy judges an object, or why none does. */
function assign(found: TextObject | undefined, others: TextObject[], fallback: string | undefined, stored: string | undefined): string | Skipped {
  if (!found) return { because: "unreadable", found: "" };
  const { object } = found;
  if (!isObject(object)) {
    return { because: "unreadable", found: Array.isArray(object) ? "list" : object === null ? "null" : typeof object };
  }
  const kind = textAt(object, "kind") ?? "";
  if (!isOfGardener(object) || wrongKind(object)) return { because: "kind", found: kind };
  const candidates = candidatesOf(object, others);
  // What `kubectl apply` sends may leave the provider out: it stays.
  if (candidates.length === 0 && isManifestFor(stored, object)) candidates.push(...candidatesOf(JSON.parse(stored ?? ""), others));
  if (candidates.length === 0 && fallback !== undefined) candidates.push(fallback);
  const [first] = candidates;
  if (first === undefined) return { because: "unnamed", found: kind };
  const known = candidates.find((candidate) => providers.some((provider) => provider === candidate));
  return known ?? { because: "provider", found: first };
}

/** The JSON text of objects by what identifies them: the first of each. */
function byIdentity(objects: TextObject[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { json, object } of objects) {
    const identity = identityOf(object);
    if (identity !== undefined && !found.has(identity)) found.set(identity, json);
  }
  return found;
}

/** What policies get to know of the garden. */
function gardenOf({ gardenerVersion: version = "", openapi = "" }: GivenInput): Record<string, string> {
  return { ...(version !== "" && { gardenerVersion: JSON.stringify(version) }), ...(openapi !== "" && { openapi }) };
}
