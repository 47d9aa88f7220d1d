const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Tests that do not run where people sign in this way: their file, and their title, empty for the whole file. */
function notRunIn(way) {
  return readFileSync(join(__dirname, '../../spec/ways-in.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
    .filter(([of]) => way !== 'password' && (of === way || of === 'both'))
    .map(([, file, title]) => ({ file, title }));
}

module.exports = { notRunIn };
