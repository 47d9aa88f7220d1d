/** What prom-client makes for each summary. */
exports.TDigest = class {
  constructor() {
    throw new Error('Summaries are not available: tdigest is not installed. Use a histogram.');
  }
};
