// A proxy on loopback that counts what goes through it: all that a visit transfers, whichever thread asks for it.
import { once } from "node:events";
import { connect, createServer } from "node:net";

/** Stands before a server; whoever starts it closes it. */
export async function countingProxy(url) {
  const { port } = new URL(url);
  let bytes = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(port), "127.0.0.1");
    server.on("data", (data) => (bytes += data.length));
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on("error", () => {});
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${proxy.address().port}/`,
    /** Bytes so far, with the heads of the answers. */
    bytes: () => bytes,
    close: () => proxy.close(),
  };
}
