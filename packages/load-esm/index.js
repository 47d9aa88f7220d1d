/** Nest's FileTypeValidator then refuses every file. */
exports.loadEsm = () => Promise.reject(new Error('load-esm is not installed.'));
