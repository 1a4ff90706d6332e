import { load } from "trellis-policy/alicloud";

/** Why a Shoot is not accepted, one sentence a finding. */
export async function complaints(shoot: object): Promise<string[]> {
  const { validate } = await load();
  const answer = validate({ object: shoot });
  if ("error" in answer) return [answer.error.message];
  return answer.findings.map(({ field, detail, remedy }) => `${field}: ${detail}. ${remedy}`);
}
