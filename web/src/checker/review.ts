/** From texts to everything that can be said about them. */

import type { ErrorAnswer, PatchOperation, ZoneRequest } from "../documents.js";
import type { Checked } from "../check/answer.js";
import { GARDENER, rulesOf } from "../check/join.js";
import { nameOf } from "../check/identity.js";
import { namedProfileOf } from "../check/references.js";
import { choicesAt } from "../choices/offers.js";
import type { Choice, ChoicePlace } from "../choices/place.js";
import { profilesIn } from "../choices/profiles.js";
import { type Judged, type Parts, judge } from "../check/judge.js";
import { type TextObject, isSecretKind, member, textAt } from "../check/objects.js";
import type { TriedFixes } from "../check/worlds.js";
import { infrastructures as planned, rendered } from "../generated/providers.js";
import type { LoadError } from "../errors.js";
import type { Addresses } from "../policy.js";
import type { ExplainedRule } from "../rules.js";
import { editParts } from "../yaml/parts.js";
import type { Range, TextEdit } from "../yaml/index.js";
import { checkObject } from "./check.js";
import { showDefaults } from "./defaulted.js";
import { described } from "./described.js";
import { CheckError, type Review, type ReviewedDocument, type Ruling, type Skipped, type ZonesPlan } from "./interface.js";
import { type AskedObject, type GivenInput, type Tasks, WrongCall } from "./messages.js";
import { traced, withKeys } from "./keys.js";
import { LastJudged } from "./last.js";
import { leaveToNamed, leaveToProfile } from "./left.js";
import { placed, placer } from "./places.js";
import { askedOf, type Case, Preparation, type Prepared } from "./prepare.js";
import { manifestsFor } from "./manifests.js";
import { planOf } from "./plan.js";
import { rolloutOf } from "./rollout.js";
import type { KnownPolicy, Policies } from "./policies.js";
import type { ReadText } from "./texts.js";
import { skippedOf } from "./unfit.js";

/** What a checker's worker does. */
export class Reviewer implements Tasks {
  private readonly preparation: Preparation;
  private readonly last = new LastJudged();

  constructor(private readonly policies: Policies) {
    this.preparation = new Preparation(policies);
  }

  /** Loads what the last review went without. Whether the next one says more. */
  async fetchMore(): Promise<boolean> {
    return this.preparation.wantsGardener && this.policies.fetchGardener();
  }

  async review(input: GivenInput): Promise<Review> {
    const { text, cases, given, others, keys } = await this.preparation.prepare(input);
    const judgedAt = this.last.begin(input, cases.flatMap((found) => ("because" in found ? [] : found.policies)));
    const judgeOf = (found: Case, index: number) => {
      const isSound = text.documents[index]?.problems.length === 0;
      const kind = textAt(found.object.object, "kind") ?? "";
      const sets = (policy: KnownPolicy): boolean => input.defaults !== false && policy.defaulted.has(kind);
      const asked = found.policies.map((known) => askedOf(known, kind, sets(known)));
      const { isApplied, isOfItself, target } = found;
      const circumstances = { missing: missingOf(found), isSound, isApplied, isOfItself, target };
      return (request: Parts, among: TextObject[], tried?: TriedFixes): Promise<Judged> =>
        judge(asked, found.object.json, request, among, { ...circumstances, ...(tried && { tried }) });
    };
    const said = await Promise.all(
      cases.map(async (found, index) => {
        if ("because" in found || found.lost || found.policies.length === 0) return undefined;
        const by = judgeOf(found, index);
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
    const left = await Promise.all(
      said.map(async (outcome, index) => {
        const found = cases[index];
        const profile = outcome && found && !("because" in found) ? namedProfileOf(found.object.object, given) : undefined;
        const mistakes = profile && said[text.objects.indexOf(profile)]?.ruling;
        if (!outcome || !found || "because" in found || !profile || mistakes?.verdict !== "reject") return { outcome };
        const { ruling } = outcome;
        const among = given.filter((one) => one !== profile);
        const findings = await leaveToProfile(found.object, ruling.findings, mistakes, () => judgeOf(found, index)(found.requestWithout(profile), among));
        const leftTo = findings.length < ruling.findings.length && ruling.verdict === "reject" ? nameOf(profile.object) : undefined;
        return { outcome: { ...outcome, ruling: { ...ruling, findings } }, leftTo };
      }),
    );
    const judged = left.map(({ outcome }) => outcome);
    // What an edit does to nodes can be shown only where there is one.
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
        return { ...reviewed, ...skippedOf(text, index, found) };
      }
      const { provider, isUpdate, isOfItself, isApplied, policies, lost } = found;
      const isOfApplied = found.target === undefined && found.old === undefined && found.applied !== undefined;
      const update = { isUpdate, ...(isOfItself && { isOfItself }), ...(isApplied && { isApplied }), ...(isOfApplied && { isOfApplied }) };
      const known = {
        ...(provider !== undefined && { provider }),
        ...update,
        ...(found.skipped && skippedOf(text, index, found.skipped)),
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
      const loaded = reviewed.kind === "Shoot" ? addressing.get(provider ?? "") : undefined;
      const addresses = loaded && input.addresses ? addressesOf(loaded, found, outcome) : {};
      const shows = loaded && input.rollouts && isPlanned(text, index);
      const rollout = shows ? rolloutOf(policies, loaded, outcome, found) : undefined;
      const infrastructure = isPlanned(text, index) ? infrastructures.get(provider ?? "") : undefined;
      const place = placer(policies, document, text, ruling.changes);
      const plan = infrastructure && planOf(policies, infrastructure, outcome, found, place);
      const rendering = isPlanned(text, index) ? renderings.get(provider ?? "") : undefined;
      const manifests = rendering && manifestsFor(policies, rendering, outcome, found, place);
      const { leftTo } = left[index] ?? {};
      return { ...reviewed, ...known, ruling, ...(leftTo !== undefined && { leftTo }), ...(outcome.upgrade && { upgrade: outcome.upgrade }), ...addresses, ...(plan && { plan }), ...(rollout && { rollout }), ...(manifests && { manifests }) };
    });
    leaveToNamed(documents, text.objects, given);
    if (input.showDefaults) showDefaults(text, documents, judged);
    return { documents, judgedAt, ...others };
  }

  async check(asked: AskedObject): Promise<Checked | ErrorAnswer> {
    return checkObject(this.policies, asked);
  }

  async edits(text: string, document: number, patch: PatchOperation[]): Promise<TextEdit[] | undefined> {
    const read = this.preparation.read(text);
    if (!read.parts[document]) {
      const there = read.parts.length === 1 ? "is 1" : `are ${read.parts.length}`;
      throw new WrongCall(`the text has no document ${document}: there ${there}, and the first one is 0`);
    }
    return editsOf(read, document, patch);
  }

  async locate(text: string, document: number, pointer: string): Promise<Range | undefined> {
    const found = this.preparation.read(text).documents[document]?.locate(pointer);
    return found && { from: found.from, to: found.to };
  }

  async zones(input: GivenInput, document: number, add: ZoneRequest[]): Promise<ZonesPlan> {
    const { text, cases } = await this.preparation.prepare(input, document);
    const found = cases[document];
    if (!found || "because" in found || found.provider === undefined) {
      const skipped = found && "because" in found ? found : found?.skipped;
      const isOther = skipped?.because === "provider";
      const message = isOther ? `${skipped?.found} is not supported yet` : "no policy plans zones for this document";
      return { error: { code: isOther ? "UnsupportedProvider" : "UnsupportedKind", message } };
    }
    if (found.lost) return { error: { code: "PolicyUnavailable", message: found.lost.message } };
    const loaded = (await this.policies.addresses([found.provider])).get(found.provider);
    if (!loaded || loaded instanceof Error) {
      return { error: { code: "PolicyUnavailable", message: loaded?.message ?? "the policy is not there" } };
    }
    const members = `,"add":${JSON.stringify(add)}}`;
    const request = found.request.of(found.object.json).replace(/\}$/, () => members);
    const answer = loaded.zones(request);
    if ("error" in answer) return answer;
    const edits = editsOf(text, document, answer.patch);
    return { ...answer, ...(edits && { edits }) };
  }

  async objects(input: GivenInput, document: number): Promise<object[]> {
    const found = (await this.preparation.prepare(input, document)).cases[document];
    if (!found || "because" in found) return [];
    const isShown = (object: object): boolean => !isSecretKind(textAt(object, "kind"));
    return [found.object.json, ...Object.values(found.context)].map((json) => JSON.parse(json)).filter(isShown);
  }

  async choices({ text, context = "" }: Pick<GivenInput, "text" | "context">, place: ChoicePlace): Promise<Choice[]> {
    const beside = this.preparation.besides(context).map(({ object }) => object);
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
}

/** The rules that nobody can ask about an object. */
function missingOf({ skipped, gardenerLost, isPreliminary }: Case): string[] {
  const own = gardenerLost || isPreliminary ? [GARDENER] : [];
  if (!skipped) return own;
  return [...own, skipped.because === "provider" ? rulesOf(skipped.found) : "the rules of a provider"];
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
  loaded: Addresses | LoadError,
  { request }: Case,
  { object }: Judged,
): Pick<ReviewedDocument, "addresses" | "addressesError" | "ipFamilies"> {
  if (loaded instanceof Error) return { addressesError: loaded.message };
  const addresses = loaded.addresses(request.of(object));
  if ("error" in addresses) return {};
  const families = member(member(member(JSON.parse(object), "spec"), "networking"), "ipFamilies");
  return { addresses, ...(Array.isArray(families) && { ipFamilies: families.map(String) }) };
}

function editsOf({ text, readings, parts, known }: ReadText, document: number, patch: PatchOperation[]): TextEdit[] | undefined {
  return editParts(text, readings, parts, new Map([[document, patch]]), known)?.edits;
}
