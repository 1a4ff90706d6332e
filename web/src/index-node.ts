/** The same as `index.ts`, with modules read from files. */

import type { load as Load, loadAddresses as LoadAddresses, loadInfrastructure as LoadInfrastructure } from "./index.js";
import { loadAddressesOnce, loadInfrastructureOnce, loadOnce } from "./load.js";
import { readFileOrFetch } from "./read-node.js";

export { classified, infrastructures, LoadError, providers } from "./index.js";

export const load: typeof Load = (options) => loadOnce(options, readFileOrFetch);

export const loadAddresses: typeof LoadAddresses = (options) => loadAddressesOnce(options, readFileOrFetch);

export const loadInfrastructure: typeof LoadInfrastructure = (options) => loadInfrastructureOnce(options, readFileOrFetch);
