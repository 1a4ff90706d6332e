import { check, detailOf } from "trellis-policy";

/** What a form shows of a Shoot: whether it may be submitted, what is wrong at a field, and what nobody has checked. */
export async function formHelp(shoot: object, cloudProfile: object, older?: object) {
  const answer = await check({ object: shoot, oldObject: older, context: { cloudProfile } });
  if ("error" in answer) return { isFine: false, at: () => [answer.error.message], notChecked: [] };
  const findings = answer.byPointer();
  const at = (pointer: string) => findings.get(pointer)?.map((finding) => `${detailOf(finding)}. ${finding.remedy}`) ?? [];
  return { isFine: answer.verdict === "accept", at, notChecked: answer.scope.notChecked };
}
