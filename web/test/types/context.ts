// What the types of `context` take, and what they refuse.

import { check, type CheckContext } from "trellis-policy";

const object = { kind: "Shoot" };

await check({ object, context: { cloudProfile: {}, parentCloudProfile: "{}", project: null, secretBinding: undefined } });
await check({ object, context: { objects: [{}], settings: {}, featureGates: { Gate: true }, overlayDefaults: { calico: false }, subresource: "status" } });
// @ts-expect-error A role is misspelt.
await check({ object, context: { cloudprofile: {} } });
// @ts-expect-error A role is misspelt, next to one that is not.
await check({ object, context: { cloudProfile: {}, secretbinding: {} } });
// @ts-expect-error A profile is an object or its JSON text.
await check({ object, context: { cloudProfile: 5 } });
// @ts-expect-error `openapi` is no role, but a member of the request.
export const context: CheckContext = { openapi: {} };
