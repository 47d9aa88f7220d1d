import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS, checksFor, type ConformanceReport, examine } from '../../src/conformance/conformance';
import { type Parley, startParley } from '../../src/testing';
import { FAULTS } from '../support/conformance-faults';
import { type Misbehaviour, SpoilingProxy } from '../support/spoiling-proxy';

jest.setTimeout(600_000);

/** Which fault has each check fail. */
const TABLE = join(__dirname, '../spec/conformance-faults.tsv');
/** The last request before the first check. */
const BEGINNING = 'GET /get_stream_id';
/** What has not come by then does not come at all. */
const PATIENCE_MS = 200;

const nameOf = ({ topic, name }: { topic: string; name: string }) => `${topic}: ${name}`;

describe('a server that misbehaves', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await startParley({ inProcess: true });
  });

  beforeEach(() => parley.reset());

  afterAll(() => parley.stop());

  async function examined(misbehaviour: Misbehaviour, names: readonly string[], since?: string) {
    const proxy = await SpoilingProxy.start(parley.url, misbehaviour, since);
    const { email, apiKey } = parley.as('olivia');
    const checks = CHECKS.filter((check) => names.includes(nameOf(check)));
    try {
      return await examine({ url: proxy.url, email, apiKey, checks, patienceMs: PATIENCE_MS });
    } finally {
      await proxy.stop();
    }
  }

  const failedOf = ({ results }: ConformanceReport) =>
    results.filter(({ outcome }) => outcome === 'failed').map(({ check }) => nameOf(check));

  if (process.env.WRITE_CONFORMANCE_FAULTS) {
    it('is written down', async () => {
      const found = new Map<string, string>();
      for (const [fault, misbehaviour] of FAULTS) {
        await parley.reset();
        const left = CHECKS.map(nameOf).filter((name) => !found.has(name));
        for (const name of failedOf(await examined(misbehaviour, left, BEGINNING))) found.set(name, fault);
      }
      const rows = CHECKS.map(nameOf).map((name) => `${name}\t${found.get(name) ?? ''}\n`);
      writeFileSync(TABLE, `check\tfault\n${rows.join('')}`);
      expect(rows).toHaveLength(CHECKS.length);
    });
  }

  const rows = readFileSync(TABLE, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as [string, string]);

  it('is found by every check in one way at least', () => {
    expect(rows.map(([name]) => name)).toEqual(CHECKS.map(nameOf));
    // That one waits for a limit, and has a test of its own below.
    const without = rows.filter(([, fault]) => !fault).map(([name]) => name);
    expect(without).toEqual(['errors: tells clients that ask too often when to ask again']);
  });

  it.each(FAULTS)('is found where it %s', async (fault, misbehaviour) => {
    const names = rows.filter((row) => row[1] === fault).map(([name]) => name);
    expect(names).not.toEqual([]);
    expect(failedOf(await examined(misbehaviour, names, BEGINNING))).toEqual(names);
  });

  it('is found where it limits requests without saying for how long', async () => {
    const [limit] = checksFor('errors: tells clients that ask too often').map(nameOf);
    const outcomeOf = async (misbehaviour: Misbehaviour) => {
      await parley.reset();
      await parley.fault({ path: '/users/me', code: 'RATE_LIMIT_HIT', retry_after: 0.1, times: 1 });
      const { results } = await examined(misbehaviour, [limit ?? '']);
      return results.map(({ outcome }) => outcome);
    };
    expect(await outcomeOf({})).toEqual(['passed']);
    const mute: Misbehaviour = {
      answers: (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } }),
    };
    expect(await outcomeOf(mute)).toEqual(['failed']);
  });
});
