import { check, placeOf, promptOf, sentenceOf } from "trellis-policy";

/** The fields of a form, by the pointers of their values. */
const fields = { name: "/metadata/name", networking: { nodes: "/spec/networking/nodes", pods: "/spec/networking/pods" } };

/** What a form shows of a Shoot: whether it may be submitted, the message of each field, the other messages, and what nobody could decide. */
export async function formHelp(shoot: object, cloudProfile: object, older?: object) {
  const answer = await check({ object: shoot, oldObject: older, context: { cloudProfile } });
  if ("error" in answer) throw new Error(answer.error.message);
  const shown = [fields.name, ...Object.values(fields.networking)];
  return {
    isFine: answer.verdict === "accept",
    messages: answer.messages(fields),
    others: answer.rest(shown).map((finding) => `${placeOf(finding)}: ${sentenceOf(finding)}`),
    open: answer.undecided.map(promptOf),
  };
}
