// Makes each call of calls.json by the generated client, and prints the answers by operation as JSON.
import { readFileSync } from "node:fs";

import { client } from "./client/client.gen.js";
import * as operations from "./client/sdk.gen.js";

const { origin, key, headers, calls } = JSON.parse(readFileSync("calls.json", "utf8"));
client.setConfig({ baseUrl: origin, headers, auth: (scheme) => (scheme.scheme === "bearer" ? key : undefined) });

const answers = {};
for (const { operation, path, query, headers: own, body } of calls) {
  try {
    const { response, error } = await operations[operation]({ path, query, headers: own, ...(body === null ? {} : { body }) });
    answers[operation] = { status: response?.status ?? null, fault: response?.ok ? (error ?? null) : null };
    if (response === undefined) answers[operation].fault = String(error);
  } catch (failure) {
    answers[operation] = { status: null, fault: String(failure) };
  }
}
console.log(JSON.stringify(answers));
