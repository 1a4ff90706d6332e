// Components of the package on a page, for the tests to look at.
import { createApp, h, nextTick, reactive } from "vue";
import * as components from "trellis-policy/vue";
import "trellis-policy/vue.css";

let app;

/** Shows a component with props instead of the one that is shown; what it emits is in `window.page.emitted`. */
async function show(name, props, strings) {
  app?.unmount();
  const component = components[name];
  const emitted = (window.page.emitted = []);
  const listeners = (component.emits ?? []).map((event) => [
    `on${event[0].toUpperCase()}${event.slice(1)}`,
    (...values) => emitted.push([event, ...values]),
  ]);
  window.page.props = reactive({ ...props });
  app = createApp(() => h(component, { ...window.page.props, ...Object.fromEntries(listeners) }));
  if (strings) app.provide(components.TRELLIS_STRINGS, components.withStrings(strings));
  app.mount("#app");
  await nextTick();
}

/** Gives the component that is shown other props; how many milliseconds Vue needs for it. */
async function update(props) {
  const start = performance.now();
  Object.assign(window.page.props, props);
  await nextTick();
  return performance.now() - start;
}

window.page = { show, update, emitted: [] };
