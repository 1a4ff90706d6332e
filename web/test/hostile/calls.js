// Tells across the threads of a process which calls begin: what is called may never come back.
const CHANNEL = "calls that begin";

/** Tells that a call begins. */
export function tell(name) {
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
