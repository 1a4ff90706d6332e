import { choose, release } from "trellis-policy/versions";
import { release as older } from "trellis-policy-older/versions";

/** What admission will say of a Shoot, by what its ConfigMap says: `data`. */
export async function predict(data: object, shoot: object, oldShoot: object | null = null): Promise<string[]> {
  const { admission, difference, load } = choose(data, [release, older], { nearest: true });
  const { validate } = await load();
  const answer = validate({ object: shoot, oldObject: oldShoot, ratchet: admission.mode === "ratchet" });
  if ("error" in answer) return [answer.error.message];
  const reported = answer.findings.map(({ severity, field }) => {
    const isRefused = severity === "error" && admission.mode !== "warn";
    return `${field}: this would be ${isRefused ? "refused" : "a warning"}`;
  });
  return difference === undefined ? reported : [difference, ...reported];
}
