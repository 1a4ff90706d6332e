// What is measured, the same in Node and in a page.

/** Clocks of pages are coarse, so that one sample is the mean of some calls. */
const CALLS = 10;
const SAMPLES = 1_000;

/**
 * Milliseconds from a module's bytes to the first answer about a Shoot, where the package's code is there already.
 * Loads the policy, which a process or page does once.
 */
export async function firstAnswer(load, module, object) {
  const provider = object.spec.provider.type;
  const begin = performance.now();
  const policy = await load({ provider, module });
  accepted(policy.validate({ object }));
  return performance.now() - begin;
}

/** Median of the milliseconds that some policies need to judge a Shoot once the engine has optimised them. */
function warmValidation(policies, object) {
  const request = { object, now: "2026-11-21T12:00:00Z" };
  const sample = () => {
    const begin = performance.now();
    for (let call = 0; call < CALLS; call += 1) {
      for (const policy of policies) accepted(policy.validate(request));
    }
    return (performance.now() - begin) / CALLS;
  };
  for (let warming = 0; warming < SAMPLES; warming += 1) sample();
  return median(Array.from({ length: SAMPLES }, sample));
}

export function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** How fast warm policies are: the provider's, the provider's with Gardener's own, and what renders a control plane. */
export async function warmAnswers({ load, loadGardener, loadRendering }, object) {
  const { type } = object.spec.provider;
  const provider = await load({ provider: type });
  const gardener = await loadGardener();
  const rendering = await loadRendering({ provider: type });
  return {
    warm: warmValidation([provider], object),
    both: warmValidation([provider, gardener], object),
    rendered: warmRendering(rendering, { what: "controlPlane", cluster: { shoot: object } }),
  };
}

/** Median of the milliseconds that a policy needs to render a control plane. */
function warmRendering(policy, request) {
  const sample = () => {
    const begin = performance.now();
    for (let call = 0; call < CALLS; call += 1) {
      if (!policy.render(request).managedResources) throw new Error("nothing is rendered");
    }
    return (performance.now() - begin) / CALLS;
  };
  for (let warming = 0; warming < SAMPLES / 10; warming += 1) sample();
  return median(Array.from({ length: SAMPLES / 10 }, sample));
}

function accepted({ verdict, error }) {
  // Without a CloudProfile, Gardener's rules leave some of it open.
  if (verdict === "reject" || error) throw new Error(`the Shoot is not accepted: ${verdict ?? error.message}`);
}
