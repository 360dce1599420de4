/** What a TypeScript program may write and what its compiler refuses; checked by `npm run types`, never run. */
import { Footfall, FootfallError, type Options, type Payload, type Receipt, type Stats } from "@footfall/node";

const options: Options = { analyticsHost: "https://desk.example.com/api", siteId: 12, apiKey: "ff_key" };
const client = new Footfall({ ...options, debug: true, batch: true, onError: (error) => error.outcome satisfies "refused" | "unknown" });
const payload: Payload = { pathname: "/", screenWidth: 1920, referrer: null, user_id: undefined, bots: "judge" };

const receipt: Receipt = await client.pageview(payload);
receipt.message satisfies string | null;
await client.event("signup", payload, { plan: "pro", seats: 3, trial: false, tags: ["a", 1, true] as const });
await client.pageview(null, { plan: "pro", section: undefined });
await client.event("signup", payload, { plan: undefined });
await client.flush();
await client.close({ timeout: 5_000 });
client.stats satisfies Stats;
new FootfallError("message", { code: "REFUSED" }) satisfies Error;

// @ts-expect-error the key is missing
new Footfall({ analyticsHost: "https://desk.example.com/api", siteId: 12 });
// @ts-expect-error an option that does not exist
new Footfall({ ...options, onerror: () => {} });
// @ts-expect-error an event has a name
await client.event();
// @ts-expect-error a field that does not exist
await client.pageview({ pathName: "/" });
// @ts-expect-error a width is a number
await client.pageview({ screenWidth: "1920" });
// @ts-expect-error properties are flat
await client.event("signup", {}, { plan: { name: "pro" } });
// @ts-expect-error properties of pageviews are flat, too
await client.pageview({}, { plan: { name: "pro" } });
// @ts-expect-error null is no property
await client.event("signup", {}, { plan: null });
