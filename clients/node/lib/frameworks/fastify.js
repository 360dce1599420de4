/** Plugin of Fastify: counts pages, and reports what handlers throw. */
"use strict";

const { readRequest } = require("../web/node-request.js");
const { RequestTracker } = require("../web/request.js");
const { readWebOptions } = require("../web/settings.js");

/** @import { Client, WebOptions } from "../../types/web.js" */

/** @param {any} fastify @param {WebOptions & { client: Client | null }} options */
async function footfall(fastify, { client, ...options }) {
  const settings = readWebOptions(client, options);
  // Registered twice, the outer one counts.
  if (fastify.hasRequestDecorator("footfall")) return;
  fastify.decorateRequest("footfall", null);
  fastify.addHook("onRequest", (/** @type {any} */ request, /** @type {unknown} */ _reply, /** @type {() => void} */ done) => {
    request.footfall = new RequestTracker(readRequest(request.raw, request), settings);
    done();
  });
  fastify.addHook("onError", (/** @type {any} */ request, /** @type {unknown} */ _reply, /** @type {unknown} */ error, /** @type {() => void} */ done) => {
    request.footfall?.failed(error);
    done();
  });
  fastify.addHook("onResponse", (/** @type {any} */ request, /** @type {any} */ reply, /** @type {() => void} */ done) => {
    request.footfall?.answered(() => ({ status: reply.statusCode, contentType: reply.getHeader("content-type") }));
    done();
  });
}

// The hooks hold for the instance that registers the plugin, not for a child of it.
Object.assign(footfall, { [Symbol.for("skip-override")]: true, [Symbol.for("fastify.display-name")]: "footfall" });

exports.footfall = footfall;
