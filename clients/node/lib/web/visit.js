/** Makes the payload of a request: address, user agent, host, path, query and referrer. */
"use strict";

const { behindHops, behindNetworks } = require("./addresses.js");
const { pathOf } = require("./page.js");

/** @import { Payload } from "../../index.js" */
/** @import { WebRequest } from "./page.js" */
/** @import { WebSettings } from "./settings.js" */

// Visitors choose these; the service refuses an event with a longer one (docs/ingestion.md#payload).
/** @type {Record<string, number>} */
const LONGEST = { hostname: 253, pathname: 2_048, querystring: 2_048, referrer: 2_048 };
// The beginning of a user agent names the browser; a visitor without one would be a bot.
const LONGEST_AGENT = 512;

/** @param {WebRequest} request @param {WebSettings} settings @returns {Payload} */
function readVisit(request, settings) {
  const { header, host, target } = request;
  const found = {
    hostname: withoutPort(host ?? ""),
    pathname: pathOf(request),
    querystring: /\?([^#]*)/.exec(target)?.[1] ?? "",
    referrer: header("referer") ?? "",
    user_agent: header("user-agent") ?? "",
    ip_address: addressOf(request, settings),
  };
  const texts = Object.entries(found).map(([name, text]) => [name, name === "user_agent" ? beginning(decoded(text)) : decoded(text)]);
  const kept = texts.filter(([name = "", text = ""]) => text !== "" && text.length <= (LONGEST[name] ?? Infinity));
  return { ...Object.fromEntries(kept), ...(settings.bots === "judge" && { bots: "judge" }) };
}

/** @param {WebRequest} request @param {WebSettings} settings */
function addressOf({ header, peer, raw }, { address, trustedHops, trustedNetworks }) {
  const forwarded = header("x-forwarded-for") ?? "";
  const from = address ? address(raw) : peer;
  const found = trustedNetworks.length > 0 ? behindNetworks(from, forwarded, trustedNetworks) : behindHops(from, forwarded, trustedHops);
  return found?.text ?? "";
}

/** Headers and paths arrive as bytes, each of which is a character of Latin-1. @param {string} text */
function decoded(text) {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  return new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

/** Halves of a surrogate pair cannot be stored. @param {string} agent */
function beginning(agent) {
  return agent.slice(0, LONGEST_AGENT).replace(/[\ud800-\udbff]$/, "");
}

/** @param {string} host */
function withoutPort(host) {
  return host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1").toLowerCase();
}

exports.readVisit = readVisit;
