/** Parts of the page that are loaded when they are first shown, or before that, while the page has nothing to do. */

import { type Component, defineComponent, h, ref, shallowRef } from "vue";
import FailedPart from "../components/FailedPart.vue";

/** What loads each part, in the order in which the parts were named. */
const parts: (() => Promise<void>)[] = [];

/**
 * A component that shows nothing until it is loaded, and says so where it cannot be loaded. One that `floats`, such as a dialog, says
 * it above the page, because it has no place in it.
 */
export function later<Part extends Component>(load: () => Promise<{ default: Part }>, { floats = false } = {}): Part {
  const found = shallowRef<Part>();
  const hasFailed = ref(false);
  const get = async (): Promise<void> => {
    if (found.value) return;
    hasFailed.value = false;
    try {
      found.value = (await load()).default;
    } catch {
      hasFailed.value = true;
    }
  };
  parts.push(get);
  const shown = defineComponent({
    inheritAttrs: false,
    setup(_, { attrs, slots }) {
      void get();
      return () => {
        if (found.value) return h(found.value, attrs, slots);
        return hasFailed.value ? h(FailedPart, { floats, onRetry: get }) : undefined;
      };
    },
  });
  // It takes what the part takes, and hands it on.
  return shown as unknown as Part;
}

/** Loads all parts, one after the other, so that none has to be waited for. One that cannot be loaded is tried again when it is shown. */
export async function fetchParts(): Promise<void> {
  for (const get of parts) {
    await idle();
    await get();
  }
}

/** Waits until the page has nothing to do; not every browser tells. */
export function idle(): Promise<unknown> {
  return new Promise((resolve) => ("requestIdleCallback" in window ? requestIdleCallback(resolve) : setTimeout(resolve, 200)));
}
