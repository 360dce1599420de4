/** The same declarations by `require`. */
import footfall = require("@footfall/node");

const options: footfall.Options = { analyticsHost: "https://desk.example.com/api", siteId: "12", apiKey: "ff_key" };
const client: footfall.Footfall = new footfall.Footfall(options);

client.pageview().catch((error: unknown) => error instanceof footfall.FootfallError && error.details?.fieldErrors);

// @ts-expect-error the name is a string
void client.event(5);
