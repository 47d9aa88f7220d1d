import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

const rowsOf = (name: string) =>
  readFileSync(join(__dirname, '../spec', name), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

/**
 * The keys that the published description of the interface lists, with those that came after it, and the fetch type
 * that each needs, and the type that clients of the advertised level hold it to. Left out are the copies of personal settings at the top level, which went away with feature level
 * 439, and the day on which a demonstration ends.
 */
const TABLE = rowsOf('register-keys.tsv') as [key: string, fetchType: string, type: string][];

/** What such clients require within the keys, as JSON. Without any of it they do not start. */
const NESTED = rowsOf('register-nested-keys.tsv') as [path: string, form: string][];

const typeOf = (value: unknown) => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

const expected = TABLE.filter(([, fetchType]) => fetchType !== 'always');
/** Some keys need two types. */
const keysFor = (wanted: readonly string[]) =>
  expected.filter(([, each]) => each.split('+').every((type) => wanted.includes(type))).map(([key]) => key);

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

describe('The state of a client that registers', () => {
  it.each(['olivia', 'mona', 'mia', 'gus', 'robo', null] as const)(
    'has every key of test/spec/register-keys.tsv, and no other, for %s',
    async (name) => {
      const state = await stateOf(app, name && app.cast[name]);
      expect(Object.keys(state).sort()).toEqual(expected.map(([key]) => key).sort());
    },
  );

  it('has those keys that were asked for, and no others', async () => {
    for (const fetchType of new Set(expected.map(([, each]) => each))) {
      const wanted = fetchType.split('+');
      const state = await stateOf(app, app.cast.mia, { wanted });
      expect(Object.keys(state).sort()).toEqual(keysFor(wanted).sort());
    }
    expect(await stateOf(app, app.cast.mia, { wanted: ['unheard_of'] })).toEqual({});
    expect(await stateOf(app, app.cast.mia, { wanted: [] })).toEqual({});
  });

  it.each(['olivia', 'mia', 'gus'] as const)(
    'gives each key the type that clients of the advertised level require, for %s',
    async (name) => {
      const state = expectSuccess(await app.as(app.cast[name]).post('/register'));
      const wrong = TABLE.filter(([key, , type]) => !type.split('|').includes(typeOf(state[key])));
      expect(wrong.map(([key, , type]) => `${key}: ${typeOf(state[key])} in place of ${type}`)).toEqual([]);
    },
  );

  it.each(NESTED)('has %s as clients of the advertised level require it', async (path, form) => {
    const state = expectSuccess(await app.as(app.cast.mia).post('/register'));
    const found = path.split('.').reduce<unknown>((value, key) => Object(value)[key], state);
    expect(found).toEqual(JSON.parse(form));
  });
});
