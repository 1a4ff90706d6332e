// What is measured, the same in Node and in a page.

/** The provider of the Shoot that is judged. */
export const PROVIDER = "alicloud";

/** Clocks of pages are coarse, so that one sample is the mean of some calls. */
const CALLS = 10;
const SAMPLES = 1_000;

/**
 * Milliseconds from a module's bytes to the first answer, where the package's code is there already. Loads the policy,
 * which a process or page does once.
 */
export async function firstAnswer(load, module, request) {
  await import(`../dist/policies/${PROVIDER}.js`);
  const begin = performance.now();
  const policy = await load({ provider: PROVIDER, module });
  accepted(policy.validate(request));
  return performance.now() - begin;
}

/** Median of the milliseconds that a validation takes once the engine has optimised it. */
export async function warmValidation(load, request) {
  const policy = await load({ provider: PROVIDER });
  const sample = () => {
    const begin = performance.now();
    for (let call = 0; call < CALLS; call += 1) accepted(policy.validate(request));
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
