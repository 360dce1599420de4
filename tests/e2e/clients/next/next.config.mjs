/** The application into which the test writes the programs of docs/track/node-edge.md. */
export default { typescript: { ignoreBuildErrors: true }, turbopack: { root: import.meta.dirname } };
