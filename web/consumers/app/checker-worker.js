// A checker's worker of the application's own, for bundlers that do not find the package's.

import "trellis-policy/checker-thread";
