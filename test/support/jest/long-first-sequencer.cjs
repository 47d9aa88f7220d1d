const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Begins with the files that take longest, so that no worker is left with one of them when the others have finished.
 * Jest does so by itself once it has seen a run; before that it goes by the size of files, which says nothing here.
 */
const LONG = [
  'test/api/permission-matrix',
  'test/api/state-law',
  'test/browser/',
  'test/cli/',
  'test/faults/',
  'test/modules/',
  'test/soak/',
  'test/tour/',
  'test/platform/',
].map((path) => `/${path}`);

class LongFirstSequencer extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}

function isLong({ path }) {
  return LONG.some((part) => path.replaceAll('\\', '/').includes(part));
}

module.exports = LongFirstSequencer;
