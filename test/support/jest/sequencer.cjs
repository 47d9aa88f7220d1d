const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Begins with the unit specs, whose results are there at once, and goes on with the files that take longest, so that no
 * worker is left with one of them when the others have finished. Jest does so by itself once it has seen a run; before that
 * it goes by the size of files, which says nothing here.
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

class QuickThenLongSequencer extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => turnOf(one) - turnOf(other));
  }
}

function turnOf({ path }) {
  const plain = path.replaceAll('\\', '/');
  if (plain.endsWith('.spec.ts')) return 0;
  return LONG.some((part) => plain.includes(part)) ? 1 : 2;
}

module.exports = QuickThenLongSequencer;
