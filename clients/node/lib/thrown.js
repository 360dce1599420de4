/** Describes what was thrown, an error or any other value, without its own fields and without local variables. */
"use strict";

const { place, readFrames } = require("./stack.js");

const MAX_NAME = 256;
const MAX_MESSAGE = 8_192;
// With the longest message the properties stay within the limit of the service.
const MAX_STACK = 14_000;
const MAX_FRAMES = 50;
const MAX_CAUSES = 5;
const MAX_FRAMES_OF_CAUSE = 20;
const MAX_CAUSE = 300;

// JSON takes six characters for each of these.
const CONTROL = /[\0-\x08\x0b-\x1f]/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * @typedef {object} Description
 * @property {string} name
 * @property {string} message
 * @property {string} [stack]
 * @property {string} [fileName] of the innermost frame that is of the application
 * @property {number} [lineNumber]
 * @property {number} [columnNumber]
 */

/** Never throws, whatever a getter of the value does. @param {unknown} thrown @param {string} root @returns {Description} */
function describe(thrown, root) {
  const { name, message } = title(thrown);
  const frames = readFrames(stackOf(thrown), root).slice(0, MAX_FRAMES);
  const lines = [`${name}: ${message}`, ...frames.map(({ line }) => line), ...causes(thrown, root)];
  if (lines.length === 1) return { name, message };
  return { name, message, stack: clean(lines.join("\n"), MAX_STACK), ...place(frames) };
}

/** @param {unknown} thrown @param {string} root */
function causes(thrown, root) {
  const [lines, seen] = [/** @type {string[]} */ ([]), new Set([thrown])];
  for (let cause = causeOf(thrown); cause !== undefined && !seen.has(cause) && seen.size <= MAX_CAUSES; cause = causeOf(cause)) {
    seen.add(cause);
    const frames = readFrames(stackOf(cause), root).slice(0, MAX_FRAMES_OF_CAUSE);
    lines.push(`Caused by: ${inOneLine(title(cause))}`, ...frames.map(({ line }) => line));
  }
  return lines;
}

/** A message can look like a place, such as `anna@example.com/a:1`. @param {{ name: string, message: string }} cause */
function inOneLine({ name, message }) {
  return /@|:\/\//.test(message) ? name : `${name}: ${clean(message, MAX_CAUSE).replace(/\s+/g, " ")}`;
}

/** Of several errors in one the first is its cause. @param {unknown} thrown */
function causeOf(thrown) {
  return read(thrown, "cause") ?? read(read(thrown, "errors"), 0);
}

/** Without the message, which can look like frames. @param {unknown} thrown */
function stackOf(thrown) {
  const [stack, message] = [read(thrown, "stack"), read(thrown, "message")];
  if (typeof stack !== "string") return "";
  const at = typeof message === "string" ? stack.slice(0, MAX_NAME + message.length).indexOf(message) : -1;
  return at < 0 ? stack : stack.slice(at + String(message).length);
}

/** @param {unknown} thrown */
function title(thrown) {
  const [given, message] = [read(thrown, "name"), read(thrown, "message")];
  const name = clean(typeof given === "string" && given !== "" ? given : "Error", MAX_NAME);
  return { name, message: clean(typeof message === "string" ? message || name : shown(thrown), MAX_MESSAGE) };
}

/** Of an object its keys alone: its values are the data of the host. @param {unknown} value */
function shown(value) {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return String(value) || "an empty text";
  if (attempt(() => Array.isArray(value) || ArrayBuffer.isView(value))) return "a list";
  const keys = attempt(() => Object.keys(value).join(", "));
  return keys ? `an object with the keys ${keys}` : "an object without keys";
}

/** @param {any} value @param {string | number} key @returns {unknown} */
function read(value, key) {
  return value === undefined || value === null ? undefined : attempt(() => value[key]);
}

/** A getter or proxy of a thrown value may throw in turn: then there is nothing to tell. @param {() => unknown} get */
function attempt(get) {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** @param {string} text @param {number} maximum */
function clean(text, maximum) {
  return text.slice(0, maximum).replace(CONTROL, "\ufffd").replace(LONE_SURROGATE, "\ufffd");
}

exports.describe = describe;
