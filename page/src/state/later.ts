/** Parts of the page that are loaded when they are first shown, or before that, while the page has nothing to do. */

import { type Component, defineComponent, h, onBeforeUpdate, ref, shallowRef } from "vue";
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
      // A dialog that is opened again, and a menu whose button is pressed again, are tried again.
      let wasOpen = attrs["modelValue"];
      onBeforeUpdate(() => {
        if (attrs["modelValue"] === true && wasOpen !== true) void get();
        wasOpen = attrs["modelValue"];
      });
      const close = (): void => {
        hasFailed.value = false;
        for (const listener of [attrs["onUpdate:modelValue"], attrs["onLeft"]]) if (typeof listener === "function") listener(false);
        const { activator } = attrs;
        if (!(activator instanceof HTMLElement)) return;
        activator.focus();
        activator.addEventListener("click", () => void get(), { once: true });
      };
      return () => {
        if (found.value) return h(found.value, attrs, slots);
        return hasFailed.value ? h(FailedPart, { floats, onRetry: get, onClose: close }) : undefined;
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

/** Waits until the page has nothing to do; not every browser says when. */
export function idle(): Promise<unknown> {
  return new Promise((resolve) => ("requestIdleCallback" in window ? requestIdleCallback(resolve) : setTimeout(resolve, 200)));
}
