/** The frames of a stack as V8 writes it, with files named from the folder of the application. */
"use strict";

// A program can set Error.stackTraceLimit to any number.
const MAX_TEXT = 65_536;
const MAX_LINE = 1_000;

/** @typedef {{ line: string, file: string, lineNumber: number, columnNumber: number }} Frame `file` is empty where there is none */

/** @param {string} stack @param {string} root @returns {Frame[]} */
function readFrames(stack, root) {
  const lines = stack.slice(0, MAX_TEXT).split("\n");
  return lines.filter((line) => /^\s+at /.test(line)).map((line) => readFrame(line.trim().slice(0, MAX_LINE), root));
}

/** @param {string} line @param {string} root @returns {Frame} */
function readFrame(line, root) {
  const location = locationOf(line);
  const [, path = "", lineNumber = "0", columnNumber = "0"] = /^(.*):(\d+):(\d+)$/.exec(location) ?? [];
  const file = relative(path, root);
  const shown = path === "" ? line : line.replace(location, () => `${file}:${lineNumber}:${columnNumber}`);
  return { line: `    ${shown}`, file, lineNumber: Number(lineNumber), columnNumber: Number(columnNumber) };
}

/** `at name (location)` or `at location`; names of folders may have parentheses. @param {string} line */
function locationOf(line) {
  const opened = line.endsWith(")") ? line.indexOf(" (") : -1;
  return opened < 0 ? line.replace(/^at (async )?/, "") : line.slice(opened + 2, -1);
}

/** The folder in which a server keeps the application is none of its code, and the name of a user is told of none. @param {string} path @param {string} root */
function relative(path, root) {
  const plain = path.replace(/^file:\/\/\/?(?=\/|[a-z]:)/i, "").replaceAll("\\", "/");
  const folder = root.replaceAll("\\", "/").replace(/\/$/, "");
  if (folder !== "" && plain.startsWith(`${folder}/`)) return `app:///${plain.slice(folder.length + 1)}`;
  return plain.replace(/^([a-z]:)?\/(home|users)\/[^/]+(?=\/)/i, "~");
}

/** Returns the place of the first frame of the application. @param {Frame[]} frames */
function place(frames) {
  const own = frames.find(isInApp);
  return own && { fileName: own.file, lineNumber: own.lineNumber, columnNumber: own.columnNumber };
}

/** Not of Node.js, of a package, or of `eval`. @param {Frame} frame */
function isInApp({ file }) {
  return file !== "" && !/^(node:|internal\/|native$|<)|(^|\/)node_modules\//.test(file);
}

exports.place = place;
exports.readFrames = readFrames;
