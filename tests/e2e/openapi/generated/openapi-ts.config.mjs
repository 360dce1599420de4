export default {
  input: "document.json",
  output: "source",
  plugins: [
    "@hey-api/client-fetch",
    "@hey-api/typescript",
    "zod",
    { name: "@hey-api/sdk", validator: { response: "zod" } },
  ],
};
