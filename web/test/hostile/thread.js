// The code of a policy's worker in Node, which reports each call before it makes it.
import "./telling.js";
import "../../dist/worker-thread-node.js";
