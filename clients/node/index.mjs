/** The same classes for `import`: one class under both, so `instanceof` holds across them. */
import library from "./index.js";

export const { Footfall, FootfallError } = library;
