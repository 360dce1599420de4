/** Finds the visitor's address behind trusted proxies, on any runtime. */
"use strict";

/**
 * @typedef {object} Address
 * @property {string} text in its shortest form; an IPv4-mapped address of IPv6 is one of IPv4
 * @property {bigint} number
 * @property {32 | 128} bits
 * @typedef {{ number: bigint, bits: number, prefix: number }} Network
 */

const MAPPED = 0xffffn;
// A visitor can forge a list of proxies as long as headers may be.
const MAX_PROXIES = 32;

/** Reads an address with or without a port. @param {string | undefined} given @returns {Address | null} */
function parseAddress(given) {
  const text = (given ?? "").trim().replace(/^"(.*)"$/, "$1");
  const bare = /^([\d.]+):\d+$/.exec(text)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text;
  return parseV4(bare) ?? parseV6(bare);
}

/** @param {string} text @returns {Address | null} */
function parseV4(text) {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1) ?? [];
  if (parts.length === 0 || parts.some((part) => Number(part) > 255 || /^0\d/.test(part))) return null;
  const number = parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  return { text, number, bits: 32 };
}

/** @param {string} text @returns {Address | null} */
function parseV6(text) {
  if (text.length > 45 || !/^[\da-f:.]*:[\da-f:.]*$/i.test(text)) return null;
  const shortest = shortestV6(text);
  if (shortest === null) return null;
  const [head = "", tail] = shortest.split("::");
  const [before, after] = [groups(head), groups(tail ?? "")];
  const all = [...before, ...Array(8 - before.length - after.length).fill(0n), ...after];
  const number = all.reduce((sum, group) => (sum << 16n) | group, 0n);
  return number >> 32n === MAPPED ? ofV4(number & 0xffff_ffffn) : { text: shortest, number, bits: 128 };
}

/** @param {bigint} number @returns {Address} */
function ofV4(number) {
  return { text: [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join("."), number, bits: 32 };
}

/** The parser of URLs knows the notations of IPv6, and writes the shortest. @param {string} text */
function shortestV6(text) {
  try {
    return new URL(`http://[${text}]/`).hostname.slice(1, -1);
  } catch {
    return null;
  }
}

/** @param {string} text */
function groups(text) {
  return text === "" ? [] : text.split(":").map((group) => BigInt(`0x${group}`));
}

/** @param {string} text @returns {Network | null} */
function parseNetwork(text) {
  const [base, length, ...rest] = text.split("/");
  const address = parseAddress(base);
  if (address === null || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null;
  const prefix = Number(length ?? address.bits);
  return prefix <= address.bits ? { number: address.number, bits: address.bits, prefix } : null;
}

/** @param {Address} address @param {Network} network */
function isWithin({ number, bits }, network) {
  const shift = BigInt(network.bits - network.prefix);
  return bits === network.bits && number >> shift === network.number >> shift;
}

/**
 * Returns the address that the outermost of `hops` trusted proxies saw: each appends that of its caller. A shorter list
 * did not pass all of them and is not trusted.
 *
 * @param {string | undefined} peer
 * @param {string} forwarded
 * @param {number} hops
 */
function behindHops(peer, forwarded, hops) {
  const seen = entries(forwarded);
  return parseAddress(hops > 0 && hops <= seen.length ? seen[seen.length - hops] : peer);
}

/**
 * Returns the first address outside the trusted networks, from the peer outwards; null when a trusted proxy wrote a text
 * that is not an address.
 *
 * @param {string | undefined} peer
 * @param {string} forwarded
 * @param {readonly Network[]} networks
 */
function behindNetworks(peer, forwarded, networks) {
  let address = parseAddress(peer);
  for (const further of entries(forwarded).slice(-MAX_PROXIES).reverse()) {
    const known = address;
    if (known === null || !networks.some((network) => isWithin(known, network))) break;
    address = parseAddress(further);
  }
  return address;
}

/** @param {string} forwarded */
function entries(forwarded) {
  return forwarded.split(",").filter((entry) => entry.trim() !== "");
}

exports.behindHops = behindHops;
exports.behindNetworks = behindNetworks;
exports.parseAddress = parseAddress;
exports.parseNetwork = parseNetwork;
