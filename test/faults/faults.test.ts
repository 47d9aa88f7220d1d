import { canRun, runScenario } from './run';
import { SCENARIOS } from './scenarios';

jest.setTimeout(600_000);

/** Long enough for a fault to matter; `npm run faults` has them last longer. */
const SECONDS = 3;

/** Those that take a minute and more are tried by hand, before a release. */
const SHORT = [
  'kill-sqlite',
  'kill-postgres',
  'restart-database',
  'failover-synchronous',
  'failover-asynchronous',
];

describe('while faults befall the server, nothing that was acknowledged is lost', () => {
  for (const name of SHORT) {
    const scenario = SCENARIOS[name]!;
    if (!canRun(scenario)) {
      test.todo(`${name}: PostgreSQL is not installed here`);
      continue;
    }
    it(`${name}: ${scenario.about}`, async () => {
      // How long it took is for the command to judge, on a machine that has nothing else to do.
      const { complaints, acknowledged } = await runScenario(name, SECONDS);
      expect(complaints).toEqual([]);
      expect(acknowledged).toBeGreaterThan(0);
    });
  }
});
