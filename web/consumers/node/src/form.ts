import type { FormFields } from "trellis-policy";
import type { Checker } from "trellis-policy/checker";

/** The messages of a form while somebody writes: the rules run in a worker, which keeps the CloudProfile. */
export async function messagesFor(checker: Checker, shoot: object, cloudProfile: string, fields: FormFields, signal?: AbortSignal) {
  const answer = await checker.check(shoot, { context: { cloudProfile } }, { signal });
  if ("error" in answer) throw new Error(answer.error.message);
  return answer.messages(fields);
}
