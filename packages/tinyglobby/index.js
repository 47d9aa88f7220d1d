try {
  module.exports = require('tinyglobby-for-development');
} catch (error) {
  // TypeORM loads this at its start, and calls nothing of it unless entities are named by patterns.
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
}
