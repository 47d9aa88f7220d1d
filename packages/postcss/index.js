/** sanitize-html removes what cannot be read. */
exports.parse = () => {
  throw new Error('postcss is not installed.');
};
