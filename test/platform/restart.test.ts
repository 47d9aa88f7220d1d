import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { tables } from '../../src/app.module';
import { loadConfig } from '../../src/platform/config/load-config';
import { databaseOptions } from '../../src/platform/database/database.options';
import { compiledServer } from '../support/compiled-server';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { TestPlatform } from '../support/test-platform';

// Each start translates the whole program, which takes its time where other tests run beside.
jest.setTimeout(180_000);

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at any key of any answer
type Body = any;

const MINUTE_MS = 60_000;
const METRICS_TOKEN = 'read-by-the-test-of-restarts';

/** A client over a real connection, which goes on with the next server where one has gone. */
class Client {
  url = new URL('http://127.0.0.1');

  constructor(private readonly dataDir: string) {}

  async call(method: string, path: string, parameters: Record<string, string> = {}): Promise<Body> {
    const rc = readFileSync(join(this.dataDir, 'zuliprc'), 'utf8');
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(rc)?.[1] ?? '';
    const form = new URLSearchParams(parameters);
    const target = new URL(`/api/v1${path}${method === 'GET' ? `?${form.toString()}` : ''}`, this.url);
    const answer = await fetch(target, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${value('email')}:${value('key')}`).toString('base64')}`,
      },
      ...(method === 'GET' ? {} : { body: form }),
    });
    return answer.json();
  }

  register(parameters: Record<string, string> = {}): Promise<Body> {
    return this.call('POST', '/register', { event_types: '["message"]', ...parameters });
  }

  poll(queueId: string, lastEventId: number, more: Record<string, string> = {}): Promise<Body> {
    const parameters = { queue_id: queueId, last_event_id: String(lastEventId), ...more };
    return this.call('GET', '/events', parameters);
  }

  async send(content: string): Promise<number> {
    const message = { type: 'direct', to: JSON.stringify([await this.ownId()]), content };
    return (await this.call('POST', '/messages', message)).id;
  }

  /** Resolves once the server has a poll that waits. */
  async untilPollWaits(): Promise<void> {
    for (;;) {
      const answer = await fetch(new URL('/metrics', this.url), {
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      });
      if (/^parley_parked_polls [1-9]/m.test(await answer.text())) return;
      await moment(20);
    }
  }

  private async ownId(): Promise<number> {
    this.id ??= (await this.call('GET', '/users/me')).user_id as number;
    return this.id;
  }

  private id: number | undefined;
}

describe('a queue of a server that starts anew', () => {
  let dataDir: string;
  let database: TestDatabase;
  let server: ServerProcess;
  let client: Client;

  async function start(): Promise<void> {
    server = new ServerProcess([compiledServer()], {
      env: {
        ...database.env,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        RATE_LIMIT_PER_MINUTE: '0',
        METRICS_TOKEN,
      },
    });
    client.url = await server.ready();
  }

  /** Has the clients of all queues stay away while the server is down, for longer than a test can wait. */
  async function letTimePass(ms: number): Promise<void> {
    const platform = await TestPlatform.open(
      databaseOptions(loadConfig({ ...database.env, DATA_DIR: dataDir }), tables),
    );
    await platform.transactions.run((tx) =>
      tx.query('UPDATE event_queue SET last_seen_at = last_seen_at - ?', [ms]),
    );
    await platform.stop();
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    server.signal(signal);
    return server.exitCode();
  }

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-restart-'));
    database = await createTestDatabase();
    client = new Client(dataDir);
    await start();
  });

  afterAll(async () => {
    await stop('SIGKILL');
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('ends the poll that waits, and goes on as if nothing had been', async () => {
    const { queue_id: queueId } = await client.register();
    const first = await client.send('first');
    const [event] = (await client.poll(queueId, -1)).events;
    expect(event.message.id).toBe(first);
    const second = client.poll(queueId, event.id);
    await client.untilPollWaits();
    await expect(stop('SIGTERM')).resolves.toBe(0);
    await expect(second).resolves.toMatchObject({ result: 'success', events: [] });

    await start();
    const again = await client.poll(queueId, -1, { dont_block: 'true' });
    expect(again.events).toEqual([event]);
    const third = client.poll(queueId, event.id);
    const sent = await client.send('third');
    expect((await third).events).toMatchObject([{ type: 'message', message: { id: sent } }]);
  });

  it('gives a client that stayed away its whole time again', async () => {
    const returning = await client.register({ idle_queue_timeout: '60' });
    const lost = await client.register({ idle_queue_timeout: '2' });
    expect([returning, lost].map((queue) => queue.idle_queue_timeout_secs)).toEqual([60, 2]);
    const sent = await client.send('while it is away');
    await stop('SIGTERM');
    await letTimePass(5 * MINUTE_MS);
    await start();
    const { events } = await client.poll(returning.queue_id, -1);
    expect(events).toMatchObject([{ message: { id: sent } }]);
    await moment(2_500);
    expect((await client.poll(lost.queue_id, -1)).code).toBe('BAD_EVENT_QUEUE_ID');
  });

  it('loses nothing that was acknowledged and repeats nothing, when the process is killed in the middle', async () => {
    const { queue_id: queueId } = await client.register();
    const acknowledged: number[] = [];
    const heard: number[] = [];
    const eventIds = [-1];
    let isWriting = true;
    const lastId = () => eventIds.at(-1) as number;
    const write = async () => {
      for (let n = 0; isWriting; n++) {
        await client.send(`${n}`).then(
          (id) => acknowledged.push(id),
          () => moment(20),
        );
      }
    };
    const poll = async () => {
      const { events = [] } = await client.poll(queueId, lastId(), isWriting ? {} : { dont_block: 'true' });
      for (const { id, type, message } of events) {
        eventIds.push(id);
        if (type === 'message') heard.push(message.id);
      }
      return events.length > 0;
    };
    const read = async () => {
      while (isWriting) await poll().catch(() => moment(20));
    };
    const untilAcknowledged = async (more: number) => {
      const enough = acknowledged.length + more;
      while (acknowledged.length < enough) await moment(20);
    };
    const running = [write(), write(), write(), read()];
    try {
      for (let kills = 0; kills < 2; kills++) {
        await untilAcknowledged(10);
        await moment(kills * 130);
        await stop('SIGKILL');
        await start();
      }
      await untilAcknowledged(5);
    } finally {
      isWriting = false;
    }
    await Promise.all(running);
    while (await poll());

    expect(acknowledged.length).toBeGreaterThan(20);
    expect(heard).toEqual([...new Set(heard)]);
    expect(acknowledged.filter((id) => !heard.includes(id))).toEqual([]);
    expect(eventIds).toEqual([...new Set(eventIds)].sort((a, b) => a - b));
  });
});
