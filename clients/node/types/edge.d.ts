import type { Options as All } from "../index.js";

export type Options = Pick<
  All,
  "analyticsHost" | "siteId" | "apiKey" | "debug" | "timeout" | "retries" | "queueSize" | "onError" | "defaults" | "environment"
>;
