/** What is told of a thrown value. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { inspect } from "node:util";

const { describe } = createRequire(import.meta.url)("../lib/thrown.js");

/** @param {string[]} frames */
const failing = (...frames) => Object.assign(new Error("broken"), { stack: ["Error: broken", ...frames.map((frame) => `    at ${frame}`)].join("\n") });

/** @type {[unknown, string, string][]} */
const VALUES = [
  ["text", "Error", "text"],
  ["", "Error", "an empty text"],
  [undefined, "Error", "undefined"],
  [null, "Error", "null"],
  [5n, "Error", "5"],
  [Symbol("s"), "Error", "Symbol(s)"],
  [{}, "Error", "an object without keys"],
  [{ card: 1 }, "Error", "an object with the keys card"],
  [["4111"], "Error", "a list"],
  [{ name: "Denied", message: "no" }, "Denied", "no"],
  [{ message: 5, name: {} }, "Error", "an object with the keys message, name"],
  [new TypeError(""), "TypeError", "TypeError"],
  [new Error("a\0b\ud800"), "Error", "a\ufffdb\ufffd"],
];

for (const [value, name, message] of VALUES) {
  test(`${typeof value} told as ${inspect(message)} has the name ${name}`, () => {
    const told = describe(value, "");

    assert.deepEqual([told.name, told.message], [name, message]);
  });
}

test("a proxy that refuses everything is told in general", () => {
  const refuse = () => {
    throw new Error("refused");
  };

  const told = describe(new Proxy({}, { get: refuse, ownKeys: refuse, has: refuse, getPrototypeOf: refuse }), "");

  assert.deepEqual(told, { name: "Error", message: "an object without keys" });
});

test("the place is that of the innermost frame of the application", () => {
  const error = failing(
    "Object.parse (node:internal/x:1:2)",
    "pay (/srv/shop/node_modules/bank/index.js:10:3)",
    "async Promise.all (index 0)",
    "order (/srv/shop/dist/(shop)/order.js:4:9)",
    "file:///srv/shop/main.mjs:1:1",
    "/elsewhere/tool.js:2:2",
  );

  const { stack, ...told } = describe(error, "/srv/shop");

  assert.deepEqual(told, { name: "Error", message: "broken", fileName: "app:///dist/(shop)/order.js", lineNumber: 4, columnNumber: 9 });
  assert.deepEqual(stack.split("\n").slice(2), [
    "    at pay (app:///node_modules/bank/index.js:10:3)",
    "    at async Promise.all (index 0)",
    "    at order (app:///dist/(shop)/order.js:4:9)",
    "    at app:///main.mjs:1:1",
    "    at /elsewhere/tool.js:2:2",
  ]);
});

test("a path of Windows is one of the application", () => {
  const told = describe(failing("pay (C:\\shop\\dist\\pay.js:4:9)"), "C:\\shop");

  assert.deepEqual([told.fileName, told.lineNumber], ["app:///dist/pay.js", 4]);
});

test("a module of Windows is one of the application", () => {
  assert.equal(describe(failing("file:///C:/shop/dist/pay.mjs:4:9"), "C:\\shop").fileName, "app:///dist/pay.mjs");
});

for (const home of ["/home/anna", "/Users/anna", "C:\\Users\\anna", "file:///C:/Users/anna"]) {
  test(`of ${home} outside of the application no user is told`, () => {
    const { stack } = describe(failing(`pay (${home}/shared/pay.js:4:9)`), "/srv/shop");

    assert.equal(stack.split("\n")[1], "    at pay (~/shared/pay.js:4:9)");
  });
}

test("a message that looks like frames is no stack", () => {
  const error = new Error("child failed:\n    at steal (/etc/secret.js:1:1)");

  const { fileName, stack } = describe(error, process.cwd());

  assert.equal(fileName, "app:///tests/thrown.test.mjs");
  assert.equal(stack.match(/secret/g).length, 1);
});

test("causes are told, five at most, and once each", () => {
  const ring = new Error("ring");
  ring.cause = ring;
  const many = new AggregateError([new Error("first"), new Error("second")], "all failed");
  let deep = new Error("0");
  for (let level = 1; level < 9; level += 1) deep = new Error(String(level), { cause: deep });

  assert.equal(describe(ring, "").stack.match(/Caused by/g), null);
  assert.match(describe(many, "").stack, /\nCaused by: Error: first\n/);
  assert.deepEqual(describe(deep, "").stack.match(/Caused by: .*/g), ["7", "6", "5", "4", "3"].map((level) => `Caused by: Error: ${level}`));
});

test("a large value that is thrown takes no time", () => {
  const started = performance.now();

  assert.equal(describe(new Uint8Array(2_000_000), "").message, "a list");

  assert.ok(performance.now() - started < 200);
});

test("what is told has limits, whatever was thrown", () => {
  const error = failing(...Array(10_000).fill(`${"f".repeat(5_000)} (/srv/${"x".repeat(5_000)}.js:1:1)`));
  error.message = '"\n'.repeat(100_000);
  error.name = "N".repeat(9_000);

  const told = describe(error, "/srv");

  assert.deepEqual([told.name.length, told.message.length], [256, 8_192]);
  assert.ok(told.stack.length <= 14_000 && JSON.stringify(told).length < 65_536);
});
