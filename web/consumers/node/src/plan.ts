import { loadInfrastructure, type Plan } from "trellis-policy";

const { plan } = await loadInfrastructure({ provider: "alicloud" });

/** What an edit of a Shoot changes and disrupts; without an older Shoot, what there will be. */
export function preview(shoot: object, cloudProfile: object, older?: object): Plan | undefined {
  const request = (shoot: object) => ({ operation: "reconcile" as const, cluster: { shoot, cloudProfile } });
  const answer = plan({ request: request(shoot), baseline: older ? request(older) : "empty" });
  if ("error" in answer) return undefined; // `answer.error` says why
  return answer.plan; // where there is none, `answer.findings` say what forbids it
}
