/** The declarations are written by hand; here the compiler holds them against the code. */
import type { Footfall, FootfallError } from "@footfall/node";

import type { Footfall as Client } from "../../lib/client.js";
import type { FootfallError as ClientError } from "../../lib/errors.js";

export const client = (it: Client): Footfall => it;
export const error = (it: ClientError): FootfallError => it;
export const settings = (it: typeof Client): new (...given: ConstructorParameters<typeof Footfall>) => Footfall => it;
