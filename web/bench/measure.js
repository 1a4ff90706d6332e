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

/** Median of the milliseconds that a validation of a Shoot takes once the engine has optimised it. */
export async function warmValidation(load, object) {
  const policy = await load({ provider: object.spec.provider.type });
  const sample = () => {
    const begin = performance.now();
    for (let call = 0; call < CALLS; call += 1) accepted(policy.validate({ object }));
    return (performance.now() - begin) / CALLS;
  };
  for (let warming = 0; warming < SAMPLES; warming += 1) sample();
  return median(Array.from({ length: SAMPLES }, sample));
}

export function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function accepted({ verdict, error }) {
  if (verdict !== "accept") throw new Error(`the Shoot is not accepted: ${verdict ?? error.message}`);
}
