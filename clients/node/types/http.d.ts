import type { IncomingMessage } from "node:http";

import type { Client, WebOptions } from "./web.js";

export type { WebOptions } from "./web.js";

/** Counts the pages of all servers of node:http in the process; returns what ends that. */
export function footfall(client: Client | null, options?: WebOptions<IncomingMessage>): () => void;
