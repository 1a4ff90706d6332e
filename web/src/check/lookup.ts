/** Answers the queries of a policy with the objects that were given. */

import type { ErrorAnswer, Query, Undecided } from "../documents.js";
import { withParent } from "./namespaced.js";
import { type TextObject, find, groupOf, parentOf, textAt } from "./objects.js";
import type { Soon } from "./policy.js";

/** How many times a policy is asked again: an answer may lead to a further query. */
const ROUNDS = 8;

/** JSON text of facts, by the id of the query; each is an object that was given. */
export class Lookup {
  private readonly facts = new Map<string, string>();

  constructor(private readonly objects: TextObject[]) {}

  /** Asks a policy, and again as long as objects answer what it asks for. */
  async ask<A extends { undecided: Undecided[] }>(
    call: (facts: string[]) => Soon<A | ErrorAnswer>,
  ): Promise<A | ErrorAnswer> {
    let answer = await call([...this.facts.values()]);
    for (let round = 0; round < ROUNDS && !("error" in answer) && this.answer(answer.undecided); round += 1) {
      answer = await call([...this.facts.values()]);
    }
    return answer;
  }

  /** Adds a fact for each query that an object answers; whether there is one. */
  private answer(undecided: Undecided[]): boolean {
    const known = this.facts.size;
    for (const { query } of undecided) {
      const found = query && !this.facts.has(query.id) ? this.objectOf(query) : undefined;
      if (query && found) {
        this.facts.set(query.id, `{"query":${JSON.stringify(query.id)},"answer":{"response":${found.json}}}`);
      }
    }
    return this.facts.size > known;
  }

  private objectOf({ call: { service, action, parameters } }: Query): TextObject | undefined {
    if (service !== "kubernetes" || action !== "get") return undefined;
    const at = (key: string): string => textAt(parameters, key) ?? "";
    const found = find(this.objects, at("kind"), at("namespace"), at("name"));
    const version = textAt(found?.object, "apiVersion");
    const isMeant = version === undefined || groupOf(version) === groupOf(at("apiVersion"));
    return found && isMeant ? withParent(found, parentOf(found.object, this.objects)) : undefined;
  }
}
