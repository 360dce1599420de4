/** Makes the payload of a request: address, user agent, host, path, query and referrer. */
"use strict";

const { behindHops, behindNetworks } = require("./addresses.js");
const { pathOf } = require("./page.js");

/** @import { Payload } from "../../index.js" */
/** @import { WebRequest } from "./page.js" */
/** @import { WebSettings } from "./settings.js" */

// Visitors choose these; the service refuses an event with a longer one (docs/track/ingestion.md#payload).
const LONGEST = { hostname: 253, pathname: 2_048, querystring: 2_048, referrer: 2_048, user_agent: 512, ip_address: 45 };
// The beginning of a path is its section of the site. That of a user agent names the browser; a visitor without one would be a bot.
const CUT = new Set(["pathname", "user_agent"]);

/** @param {WebRequest} request @param {WebSettings} settings @returns {Payload} */
function readVisit(request, settings) {
  const { header, host, target } = request;
  /** @type {Payload} */
  const visit = {};
  put(visit, "hostname", withoutPort(host ?? ""));
  put(visit, "pathname", pathOf(request));
  put(visit, "querystring", /\?([^#]*)/.exec(target)?.[1]);
  put(visit, "referrer", header("referer"));
  put(visit, "user_agent", header("user-agent"));
  put(visit, "ip_address", addressOf(request, settings));
  return visit;
}

/** @param {Payload} visit @param {keyof typeof LONGEST} name @param {string} [sent] */
function put(visit, name, sent = "") {
  const whole = decoded(sent);
  const text = CUT.has(name) ? beginning(whole, LONGEST[name]) : whole;
  if (text !== "" && text.length <= LONGEST[name]) visit[name] = text;
}

/** Halves of a surrogate pair cannot be stored. @param {string} text @param {number} length */
function beginning(text, length) {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** @param {WebRequest} request @param {WebSettings} settings */
function addressOf({ header, peer, raw }, { address, trustedHops, trustedNetworks }) {
  const forwarded = header("x-forwarded-for") ?? "";
  const from = address ? address(raw) : peer;
  const found = trustedNetworks.length > 0 ? behindNetworks(from, forwarded, trustedNetworks) : behindHops(from, forwarded, trustedHops);
  return found?.text;
}

/** Headers and paths arrive as bytes, each of which is a character of Latin-1. @param {string} text */
function decoded(text) {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

/** @param {string} host */
function withoutPort(host) {
  return host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1").toLowerCase();
}

exports.readVisit = readVisit;
