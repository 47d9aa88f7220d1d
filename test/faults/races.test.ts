import { CheckDatabaseService } from '../../src/features/integrity/check-database.service';
import { TestApp } from '../support/test-app';
import { RACES } from './races';

/** Once in CI; by hand `npm run races` has each of them 200 times, with more callers. */
const ROUNDS = Number(process.env.RACE_ROUNDS || 1);
const CALLERS = process.env.RACE_ROUNDS ? [2, 20] : [2, 8];

jest.setTimeout(120_000 + ROUNDS * 60_000);

/** What somebody may be told who came second. */
const REFUSALS = [400, 401, 403, 404, 409];

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
});

/** Clients that watched all of it have to believe what is so, which the end of the server asserts. */
afterAll(() => app.stop());

describe('operations that conflict, at the same time, are each done or refused', () => {
  it.each(Object.keys(RACES))('%s', async (name) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const callers of CALLERS) {
        const race = RACES[name]!;
        const sides = await race(app, `${Object.keys(RACES).indexOf(name)} ${round} ${callers}`);
        const answers = await Promise.all(
          Array.from({ length: callers }, (_, call) => sides[(call % 2) as 0 | 1](call)),
        );
        const wrong = answers.filter(({ status }) => status !== 200 && !REFUSALS.includes(status));
        expect(wrong.map(({ status, body }) => ({ status, body }))).toEqual([]);
        expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/deadlock|SQLITE_|constraint/i);
        expect(answers.some(({ status }) => status === 200)).toBe(true);
      }
    }
    const looking = { site: '', signal: new AbortController().signal, report: () => undefined };
    const { invariants } = await app.get(CheckDatabaseService).check(looking);
    expect(invariants.filter(({ holds }) => !holds)).toEqual([]);
  });
});
