import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { Client } from 'pg';
import { CheckDatabaseService } from '../../src/features/operations/integrity/check-database.service';
import { explainStartFailure } from '../../src/platform/config/start-refused';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { freePort } from '../support/free-port';
import { fetchIds, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { hasPostgres, postgresServer } from '../support/test-database';

const PATH = `${process.env.PATH}:/usr/sbin`;
const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env: { PATH } }).status === 0;
if (!hasPgBouncer) test.todo('PgBouncer: it is not installed here');
if (!hasPostgres) test.todo('PgBouncer: TEST_DATABASE_URL names no server');

/** As many as the two nodes may open. A transaction comes to whichever is free. */
const POOL_SIZE = 32;

const describeWithPgBouncer = hasPgBouncer && hasPostgres ? describe : describe.skip;

describeWithPgBouncer('behind PgBouncer, which pools by transaction', () => {
  let folder: string;
  let port: string;
  let pgbouncer: ChildProcess;
  let app: TestApp;
  let directly: string;

  const through = (address: string) => {
    const url = new URL(address);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-pgbouncer-'));
    // Root lends it the account of nobody.
    chmodSync(folder, 0o755);
    port = await freePort();
    const server = new URL(postgresServer()!);
    const login = server.password ? ` password=${decodeURIComponent(server.password)}` : '';
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]
* = host=${server.hostname} port=${server.port || 5432} user=${server.username}${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = 200
`,
    );
    const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    pgbouncer = spawn('pgbouncer', ['-q', ...asNobody, join(folder, 'pgbouncer.ini')], {
      env: { PATH },
      stdio: 'ignore',
    });
    await answers(through(postgresServer()!));
    app = await TestApp.start({
      engine: 'postgres',
      env: ({ DATABASE_URL }) => {
        directly = DATABASE_URL!;
        return { DATABASE_URL: through(directly), DATABASE_POOLER: 'transaction' };
      },
    });
  });

  afterAll(async () => {
    await app?.stop();
    pgbouncer.kill('SIGINT');
    if (pgbouncer.exitCode === null) await once(pgbouncer, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves many people at once, and loses nothing', async () => {
    const { max, mia, olivia } = app.cast;
    await createChannel(app, mia, 'busy', { principals: [mia.id, max.id, olivia.id] });
    const queue = await app.queue(max, { event_types: ['message'] });
    const senders = Array.from({ length: 12 }, (_, n) => [mia, olivia, max][n % 3]!);
    const sent = await Promise.all(
      senders.map(async (sender) => {
        const ids: number[] = [];
        // Often enough that statements would be prepared.
        for (let n = 0; n < 15; n++) {
          ids.push(await sendTo(app, sender, 'busy', `topic ${n % 3}`));
          expectSuccess(await app.as(sender).get('/users/me'));
        }
        return ids;
      }),
    );
    const all = sent.flat().sort((a, b) => a - b);
    const got = (await queue.events()).map(({ message }) => message.id as number);
    expect(got.sort((a, b) => a - b)).toEqual(all);
    const narrow = [{ operator: 'channel', operand: 'busy' }];
    expect(await fetchIds(app, max, narrow, { num_before: 500 })).toEqual(all);
  });

  it('registers clients with a state of one moment, and wakes their polls', async () => {
    const { max, mia } = app.cast;
    const queue = await app.queue(max, { fetch_event_types: ['message', 'realm_user', 'subscription'] });
    const waiting = queue.wait();
    const id = await sendDirect(app, mia, [max], 'through the pooler');
    expect((await waiting).find(({ type }) => type === 'message')).toMatchObject({ message: { id } });
  });

  it('a second node finds the tables as they are, and the checks of the operator run', async () => {
    const other = await app.anotherNode();
    try {
      await sendDirect(other, app.cast.mia, [app.cast.max], 'from the other');
    } finally {
      await other.stop();
    }
    const looking = { site: '', signal: new AbortController().signal, report: () => undefined };
    const { invariants } = await app.get(CheckDatabaseService).check(looking);
    expect(invariants.filter(({ holds }) => !holds)).toEqual([]);
  });

  it('says what to set where nobody told it of the pooler', async () => {
    const refused = app.anotherNode({ DATABASE_POOLER: 'none' }).catch(explainStartFailure);
    await expect(refused).resolves.toContain('DATABASE_POOLER=transaction');
  });

  async function answers(address: string): Promise<void> {
    for (;;) {
      const client = new Client({ connectionString: address });
      try {
        await client.connect();
        return;
      } catch {
        if (pgbouncer.exitCode !== null) throw new Error('PgBouncer does not start.');
        await moment(50);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }
});
