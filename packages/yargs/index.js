module.exports = require('yargs-for-development');
