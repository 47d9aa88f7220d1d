import { lacking } from './programs';
import { runScenario } from './run';
import { SCENARIOS } from './scenarios';

jest.setTimeout(600_000);

/** Long enough for a fault to matter; `npm run faults` has them last longer. */
const SECONDS = 3;

describe('while faults befall the server, nothing that was acknowledged is lost', () => {
  for (const [name, { about, needs, isQuick }] of Object.entries(SCENARIOS)) {
    if (!isQuick) continue;
    const reason = lacking(needs);
    if (reason !== null) {
      test.todo(`${name}: ${reason}`);
      continue;
    }
    it(`${name}: ${about}`, async () => {
      // How long it took is for the command to judge, on a machine that has nothing else to do.
      const { complaints, acknowledged } = await runScenario(name, SECONDS);
      expect(complaints).toEqual([]);
      expect(acknowledged).toBeGreaterThan(0);
    });
  }
});
