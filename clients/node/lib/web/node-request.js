/** Requests and answers of node:http, on which Express and Fastify build. */
"use strict";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { WebAnswer, WebRequest } from "./page.js" */

/**
 * Reads late what a framework works out with functions of the host, which may fail.
 *
 * @param {IncomingMessage} message
 * @param {any} [framework] its request, whose host and address heed the proxies that it trusts
 * @returns {WebRequest}
 */
function readRequest(message, framework = message) {
  // A connection tells its address only while it is open, or to who asked before.
  const remoteAddress = message.socket?.remoteAddress;
  // Routers change it on the way.
  const { url = "" } = message;
  return {
    method: message.method ?? "",
    get target() {
      return framework.originalUrl ?? url;
    },
    get host() {
      return framework.hostname ?? message.headers.host;
    },
    get peer() {
      return framework.ip ?? remoteAddress;
    },
    header: (name) => text(message.headers[name]),
    raw: framework,
  };
}

/** @param {ServerResponse} response @returns {WebAnswer} */
function readAnswer(response) {
  return { status: response.statusCode, contentType: text(response.getHeader("content-type")) ?? writtenType(response) };
}

/** Headers that are given to writeHead() alone stand nowhere but in the text that was sent. @param {any} response */
function writtenType({ _header: sent }) {
  return typeof sent === "string" ? /^content-type:[ \t]*([^\r\n]*)/im.exec(sent)?.[1] : undefined;
}

/** @param {number | string | readonly string[] | undefined} value */
function text(value) {
  return value === undefined ? undefined : String(value);
}

exports.readAnswer = readAnswer;
exports.readRequest = readRequest;
