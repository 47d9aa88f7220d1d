import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** Features that people expect of a chat client; if the console lacks one, a reason replaces the test. */
const features = textOf('test/spec/console-features.tsv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

describe('the features of the console', () => {
  it('are numbered, and there but for a few', () => {
    expect(features.map(([number]) => Number(number))).toEqual(features.map((_, index) => index + 1));
    expect(features).toHaveLength(62);
    expect(features.filter(([, , file]) => file !== '').length).toBeGreaterThanOrEqual(58);
    for (const [, feature, , test] of features) expect([feature, test]).not.toContain('');
  });

  it('have a test each, in a browser', () => {
    const missing = features.filter(
      ([, , file, test]) => file !== '' && !textOf(`test/browser/${file}.test.ts`).includes(`'${test}'`),
    );
    expect(missing).toEqual([]);
  });
});
