/** What the applications of all frameworks have in common. */
export const PAGE = "<!doctype html><title>Shop</title><p>Welcome.";

class Trapped extends Error {}
for (const name of ["name", "message", "cause", "status", "statusCode"]) {
  Object.defineProperty(Trapped.prototype, name, {
    get() {
      throw new Error("a trap");
    },
  });
}

/** What handlers throw, by name. @param {string} what */
export function thrown(what) {
  const values = {
    error: () => new RangeError("Cannot pay", { cause: new TypeError("card is undefined") }),
    refused: () => Object.assign(new Error("Bad request"), { status: 400 }),
    upstream: () => Object.assign(new Error("Request failed"), { status: 404 }),
    text: () => "out of stock",
    nothing: () => undefined,
    object: () => ({ card: "4111 1111 1111 1111", owner: "private" }),
    trapped: () => new Trapped(),
  };
  return /** @type {Record<string, () => unknown>} */ (values)[what]?.();
}
