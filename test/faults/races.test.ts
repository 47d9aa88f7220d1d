import { CheckDatabaseService } from '../../src/features/operations/integrity/check-database.service';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { RACES } from './races';
import { done, isDone } from './races/race';

/** Once in CI; by hand `npm run races` has each of them 200 times, with more callers. */
const ROUNDS = Number(process.env.RACE_ROUNDS || 1);
const CALLERS = process.env.RACE_ROUNDS ? [2, 20] : [2, 8];

jest.setTimeout(120_000 + ROUNDS * 60_000);

/** Statuses for a caller who came second. */
const REFUSALS = [400, 401, 403, 404, 409];

// Each in an organization of its own: what thousands of rounds leave behind makes those that follow slow.
describe.each(Object.entries(RACES))('operations on %s that conflict, at the same time', (_, races) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ clock: new StoppedTimeOfDay() });
  });

  /** Clients that watched all of it have to believe what is so, which the end of the server asserts. */
  afterAll(() => app.stop());

  it.each(Object.entries(races))('are each done or refused: %s', async (name, race) => {
    const number = Object.keys(races).indexOf(name);
    for (let round = 0; round < ROUNDS; round++) {
      for (const callers of CALLERS) {
        const [one, other, outcome] = await race(app, `${number} ${round} ${callers}`);
        const calls = Array.from({ length: callers }, (_call, call) => call);
        const answers = await Promise.all(calls.map((call) => (call % 2 === 0 ? one : other)(call)));
        const wrong = answers.filter((answer) => !isDone(answer) && !REFUSALS.includes(answer.status));
        expect(wrong.map(({ status, body }) => ({ status, body }))).toEqual([]);
        expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/deadlock|SQLITE_|constraint/i);
        expect(done(answers)).toBeGreaterThan(0);
        await outcome?.({
          one: answers.filter((_answer, call) => call % 2 === 0),
          other: answers.filter((_answer, call) => call % 2 === 1),
        });
      }
    }
    const looking = { site: '', signal: new AbortController().signal, report: () => undefined };
    const { invariants } = await app.get(CheckDatabaseService).check(looking);
    expect(invariants.filter(({ holds }) => !holds)).toEqual([]);
  });
});
