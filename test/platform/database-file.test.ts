import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Config } from '../../src/platform/config/config';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { sqliteDrivers } from '../support/test-database';

describe.each(sqliteDrivers)('a database file that goes away under a running server on %s', (engine) => {
  let app: TestApp;
  let file: string;
  const log: string[] = [];

  beforeAll(async () => {
    app = await TestApp.start({
      engine,
      env: { LOG_LEVEL: 'error' },
      log: { write: (line) => void log.push(line) },
      withoutLaw: 'the database is taken away',
    });
    file = join(app.get(Config).dataDir, 'parley.db');
    expectSuccess(await send());
  });
  afterAll(() => app.stop());

  const send = () =>
    app.as(app.cast.mia).post('/messages', { type: 'direct', to: [app.cast.max.id], content: 'a' });

  const readiness = async () => {
    const { status, body } = await app.client(null).send({ method: 'GET', url: '/health/ready' });
    return { status, problems: body.problems };
  };

  async function expectRefusals(): Promise<void> {
    for (const answer of [await send(), await app.as(app.cast.mia).post('/register', {})]) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } });
      expect(answer.headers['retry-after']).toBe('5');
    }
    expect(await readiness()).toEqual({
      status: 503,
      problems: [
        expect.stringMatching(/^The database file was deleted, moved or replaced: nothing is stored/),
      ],
    });
    expect(log.join('')).toContain('was deleted, moved or replaced while the server was running');
  }

  async function expectService(): Promise<void> {
    expectSuccess(await send());
    expectSuccess(await app.as(app.cast.mia).post('/register', {}));
    expect(await readiness()).toEqual({ status: 200, problems: undefined });
  }

  /** Takes the file away, and puts it back whatever happens. */
  async function without(path: string, work: () => Promise<void>): Promise<void> {
    renameSync(path, `${path}.away`);
    try {
      await work();
    } finally {
      renameSync(`${path}.away`, path);
    }
  }

  it.each(['parley.db', 'parley.db-wal'])(
    'where %s was moved away, nothing is acknowledged until it is back',
    async (name) => {
      const path = join(dirname(file), name);
      await without(path, async () => {
        await expectRefusals();
        expect(existsSync(path)).toBe(false);
      });
      await expectService();
    },
  );

  it('a copy in its place is not the file that is open', async () => {
    await without(file, async () => {
      copyFileSync(`${file}.away`, file);
      await expectRefusals();
    });
    await expectService();
  });

  it('what was written as it went is not acknowledged', async () => {
    const written = app.get(TransactionService).run(async (tx) => {
      await tx.query('UPDATE account SET full_name = full_name WHERE id = 0');
      renameSync(file, `${file}.away`);
    });
    await expect(written).rejects.toThrow('The change could not be stored.');
    renameSync(`${file}.away`, file);
    await expectService();
  });
});
