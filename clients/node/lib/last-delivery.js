/** Delivers calls while the process ends, when it can wait for nothing but another process. */
"use strict";

const { spawnSync } = require("node:child_process");

const { settle } = require("./delivery.js");
const { batchBody, batchResponses } = require("./exchange.js");
const { withinBatch } = require("./queue.js");
const { parseObject } = require("./transport.js");

/** @import { PendingCall } from "./pending-call.js" */
/** @import { ServiceResponse } from "./service-response.js" */
/** @import { Settings } from "./options.js" */
/** @import { HttpRequest, Transport } from "./transport.js" */

// A text, since bundlers take files of their own from packages. The key comes by standard input: others of the machine
// read arguments and environments.
const SENDER = `
  let text = "";
  process.stdin.setEncoding("utf8").on("data", (part) => (text += part)).on("end", async () => {
    const { url, ...request } = JSON.parse(text);
    const response = await fetch(url, request);
    process.stdout.write(JSON.stringify({ status: response.status, text: await response.text() }));
  });`;

/**
 * Sends one batch of the newest calls, and waits for `exitTimeout` at most. Calls under way are sent again: the service
 * stores an event of one name once.
 *
 * @param {PendingCall[]} open
 * @param {Transport} transport
 * @param {Settings} settings
 */
function deliverNow(open, transport, { batchSize, exitTimeout }) {
  for (const call of open) call.bytes ||= Buffer.byteLength(call.json);
  const calls = withinBatch(open.reverse(), batchSize);
  for (const call of calls) call.underWay = true;
  const named = calls.map(({ id, json }) => ({ json: JSON.stringify({ ...JSON.parse(json), event_id: id }) }));
  const response = postNow(transport.describe("/track/batch", batchBody(named)), exitTimeout);
  const responses = batchResponses(response, calls);
  calls.forEach((call, index) => {
    const of = /** @type {ServiceResponse} */ (responses[index]);
    if (!settle(call, of)) call.giveUp(of);
  });
}

/** @param {HttpRequest} request @param {number} timeout @returns {ServiceResponse} */
function postNow(request, timeout) {
  try {
    const done = spawnSync(process.execPath, ["-e", SENDER], {
      input: JSON.stringify(request),
      timeout,
      killSignal: "SIGKILL",
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
      // What the host has Node.js load is not loaded again.
      env: { ...process.env, NODE_OPTIONS: "", ELECTRON_RUN_AS_NODE: "1" },
      windowsHide: true,
    });
    const answer = parseObject(done.stdout);
    if (answer !== null) return { status: answer["status"], body: parseObject(answer["text"]), retryAfter: null };
    return { status: null, body: null, retryAfter: null, fault: `no answer within ${timeout} ms`, cause: done.error };
  } catch (cause) {
    return { status: null, body: null, retryAfter: null, fault: "no process could be started", cause };
  }
}

exports.deliverNow = deliverNow;
