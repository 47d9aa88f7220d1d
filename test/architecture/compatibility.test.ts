import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listedEndpoints } from '../../scripts/compatibility-page';

const root = join(__dirname, '../..');
const STATES = ['supported', 'partial', 'planned', 'not intended'];

describe('docs/compatibility.md', () => {
  const listed = listedEndpoints(readFileSync(join(root, 'docs/compatibility.md'), 'utf8'));
  const working = listed.filter(({ state }) => state === 'supported' || state === 'partial');
  const names = (rows: typeof listed) => rows.map(({ endpoint }) => endpoint);

  it('knows four states, and lists each endpoint once', () => {
    expect(listed.filter(({ state }) => !STATES.includes(state))).toEqual([]);
    const twice = names(listed).filter((endpoint, index, all) => all.indexOf(endpoint) !== index);
    expect(twice).toEqual([]);
  });

  it('calls supported or partial exactly what the server has a route for: a new one needs its line', () => {
    const table = readFileSync(join(__dirname, 'routes.tsv'), 'utf8').trimEnd().split('\n').slice(1);
    const routes = table
      .map((line) => line.split('\t'))
      .filter(([, path]) => path === '/' || path?.startsWith('/api/'))
      .map(([verb, path = '']) => `${verb} ${`{site}${path}`.replace('{site}/api/v1', '')}`);
    expect(names(working).sort()).toEqual(routes.sort());
  });

  it('has a row for every operation of the interface, whether the server has it or not', () => {
    const [, ...operations] = readFileSync(join(root, 'test/spec/operations.tsv'), 'utf8')
      .trimEnd()
      .split('\n');
    const missing = operations
      .map((line) => line.replace('\t', ' '))
      .filter((one) => !names(listed).includes(one));
    expect(missing).toEqual([]);
  });

  it('names for each of them tests that are there', () => {
    const unshown = working.filter(
      ({ tests }) =>
        tests.length === 0 || !tests.every((test) => existsSync(join(root, 'test', `${test}.test.ts`))),
    );
    expect(unshown).toEqual([]);
  });
});
