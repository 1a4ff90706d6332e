/** The worker's side of `check`: one answer about an object. */

import { checkWith } from "../check/all.js";
import type { Checked } from "../check/answer.js";
import { GARDENER } from "../check/join.js";
import { kindsOf } from "../check/roles.js";
import type { ErrorAnswer } from "../documents.js";
import { isProvider } from "../provider.js";
import type { JudgingPolicy } from "../policy.js";
import { CheckError } from "./interface.js";
import type { AskedObject } from "./messages.js";
import type { Policies } from "./policies.js";

/** Checks an object by the policies of a checker. */
export async function checkObject(policies: Policies, { request, openapi, ...roles }: AskedObject): Promise<Checked | ErrorAnswer> {
  const values = Object.entries(roles).map(([role, text]): [string, unknown] => [role, kindsOf(role).length > 0 ? text : JSON.parse(text)]);
  const names = openapi === undefined ? {} : { openapi: JSON.parse(openapi) };
  const known = {
    gardener: () => policyOf(policies, GARDENER),
    isThere: isProvider,
    provider: (name: string) => policyOf(policies, name),
  };
  return checkWith(known, { ...JSON.parse(request), ...names, context: Object.fromEntries(values) });
}

/** The policy of that name; rejects where it cannot be loaded. */
async function policyOf(policies: Policies, name: string): Promise<JudgingPolicy> {
  const found = (await policies.get([name])).get(name);
  if (found && !(found instanceof Error)) return found.policy;
  throw new CheckError("PolicyUnavailable", found?.message ?? "the policy is not there");
}
