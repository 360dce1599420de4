/** Counts the pages of all servers of node:http in the process, whatever framework they are built with. */
"use strict";

const diagnostics = require("node:diagnostics_channel");

const { readAnswer, readRequest } = require("../web/node-request.js");
const { RequestTracker } = require("../web/request.js");
const { readWebOptions } = require("../web/settings.js");

/** @import { IncomingMessage } from "node:http" */
/** @import { Client, WebOptions } from "../../types/web.js" */

// Node.js publishes on them; they are held, since a channel without a reference is collected with its subscribers.
const started = diagnostics.channel("http.server.request.start");
const finished = diagnostics.channel("http.server.response.finish");
/** @type {WeakSet<Client>} */
const counting = new WeakSet();

/** @param {Client | null} client @param {WebOptions} [options] @returns {() => void} ends the counting */
function footfall(client, options) {
  const settings = readWebOptions(client, options);
  // Asked twice for a client, the first counts.
  if (counting.has(settings.client)) return () => {};
  counting.add(settings.client);
  /** @type {WeakMap<IncomingMessage, RequestTracker>} */
  const trackers = new WeakMap();
  const start = (/** @type {any} */ { request }) => void trackers.set(request, new RequestTracker(readRequest(request), settings));
  const finish = (/** @type {any} */ { request, response }) => trackers.get(request)?.answered(() => readAnswer(response));
  started.subscribe(start);
  finished.subscribe(finish);
  return () => {
    counting.delete(settings.client);
    started.unsubscribe(start);
    finished.unsubscribe(finish);
  };
}

exports.footfall = footfall;
