import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listedEndpoints, unsentEvents } from '../../scripts/compatibility-page';
import { declaredEvents } from '../../scripts/declared-events';
import { readTable } from '../support/permissions/table';

const root = join(__dirname, '../..');
/** The rows of a table in `test/spec`: the first two columns as one name, and its origin. */
function specified(table: string): { name: string; of: string }[] {
  const [, ...lines] = readFileSync(join(root, 'test/spec', table), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [first = '', second = '', of = ''] = line.split('\t');
    return { name: `${first} ${second}`.trimEnd(), of };
  });
}

const page = readFileSync(join(root, 'docs/compatibility.md'), 'utf8');
const STATES = ['supported', 'partial', 'planned', 'not intended', 'not offered'];

describe('docs/compatibility.md', () => {
  const listed = listedEndpoints(page);
  const working = listed.filter(({ state }) => state === 'supported' || state === 'partial');
  const names = (rows: typeof listed) => rows.map(({ endpoint }) => endpoint);

  it('knows five states, and lists each endpoint once', () => {
    expect(listed.filter(({ state }) => !STATES.includes(state))).toEqual([]);
    const twice = names(listed).filter((endpoint, index, all) => all.indexOf(endpoint) !== index);
    expect(twice).toEqual([]);
  });

  it('says once what holds everywhere about each subject', () => {
    const section = page.split('## General differences\n')[1]?.split('\n## ')[0] ?? '';
    const subjects = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, subject]) => subject);
    expect(subjects.length).toBeGreaterThan(15);
    expect(subjects.filter((subject, index) => subjects.indexOf(subject) !== index)).toEqual([]);
  });

  it('calls supported or partial exactly what the server has a route for: a new one needs its line', () => {
    const routes = [...readTable().endpoints.keys()].filter((endpoint) =>
      /^\w+ (?!\{site\})|^GET \{site\}\/$|\{site\}\/api\//.test(endpoint),
    );
    expect(names(working).sort()).toEqual(routes.sort());
  });

  it('has a row for every operation of the interface, those gone from it and our own, and no row beside', () => {
    const operations = specified('operations.tsv').map(({ name }) => name);
    expect([...names(listed).filter((endpoint) => !endpoint.includes('{site}'))].sort()).toEqual(
      operations.sort(),
    );
  });

  it('serves nothing that is gone from the interface', () => {
    const gone = specified('operations.tsv').filter(({ of }) => of === 'gone');
    expect(gone.filter(({ name }) => names(working).includes(name))).toEqual([]);
  });

  it('names for each of them tests that are there', () => {
    const unshown = working.filter(
      ({ tests }) =>
        tests.length === 0 || !tests.every((test) => existsSync(join(root, 'test', `${test}.test.ts`))),
    );
    expect(unshown).toEqual([]);
  });
});

describe('the events that docs/compatibility.md lists', () => {
  const unsent = unsentEvents(page);

  it('are those of the interface: each is declared by a feature, or said to be never sent and why', () => {
    const kinds = specified('events.tsv').map(({ name }) => name);
    expect([...declaredEvents().keys(), ...unsent].sort()).toEqual(kinds.sort());
  });

  it('are never those that are gone from it', () => {
    const gone = specified('events.tsv').filter(({ of }) => of === 'gone');
    expect(gone.filter(({ name }) => !unsent.includes(name))).toEqual([]);
  });
});

describe.each(['operations.tsv', 'events.tsv'])('test/spec/%s', (table) => {
  it('names each one once, and says whose it is', () => {
    const rows = specified(table);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(rows.filter(({ of }) => !['zulip', 'gone', 'own'].includes(of))).toEqual([]);
  });
});
