import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('the sample organization', () => {
  let database: TestDatabase;
  let folder: string;
  let parley: CommandLine;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-demo-'));
    parley = new CommandLine({ LOG_LEVEL: 'warn', ...database.env, DATA_DIR: folder });
  });

  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is as large as was asked for, sound, and never mixed with what people wrote unless that is meant', async () => {
    await parley.run(['init']);
    const made = await parley.json(['demo', '--size', '40']);
    expect(made).toEqual({
      people: 5,
      bots: 1,
      groups: 1,
      channels: 4,
      messages: 40,
      reactions: expect.any(Number),
      example: 'ada.adler@example.com',
    });
    const { entries } = await parley.json(['audit', '--action', 'server.demo_made']);
    expect(entries).toMatchObject([{ way: 'command', details: { people: 5, channels: 4 } }]);
    const again = await parley.run(['demo']);
    expect(again).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/^This organization already has messages/),
    });
    await expect(parley.json(['demo', '--size', '10', '--seed', '2', '--force'])).resolves.toMatchObject({
      people: 5,
      messages: 10,
    });
    const { users } = await parley.json(['user', 'list', '--bots']);
    expect(users).toHaveLength(7);
    await expect(parley.run(['check'])).resolves.toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^All \d+ invariants hold\.$/m),
    });
  });

  it('gives bots to people who may have them, whoever the seed picks', async () => {
    const another = await createTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-demo-'));
    const other = new CommandLine({ LOG_LEVEL: 'warn', ...another.env, DATA_DIR: dataDir });
    await other.run(['init']);
    // With this seed, the first choice among all people is a guest.
    const made = await other.json(['demo', '--size', '10', '--seed', '13']);
    expect(made).toMatchObject({ people: 5, bots: 1, messages: 10 });
    await another.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('has a size that makes sense', async () => {
    for (const size of ['huge', 'constructor']) {
      const { exitCode, errors } = await parley.run(['demo', '--size', size]);
      expect(exitCode).toBe(2);
      expect(errors).toContain(`'${size}' is invalid. Use small, medium, large or a whole number.`);
    }
  });
});
