import 'reflect-metadata';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import DatabaseFile from 'better-sqlite3';
import { createApp } from '../src/app.factory';
import { FirstStartService } from '../src/features/organization/first-start.service';
import { AccountDirectory } from '../src/features/users/accounts/account.directory';
import { loadConfig } from '../src/platform/config/load-config';
import { namesOfAllCodes } from '../src/platform/emoji/emoji';
import { ApiKeys } from '../src/platform/secrets/api-keys';
import { largeAvif } from '../test/support/avif';
import { gifOfFrames } from '../test/support/gif';
import { SIGNER } from '../test/support/tls/identities';
import { type Call, dearContent, dearWebhooks, filled } from './dear-calls';
import { type FillDatabase, fillMessages } from './fill';
import {
  type HostileRequest,
  requestsOfMembers,
  requestsOfStrangers,
  samlResponses,
  sendHostile,
  whileHeld,
} from './hostile-requests';

/**
 * Sends the most expensive known single requests, one at a time, and prints how long the server answers no other
 * request: the longest pause of its event loop. Run as `npm run bench:pauses`. A request is sent {@link WARM_UPS} times
 * to warm up and then {@link TIMES} times: prints the very first time, and the median and maximum of the measured ones.
 * `BENCH_ONLY` as with `npm run bench`.
 */
const WARM_UPS = 4;
const TIMES = 9;
/** An attacker sends many requests. The very first time is printed as well. */
const STRANGER_WARM_UPS = 20;
const TARGET_MS = 100;
/** Maximum time of an unauthenticated request. */
const STRANGER_MS = 20;
const STRANGER_KIB = 256;
const RESOLUTION_MS = 1;
const ONLY = process.env.BENCH_ONLY ?? '';
const OWNER = 'owner@example.com';
const PROVIDER = 'staff';
const MESSAGES = 5_000;
const CHANNELS = 1_000;
const UNREAD = 50_000;

/** Measurements reported by the server. */
interface Figures {
  /** The longest pause since the last report. */
  readonly pauseMs: number;
  /** CPU time since then. */
  readonly cpuMs: number;
  /** Memory in use after garbage collection, if requested. */
  readonly bytes: number;
}

/** What to report. Garbage collection discards compiled code, so that the next request starts cold. */
type Question = 'times' | 'times and memory';

interface Ready {
  readonly port: number;
  readonly key: string;
}

/** The server, in a separate process; reports its longest pause since the last report. */
async function serve(folder: string): Promise<void> {
  const providers = join(folder, 'providers.json');
  const endpoints = { entity_id: 'https://idp.example.com', sign_in_url: 'https://idp.example.com/sso' };
  const provider = { ...endpoints, name: PROVIDER, label: 'SAML', certificate_file: SIGNER.certPath };
  writeFileSync(providers, JSON.stringify([{ ...provider, protocol: 'saml' }]));
  const app = await createApp(
    loadConfig({
      DATA_DIR: folder,
      IDENTITY_PROVIDERS: providers,
      PORT: '0',
      LOG_LEVEL: 'silent',
      OWNER_EMAIL: OWNER,
      OWNER_PASSWORD: 'a plain lantern at noon',
      RATE_LIMIT_PER_MINUTE: '0',
    }),
  );
  await app.init();
  await app.get(FirstStartService, { strict: false }).run();
  await app.listen(0, '127.0.0.1');
  const owner = app.get(AccountDirectory, { strict: false }).byDeliveryEmail(OWNER);
  const key = app.get(ApiKeys, { strict: false }).apiKeyFor(owner?.keyNonce ?? '');
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let since = process.cpuUsage();
  const tell = async (question: Question) => {
    // After the next clock check, which records the pause.
    await sleep(20 * RESOLUTION_MS);
    const { user, system } = process.cpuUsage(since);
    const pauseMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS);
    const bytes = question === 'times and memory' ? await memoryInUse() : 0;
    delays.reset();
    since = process.cpuUsage();
    process.send?.({ pauseMs, cpuMs: (user + system) / 1000, bytes } satisfies Figures);
  };
  process.on('message', (question: Question) => void tell(question));
  const { port } = app.getHttpServer().address() as { port: number };
  process.send?.({ port, key } satisfies Ready);
}

async function memoryInUse(): Promise<number> {
  // Twice, because buffers are freed after the objects that own them.
  globalThis.gc?.();
  await sleep(20 * RESOLUTION_MS);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  await sleep(20 * RESOLUTION_MS);
  return heapUsed + external;
}

class Client {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly ready: Ready) {}

  async send({ method = 'POST', path, form = {}, body }: Call): Promise<{ status: number; text: string }> {
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries(form)) {
      fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    const isGet = method === 'GET';
    const headers: OutgoingHttpHeaders = {
      'content-type': body?.type ?? 'application/x-www-form-urlencoded',
      ...(body && { 'transfer-encoding': 'chunked' }),
    };
    return new Promise((resolve, reject) => {
      const call = request(
        {
          agent: this.agent,
          port: this.ready.port,
          method,
          path: `${path.startsWith('/api/') ? '' : '/api/v1'}${path}${isGet ? `?${fields.toString()}` : ''}`,
          auth: `${OWNER}:${this.ready.key}`,
          headers: isGet ? {} : headers,
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        },
      );
      call.on('error', reject);
      call.end(isGet ? undefined : (body?.bytes ?? fields.toString()));
    });
  }

  async must(call: Call): Promise<Record<string, unknown>> {
    const { status, text } = await this.send(call);
    if (status !== 200) throw new Error(`${call.path}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}

const fenced = (language: string, content: string) => `\`\`\`${language}\n${content}\n\`\`\``;

/** A JSON object just below this many bytes, with as many keys as fit. */
function hexKeys(length: number): string {
  let text = '{"":0';
  for (let at = 0; text.length < length - 30; at++) text += `,"${at.toString(16)}":1`;
  return `${text}}`;
}

/** The maximum number of reactions of one person to a message. */
const emojiNames = [...namesOfAllCodes().values()].slice(0, 50).map(([name]) => name);

const MULTIPART = 'multipart/form-data; boundary=b';

/** A form with one file. */
function fileForm(fileName: string, content: Buffer): NonNullable<Call['body']> {
  const head = `--b\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`;
  return {
    type: MULTIPART,
    bytes: Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]),
  };
}

const SLOW_GIF = gifOfFrames(500, 280, 280);
const LARGE_GIF = Buffer.concat([SLOW_GIF, Buffer.alloc(5_000_000)]);
const LONG_GIF = gifOfFrames(60_000);

/** Objects used in the calls. */
interface Prepared {
  /** IDs of messages. */
  readonly ids: readonly number[];
  /** URL of an uploaded audio file. */
  readonly sound: string;
  /** API key of a bot for webhooks. */
  readonly botKey: string;
}

const channelNames = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `channel ${from + at}` }));

/** An organization in which the calls are expensive. */
async function prepare(client: Client): Promise<Prepared> {
  for (let from = 0; from < CHANNELS; from += 100) {
    await client.must({
      name: '',
      path: '/users/me/subscriptions',
      form: { subscriptions: channelNames(from, 100) },
    });
  }
  const ids: number[] = [];
  const send = async (topic: string, content: string) => {
    const form = { type: 'channel', to: 'channel 0', topic, content };
    ids.push((await client.must({ name: '', path: '/messages', form })).id as number);
  };
  for (let sent = 0; sent < MESSAGES; sent += 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => send('usual', `Soup **at noon** for ${sent + at}?`)),
    );
  }
  for (let sent = 0; sent < 100; sent++) await send('large', filled('👍', 1_900));
  const body = fileForm('a.mp3', Buffer.from('sound'));
  const { url } = await client.must({ name: '', path: '/user_uploads', body });
  const hooked = { full_name: 'Hook', short_name: 'hook', bot_type: 2 };
  const { api_key: botKey } = await client.must({ name: '', path: '/bots', form: hooked });
  for (const id of ids.slice(0, 20)) {
    await Promise.all(
      emojiNames.map((emoji_name) =>
        client.must({ name: '', path: `/messages/${id}/reactions`, form: { emoji_name } }),
      ),
    );
  }
  return { ids, sound: String(url), botKey: String(botKey) };
}

function calls({ ids, sound, botKey }: Prepared): Call[] {
  const render = (what: string, content: string): Call => ({
    name: `render ${what}`,
    path: '/messages/render',
    form: { content },
  });
  const fetchAll = (what: string, narrow: unknown[], count = MESSAGES): Call => ({
    name: what,
    method: 'GET',
    path: '/messages',
    form: { anchor: 'newest', num_before: count, num_after: 0, narrow },
  });
  const words = Array.from({ length: 60 }, (_, at) => `w${at}`).join(' ');
  const post = (name: string, path: string, form: Record<string, unknown>): Call => ({ name, path, form });
  const bytes = (name: string, path: string, type: string, text: string): Call => ({
    name,
    path,
    body: { type, bytes: Buffer.from(text) },
  });
  const login = (name: string, text: string) => bytes(name, '/api/auth/login', 'application/json', text);
  const urlEncoded = 'application/x-www-form-urlencoded';
  const diagram = fenced('math', `\\begin{CD}${filled('A@>>>', 2_300)}\\end{CD}`);
  const codeAndFormulas = `${diagram}\n${fenced('ts', filled(`${'(*'.repeat(150)}\n`, 7_400))}`;
  return [
    render('a table', `|a\n|-\n${filled('|a\n', 9_990)}`),
    render('a wide table', `${filled('|', 100)}\n${filled('|-', 198)}|\n${filled('|a\n', 9_600)}`),
    render('emphasis', filled('*a')),
    render('quotations', `${'> '.repeat(20)}${filled('a\n', 9_900)}`),
    render('emoji', filled('👍')),
    render('mail addresses', filled('a@b.cc,', 9_996)),
    render('times', filled('<time:2026-01-01T10:00:00Z>', 9_990)),
    render('a formula in a table', diagram),
    render('primes', fenced('math', filled("x'", 990))),
    render('names of TeX', fenced('math', filled('\\LaTeX', 708))),
    render('many formulas', filled('$$x^2$$ ')),
    render('definitions', fenced('math', `\\def\\a#1{${'#1'.repeat(300)}}\\a{${'x'.repeat(300)}}`)),
    render('code of brackets', fenced('ts', filled(`${'(*'.repeat(150)}\n`, 9_900))),
    render('code of open texts', fenced('js', filled(`${'${'.repeat(150)}\n`, 9_900))),
    render('code of calls', fenced('c', filled('(\n', 9_900))),
    render('code and formulas', codeAndFormulas),
    render('code and formulas beside sound', `[a](${sound})\n${codeAndFormulas}`),
    post('send a table', '/messages', {
      type: 'channel',
      to: 'channel 1',
      topic: 'tables',
      content: `|a\n|-\n${filled('|a\n', 4_480)}`,
    }),
    fetchAll('fetch 5,000 messages', [
      ['channel', 'channel 0'],
      ['topic', 'usual'],
    ]),
    fetchAll('fetch 8 MiB of messages', [
      ['channel', 'channel 0'],
      ['topic', 'large'],
    ]),
    {
      ...fetchAll('fetch messages with 1,000 reactions', []),
      form: { narrow: [], anchor: 0, num_before: 0, num_after: 20 },
    },
    fetchAll('search for a common word', [['search', 'soup']]),
    fetchAll('search for 120 words', [
      ['search', words],
      ['search', words],
    ]),
    fetchAll('search for phrases', [['search', `"${filled('soup ', 300)}" "at noon" "soup at noon"`]]),
    fetchAll(
      'narrow by twenty terms',
      Array.from({ length: 20 }, () => ['sender', OWNER]),
    ),
    {
      name: 'match 1,000 messages',
      method: 'GET',
      path: '/messages/matches_narrow',
      form: { msg_ids: ids.slice(0, 1_000), narrow: [['search', 'soup']] },
    },
    post('mark 5,000 messages as read', '/messages/flags', { messages: ids, op: 'add', flag: 'read' }),
    post('star 5,000 messages', '/messages/flags', { messages: ids, op: 'add', flag: 'starred' }),
    post('unstar 5,000 messages', '/messages/flags', { messages: ids, op: 'remove', flag: 'starred' }),
    post('mark a range', '/messages/flags/narrow', {
      anchor: 'newest',
      num_before: 5_000,
      num_after: 0,
      narrow: [],
      op: 'add',
      flag: 'read',
    }),
    post('flags of 100,000 unknown messages', '/messages/flags', {
      messages: Array.from({ length: 100_000 }, (_, at) => at + 1_000_000),
      op: 'add',
      flag: 'read',
    }),
    post('register with 1,000 channels', '/register', {}),
    post('register with subscribers', '/register', { include_subscribers: 'true' }),
    post('subscribe to 100 channels', '/users/me/subscriptions', {
      subscriptions: channelNames(0, 100),
    }),
    { name: 'list of channels', method: 'GET', path: '/streams', form: { include_all: 'true' } },
    post('a direct message to 100,000', '/messages', {
      type: 'direct',
      to: Array.from({ length: 100_000 }, (_, at) => at),
      content: 'a',
    }),
    post('deep JSON', '/messages/flags', {
      messages: `${filled('[', 500_000)}${filled(']', 500_000)}`,
      op: 'add',
    }),
    bytes('4 MB of separators', '/fetch_api_key', urlEncoded, filled('&', 4_000_000)),
    bytes('4 MB of escapes', '/fetch_api_key', urlEncoded, `a=${filled('%41', 3_999_999)}`),
    bytes('parts without names', '/fetch_api_key', MULTIPART, filled('--b\r\n\r\n\r\n', 3_600_000)),
    login('a login of nested keys', `{"email":${hexKeys(128 * 1024)}}`),
    login('a login of nested lists', `{"email":[${filled('{},', 129_000)}0]}`),
    login('a login of unknown keys', hexKeys(128 * 1024)),
    login('a login of 4 MB of keys', hexKeys(4_000_000)),
    { name: 'an avatar of 500 frames', path: '/users/me/avatar', body: fileForm('a.gif', SLOW_GIF) },
    { name: 'an avatar of 5 MB', path: '/users/me/avatar', body: fileForm('a.gif', LARGE_GIF) },
    {
      name: 'refused: an animation of 60,000 frames',
      path: '/users/me/avatar',
      body: fileForm('a.gif', LONG_GIF),
    },
    { name: 'an AVIF of 40 million pixels', path: '/user_uploads', body: fileForm('a.avif', largeAvif()) },
    bytes('20 MB of parts', '/user_uploads', MULTIPART, filled('--b\r\n\r\n\r\n', 20_000_007)),
    ...dearContent(),
    ...dearWebhooks(botKey),
  ];
}

/** Adds 50,000 messages in 1,000 topics that are unread for the owner, while no server runs. */
async function fillUnread(folder: string): Promise<void> {
  const db = new DatabaseFile(join(folder, 'parley.db'));
  try {
    const { id } = db.prepare("SELECT id FROM channel WHERE name = 'channel 0'").get() as { id: number };
    const { sender } = db.prepare('SELECT MIN(id) AS sender FROM account').get() as { sender: number };
    const filling: FillDatabase = {
      engine: 'sqlite',
      run: async (sql) => {
        const statement = db.prepare<[], object>(sql);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      },
    };
    await fillMessages(filling, sender, id, { messages: UNREAD, topics: 1_000, unread: UNREAD });
  } finally {
    db.close();
  }
}

const callsOfUnread: readonly Call[] = [
  {
    name: 'register with 50,000 unread messages',
    path: '/register',
    form: { fetch_event_types: ['message', 'update_message_flags'] },
  },
  {
    name: 'fetch 5,000 messages of 1,000 topics',
    method: 'GET',
    path: '/messages',
    form: { anchor: 'newest', num_before: MESSAGES, num_after: 0, narrow: [] },
  },
];

function start(folder: string): ChildProcess {
  const execArgv = ['--expose-gc', '-r', 'ts-node-for-development/register/transpile-only'];
  return fork(__filename, [folder], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  let server = start(folder);
  try {
    const [ready] = (await once(server, 'message')) as [Ready];
    const client = new Client(ready);
    const idleMs = await idleCost(server);
    await measureStrangers(server, ready.port, idleMs);
    await measureMembers(server, ready, idleMs);
    const prepared = await prepare(client);
    process.stdout.write(`${'request'.padEnd(40)}${columns('first', 'median', 'worst')}  status\n`);
    for (const call of calls(prepared)) if (call.name.includes(ONLY)) await measure(server, client, call);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await fillUnread(folder);
    server = start(folder);
    const unreadClient = new Client(((await once(server, 'message')) as [Ready])[0]);
    for (const call of callsOfUnread) if (call.name.includes(ONLY)) await measure(server, unreadClient, call);
  } finally {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

/** The cost of measuring: CPU time between two reports without a request in between, in ms. */
async function idleCost(server: ChildProcess): Promise<number> {
  return median(await measured(async () => (await figuresOf(server)).cpuMs));
}

/** The result of each call, including the warm-up. */
async function measured<T>(once: () => Promise<T>, warmUps = WARM_UPS): Promise<T[]> {
  const results: T[] = [];
  for (let time = 0; time < warmUps + TIMES; time++) results.push(await once());
  return results;
}

/** The median without the warm-up. */
function median(values: readonly number[]): number {
  const sorted = values.slice(-TIMES).sort((one, other) => one - other);
  return sorted[Math.floor(TIMES / 2)] ?? 0;
}

/** The cells of a row, headings or numbers in ms. */
function columns(...cells: (string | number)[]): string {
  return cells
    .map((cell) => (typeof cell === 'number' ? `${cell.toFixed(0)} ms` : cell).padStart(9))
    .join('');
}

/** Sends requests without credentials, and measures the CPU time and memory of each. */
async function measureStrangers(server: ChildProcess, port: number, idleMs: number): Promise<void> {
  const heads = columns('first cpu', 'pause', 'cpu', 'memory');
  process.stdout.write(`${'request of a stranger'.padEnd(40)}${heads}  status\n`);
  const requests = [...requestsOfStrangers, ...(await samlResponses(port, PROVIDER))];
  for (const request of requests.filter(({ name }) => name.includes(ONLY))) {
    const costs = await measured(() => costOf(server, port, request), STRANGER_WARM_UPS);
    const { bytes: before } = await figuresOf(server, 'times and memory');
    const held = await whileHeld(port, request, async (count) => {
      return Math.max(0, (await figuresOf(server, 'times and memory')).bytes - before) / count / 1024;
    });
    const pause = median(costs.map(({ pauseMs }) => pauseMs));
    const cpu = median(costs.map(({ cpuMs }) => cpuMs - idleMs));
    const isOver = pause > TARGET_MS || cpu > STRANGER_MS || held > STRANGER_KIB;
    const firstCpu = (costs[0]?.cpuMs ?? 0) - idleMs;
    const line = columns(firstCpu, pause, cpu, `${held.toFixed(0)} KiB`);
    const note = isOver ? '  over the target' : '';
    process.stdout.write(`${request.name.padEnd(40)}${line}  ${costs.at(-1)?.status}${note}\n`);
  }
}

async function measureMembers(server: ChildProcess, { port, key }: Ready, idleMs: number): Promise<void> {
  const authorization = `authorization: Basic ${Buffer.from(`${OWNER}:${key}`).toString('base64')}\r\n`;
  const heads = columns('first', 'pause', 'cpu');
  process.stdout.write(`\n${'request of a member'.padEnd(40)}${heads}  status\n`);
  for (const request of requestsOfMembers.filter(({ name }) => name.includes(ONLY))) {
    const costs = await measured(() => costOf(server, port, request, authorization));
    const pause = median(costs.map(({ pauseMs }) => pauseMs));
    const cpu = median(costs.map(({ cpuMs }) => cpuMs - idleMs));
    const note = pause > TARGET_MS ? '  over the target' : '';
    const line = columns(costs[0]?.pauseMs ?? 0, pause, cpu);
    process.stdout.write(`${request.name.padEnd(40)}${line}  ${costs.at(-1)?.status}${note}\n`);
  }
  process.stdout.write('\n');
}

async function costOf(
  server: ChildProcess,
  port: number,
  request: HostileRequest,
  authorization = '',
): Promise<Figures & { status: number }> {
  await figuresOf(server);
  const status = await sendHostile(port, request, authorization);
  return { ...(await figuresOf(server)), status };
}

async function measure(server: ChildProcess, client: Client, call: Call): Promise<void> {
  let status = 0;
  const pauses = await measured(async () => {
    for (const before of call.before ?? []) await client.must(before);
    await figuresOf(server);
    ({ status } = await client.send(call).catch(() => ({ status: 0 })));
    return (await figuresOf(server)).pauseMs;
  });
  const middle = median(pauses);
  const figures = columns(pauses[0] ?? 0, middle, Math.max(...pauses.slice(-TIMES)));
  const note = middle > TARGET_MS ? '  over the target' : '';
  process.stdout.write(`${call.name.padEnd(40)}${figures}  ${status}${note}\n`);
}

async function figuresOf(server: ChildProcess, question: Question = 'times'): Promise<Figures> {
  server.send(question);
  const [figures] = (await once(server, 'message')) as [Figures];
  return figures;
}

const [folderOfServer] = process.argv.slice(2);
(folderOfServer === undefined ? main() : serve(folderOfServer)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
