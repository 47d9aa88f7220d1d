import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { ServerProcess } from './server-process';

/**
 * How long it takes from sending a message until all of many waiting polls have it, what a waiting poll costs in memory,
 * and how long a client takes to register with an organization of some size. Run as
 * `npm run build && npx ts-node bench/polling.ts`. The clients share the machine with the server, and reading thousands
 * of answers takes them about as long as writing takes the server.
 */
const PORT = 9803;
const POLLS = [500, 5_000];
const ROUNDS = 20;
const PEOPLE = 50;
const ORGANIZATION = { people: 1_000, channels: 200, subscriptionsEach: 30 };
const REGISTRATIONS = 100;

const top = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
/** Of the polls; everything else has connections of its own, which the server does not close for being idle. */
const pollAgent = new Agent({ keepAlive: true, maxSockets: Infinity });

interface Account {
  readonly email: string;
  readonly key: string;
}

interface Answer {
  readonly text: string;
  readonly at: number;
}

interface Queue {
  readonly account: Account;
  readonly id: string;
  lastEventId: number;
}

function start(dataDir: string): Promise<ServerProcess> {
  const env = {
    DATA_DIR: dataDir,
    PORT: String(PORT),
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    // Hands out the keys of the people that the bench makes.
    SERVER_MODE: 'development',
  };
  return ServerProcess.start([join(top, 'dist/main.js')], env, PORT, '/health/live');
}

function call(
  account: Account,
  method: string,
  path: string,
  form: Record<string, string> = {},
): Promise<Answer> {
  const parameters = new URLSearchParams(form).toString();
  const isGet = method === 'GET';
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent: path === '/events' ? pollAgent : undefined,
        port: PORT,
        method,
        path: `/api/v1${path}${isGet && parameters ? `?${parameters}` : ''}`,
        auth: `${account.email}:${account.key}`,
        headers: isGet ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve({ text, at: performance.now() });
          else reject(new Error(`${method} ${path}: ${text}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(isGet ? undefined : parameters);
  });
}

async function main(): Promise<void> {
  try {
    for (const polls of POLLS) await measureDelivery(polls);
    await measureRegistering();
  } finally {
    pollAgent.destroy();
    rmSync(folder, { recursive: true });
  }
}

function ownerOf(dataDir: string): Account {
  const text = readFileSync(join(dataDir, 'zuliprc'), 'utf8');
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { email: value('email'), key: value('key') };
}

async function measureDelivery(polls: number): Promise<void> {
  const dataDir = join(folder, `polls-${polls}`);
  const server = await start(dataDir);
  try {
    const owner = ownerOf(dataDir);
    const queues = await registerQueues(owner, polls);
    const before = await settledMib(server);
    const waiting = new Map<Queue, Promise<Answer>>();
    for (const queue of queues) {
      waiting.set(queue, poll(queue));
      if (waiting.size % 100 === 0) await sleep(50);
    }
    const after = await settledMib(server);
    print(`${polls} waiting polls`, `${(((after - before) * 1024) / polls).toFixed(1)} KiB each`);

    const each: number[] = [];
    const cpu = server.cpuMicroseconds();
    const last: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const content = `round ${round}`;
      const began = performance.now();
      const sent = call(owner, 'POST', '/messages', {
        type: 'channel',
        to: 'everybody',
        topic: 'bench',
        content,
      });
      const times = await Promise.all(
        [...waiting].map(async ([queue, answer]) => {
          const { text, at } = await answer;
          const { events } = JSON.parse(text) as { events: { id: number; message: { content: string } }[] };
          if (events.length !== 1 || events[0]?.message.content !== content) throw new Error(`Lost: ${text}`);
          queue.lastEventId = events[0].id;
          return at - began;
        }),
      );
      await sent;
      each.push(...times);
      last.push(Math.max(...times));
      for (const queue of queues) waiting.set(queue, poll(queue));
      await sleep(1_000 + polls / 2);
    }
    const [half, most] = [percentile(last, 0.5), percentile(last, 0.99)];
    print('  from sending to the last of them', `p50 ${half} ms, p99 ${most} ms`);
    print('  to each of them', `p50 ${percentile(each, 0.5)} ms, p99 ${percentile(each, 0.99)} ms`);
    const cost = (server.cpuMicroseconds() - cpu) / (polls * ROUNDS);
    print('  CPU for an answer and the next poll', `${cost.toFixed(0)} µs`);
    print('  messages lost', `0 of ${polls * ROUNDS}`);
  } finally {
    await server.stop();
  }
}

async function registerQueues(owner: Account, polls: number): Promise<Queue[]> {
  const people: Account[] = [];
  const ids: number[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const email = `person${n}@example.com`;
    const form = { email, password: 'a plain lantern at noon', full_name: `Person ${n}` };
    ids.push((JSON.parse((await call(owner, 'POST', '/users', form)).text) as { user_id: number }).user_id);
    const { text } = await call(owner, 'POST', '/dev_fetch_api_key', { username: email });
    people.push({ email, key: (JSON.parse(text) as { api_key: string }).api_key });
  }
  const subscriptions = JSON.stringify([{ name: 'everybody' }]);
  await call(owner, 'POST', '/users/me/subscriptions', { subscriptions, principals: JSON.stringify(ids) });
  const queues: Queue[] = [];
  for (let n = 0; n < polls; n++) {
    const account = people[n % people.length] as Account;
    const { text } = await call(account, 'POST', '/register', {
      event_types: '["message"]',
      fetch_event_types: '[]',
    });
    queues.push({ account, id: (JSON.parse(text) as { queue_id: string }).queue_id, lastEventId: -1 });
  }
  return queues;
}

function poll({ account, id, lastEventId }: Queue): Promise<Answer> {
  return call(account, 'GET', '/events', { queue_id: id, last_event_id: String(lastEventId) });
}

/** Resident memory once the server has come to rest. */
async function settledMib(server: ServerProcess): Promise<number> {
  await sleep(8_000);
  return server.residentMib();
}

async function measureRegistering(): Promise<void> {
  const dataDir = join(folder, 'organization');
  const empty = await start(dataDir);
  const owner = ownerOf(dataDir);
  const names = Array.from({ length: ORGANIZATION.channels }, (_, n) => ({ name: `channel ${n}` }));
  await call(owner, 'POST', '/users/me/subscriptions', { subscriptions: JSON.stringify(names) });
  const form = { email: 'member@example.com', password: 'a plain lantern at noon', full_name: 'Member' };
  await call(owner, 'POST', '/users', form);
  await empty.stop();
  fillOrganization(join(dataDir, 'parley.db'));

  const server = await start(dataDir);
  try {
    const { people, channels } = ORGANIZATION;
    for (const subscribers of ['false', 'true']) {
      const times: number[] = [];
      let length = 0;
      const cpu = server.cpuMicroseconds();
      for (let n = 0; n < REGISTRATIONS; n++) {
        const began = performance.now();
        const { text, at } = await call(owner, 'POST', '/register', { include_subscribers: subscribers });
        times.push(at - began);
        length = text.length;
      }
      const cost = (server.cpuMicroseconds() - cpu) / REGISTRATIONS / 1_000;
      print(
        `register, ${people} people, ${channels} channels${subscribers === 'true' ? ', with subscribers' : ''}`,
        `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, CPU ${cost.toFixed(1)} ms, ` +
          `${(length / 1_000).toFixed(0)} kB`,
      );
    }
  } finally {
    await server.stop();
  }
}

/** Copies of the member, each subscribed to some of the channels; a thousand calls would take long. */
function fillOrganization(file: string): void {
  const db = new Database(file);
  db.transaction(() => {
    const [member] = db
      .prepare("SELECT * FROM account WHERE email_key = 'member@example.com'")
      .all() as Row[];
    const groups = db.prepare('SELECT * FROM user_group_member WHERE user_id = ?').all(member?.id) as Row[];
    const ofOwner = (table: string) =>
      db
        .prepare(
          `SELECT * FROM ${table} WHERE user_id IN (SELECT id FROM account WHERE role = 100) ORDER BY channel_id`,
        )
        .all() as Row[];
    const subscriptions = ofOwner('subscription');
    const periods = ofOwner('subscription_period');
    for (let n = 0; n < ORGANIZATION.people; n++) {
      const email = `copy${n}@example.com`;
      const userId = insert(db, 'account', {
        ...member,
        delivery_email: email,
        email_key: email,
        key_nonce: email,
      });
      for (const row of groups) insert(db, 'user_group_member', { ...row, user_id: userId });
      for (let at = 0; at < ORGANIZATION.subscriptionsEach; at++) {
        const place = (n + at * 7) % subscriptions.length;
        insert(db, 'subscription', { ...subscriptions[place], user_id: userId });
        insert(db, 'subscription_period', { ...periods[place], user_id: userId });
      }
    }
  })();
  db.close();
}

type Row = Readonly<Record<string, unknown>>;

/** @returns the ID that the row got, if its table gives any */
function insert(db: Database.Database, table: string, { id: _, ...row }: Row): number {
  const columns = Object.keys(row);
  const places = columns.map((column) => `@${column}`).join(', ');
  const { lastInsertRowid } = db
    .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
    .run(row);
  return Number(lastInsertRowid);
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
}

function print(name: string, figure: string): void {
  process.stdout.write(`${name.padEnd(56)}${figure}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
