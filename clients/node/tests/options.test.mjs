import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { Footfall } from "@footfall/node";

const VALID = { analyticsHost: "https://desk.example.com/api", siteId: "12", apiKey: "ff_secret" };

/** @type {[string, unknown][]} */
const INVALID = [
  ["analyticsHost", undefined],
  ["analyticsHost", null],
  ["analyticsHost", ""],
  ["analyticsHost", 7],
  ["analyticsHost", "desk.example.com/api"],
  ["analyticsHost", "ftp://desk.example.com/api"],
  ["analyticsHost", "https://desk.example.com"],
  ["analyticsHost", "https://desk.example.com/rapi"],
  ["analyticsHost", "https://user:word@desk.example.com/api"],
  ["analyticsHost", "https://desk.example.com/api?key=1"],
  ["siteId", undefined],
  ["siteId", null],
  ["siteId", ""],
  ["siteId", 0],
  ["siteId", 1.5],
  ["siteId", NaN],
  ["siteId", true],
  ["siteId", {}],
  ["apiKey", undefined],
  ["apiKey", ""],
  ["apiKey", 42],
  ["apiKey", "two words"],
  ["apiKey", "line\nbreak"],
  ["debug", "yes"],
  ["timeout", 0],
  ["timeout", "1s"],
  ["retries", -1],
  ["retries", 1.5],
  ["retryDelay", -1],
  ["maxRetryDelay", Infinity],
  ["batch", 1],
  ["batchSize", 0],
  ["batchSize", 501],
  ["flushInterval", -5],
  ["queueSize", 0],
  ["onError", "log"],
  ["onerror", () => {}],
];

for (const [option, value] of INVALID) {
  test(`the constructor throws and names ${option} when it is ${inspect(value)}`, () => {
    const options = /** @type {any} */ ({ ...VALID, [option]: value });

    assert.throws(() => new Footfall(options), { name: "TypeError", message: new RegExp(`"${option}"`) });
  });
}

test("the constructor throws when it gets no options at all", () => {
  assert.throws(() => new Footfall(/** @type {any} */ (undefined)), { name: "TypeError", message: /options/ });
});

for (const siteId of ["12", 12, "a1b2c3d4e5f6"]) {
  test(`the constructor takes ${inspect(siteId)} as a site's identifier`, () => {
    assert.doesNotThrow(() => new Footfall({ ...VALID, siteId }));
  });
}

test("an option that is undefined counts as absent", () => {
  assert.doesNotThrow(() => new Footfall({ ...VALID, debug: undefined, onError: undefined }));
});

test("the key shows neither in the inspected client nor in its JSON", () => {
  const client = new Footfall(VALID);

  const shown = inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client);

  assert.ok(!shown.includes("ff_secret"));
});
