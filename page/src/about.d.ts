/** What the build knows of the page, as `build/about.js` reads it. */
declare const ABOUT: {
  /** The version of Trellis. */
  version: string;
  /** How many rules each policy has. */
  rules: Record<string, number>;
};
