// Says across the threads of a process which calls begin: what is called may never come back.
const CHANNEL = "calls that begin";

/** Says that a call begins. */
export function notify(name) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(name);
  channel.close();
}

/** Waits until a call of a name begins in another thread. */
export function begins(name) {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      if (data !== name) return;
      channel.close();
      resolve();
    };
  });
}

/**
 * The same for a page, once its browser has joined the channel: what another thread says before is lost. The object keeps the promise
 * from being awaited here.
 */
export async function joined(name) {
  const begun = begins(name);
  // A page joins channels and reports calls in one order.
  const own = begins("joined");
  notify("joined");
  await own;
  return { begun };
}
