/** Decides whether an answer is a page that a visitor sees, and so counts as a pageview. */
"use strict";

/**
 * What an adapter tells of a request; `header` takes a name in lower case.
 *
 * @typedef {object} WebRequest
 * @property {string} method
 * @property {string} target path and query
 * @property {string | undefined} host
 * @property {string | undefined} peer address of the connection, or that which the framework found behind its proxies
 * @property {(name: string) => string | undefined} header
 * @property {unknown} raw the request of the framework
 */
/** @typedef {{ status: number, contentType: string | undefined }} WebAnswer */

const HTML = /^(text\/html|application\/xhtml\+xml)\s*(;|$)/i;
// Headers with which libraries ask for a part of a page; without TLS browsers do not send `Sec-Fetch-Dest`.
const PARTS = ["hx-request", "turbo-frame", "x-pjax"];
// A page of a file has no ending, or one of these.
const FILE = /\.(?!x?html?$|php$|aspx?$|jsp$)[a-z\d]{1,8}$/i;
// Static files, and what monitors and orchestrators ask.
const SKIPPED = ["/static/*", "/health", "/healthz", "/health/*", "/livez", "/readyz", "/ping", "/up"];

/** @param {WebRequest} request @param {WebAnswer} answer */
function isPage(request, { status, contentType }) {
  if (request.method !== "GET" || !isShown(request)) return false;
  // The answer to a visitor who has the page already has no type: it says to show that page.
  if (status === 304) return isNavigation(request);
  return status >= 200 && status < 300 && HTML.test(contentType ?? "");
}

/** Decides before there is an answer. @param {WebRequest} request */
function looksLikePage(request) {
  const path = pathOf(request);
  return request.method === "GET" && isShown(request) && isNavigation(request) && !FILE.test(path) && !/^\/(_next|api)(\/|$)/.test(path);
}

/** Browsers say for what they ask: not for a part of a page, nor for a page that is shown later or never. @param {WebRequest} request */
function isShown({ header }) {
  const purpose = header("sec-purpose") ?? header("purpose") ?? header("x-moz") ?? "";
  if (/prefetch|prerender|preview/i.test(purpose) || PARTS.some((name) => header(name))) return false;
  // Applications of Android send their name here with each page that they show.
  if (header("x-requested-with") === "XMLHttpRequest") return false;
  return (header("sec-fetch-dest") ?? "document") === "document";
}

/** @param {WebRequest} request */
function isNavigation({ header }) {
  return header("sec-fetch-dest") === "document" || /text\/html/i.test(header("accept") ?? "");
}

/** @param {Pick<WebRequest, "target">} request */
function pathOf({ target }) {
  const path = /^[^?#]*/.exec(target)?.[0] ?? "";
  // A proxy may be sent the complete address.
  return path.startsWith("/") ? path : path.replace(/^https?:\/\/[^/]*/i, "") || "/";
}

/** In patterns `*` stands for any characters. @param {readonly string[]} patterns @returns {(path: string) => boolean} */
function pathMatcher(patterns) {
  const all = patterns.map((pattern) => pattern.split("*"));
  return (path) => all.some((parts) => fits(parts, path));
}

/** Takes one pass over the path, however long it is. @param {string[]} parts what stands between the `*` @param {string} path */
function fits([first = "", ...others], path) {
  const last = others.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length) return false;
  const middle = path.slice(first.length, path.length - last.length);
  let at = 0;
  for (const part of others) {
    const found = middle.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

exports.SKIPPED = SKIPPED;
exports.isPage = isPage;
exports.looksLikePage = looksLikePage;
exports.pathMatcher = pathMatcher;
exports.pathOf = pathOf;
