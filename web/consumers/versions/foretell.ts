import { choose, release } from "trellis-policy/versions";
import { release as older } from "trellis-policy-older/versions";

/** What admission will say of a Shoot, by what its ConfigMap says: `data`. */
export async function foretell(data: object, shoot: object, oldShoot: object | null = null): Promise<string[]> {
  const { admission, difference, load } = choose(data, [release, older], { nearest: true });
  const { validate } = await load();
  const answer = validate({ object: shoot, oldObject: oldShoot, ratchet: admission.mode === "ratchet" });
  if ("error" in answer) return [answer.error.message];
  const isRefused = (severity: string) => severity === "error" && admission.mode !== "warn";
  const told = answer.findings.map(({ severity, field }) => `${field}: ${isRefused(severity) ? "this would be refused" : "this would be a warning"}`);
  return difference === undefined ? told : [difference, ...told];
}
