import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine, type CommandOutcome } from '../support/command-line';
import { compiledServer } from '../support/compiled-server';
import { Line } from '../support/line';
import { mailOf, multipart } from '../support/mail-setup';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, hasPostgres, postgresServer, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

let database: TestDatabase;
let folder: string;
let env: Record<string, string>;
let parley: CommandLine;
let server: ServerProcess;
/** On PostgreSQL, between the server and its database. */
let line: Line | undefined;
let site: string;
let key: string;

const start = async () => {
  server = new ServerProcess([compiledServer()], { env });
  site = (await server.ready()).origin;
};

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'parley-mail-'));
  env = {
    DATA_DIR: join(folder, 'data'),
    EMAIL_GATEWAY_PATTERN: '%s@mail.example.org',
    OWNER_EMAIL: 'olivia@example.com',
    RATE_LIMIT_PER_MINUTE: '0',
    UPLOAD_QUOTA_MIB: '1',
    ...database.env,
  };
  if (hasPostgres && database.engine === 'postgres') {
    line = await Line.open(postgresServer()!, 5432);
    env.DATABASE_URL = line.through(env.DATABASE_URL!);
  }
  parley = new CommandLine(env);
  await parley.run(['init']);
  key = (await parley.json(['user', 'key', 'olivia@example.com'])).zuliprc.key;
  await start();
});

afterAll(async () => {
  server.signal('SIGKILL');
  await server.exitCode();
  await line?.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function call(method: string, path: string, parameters: Record<string, string> = {}) {
  const query = new URLSearchParams(parameters);
  const response = await fetch(`${site}/api/v1${path}${method === 'GET' ? `?${query.toString()}` : ''}`, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`olivia@example.com:${key}`).toString('base64')}` },
    ...(method !== 'GET' && { body: query }),
  });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers as they are
  return (await response.json()) as any;
}

/** A new channel, and the address of it. */
async function channelNamed(name: string): Promise<{ id: number; address: string }> {
  await call('POST', '/users/me/subscriptions', { subscriptions: JSON.stringify([{ name }]) });
  const { stream_id: id } = (await call('GET', '/get_stream_id', { stream: name })) as { stream_id: number };
  const { email } = (await call('GET', `/streams/${id}/email_address`)) as { email: string };
  return { id, address: email.replace('.show-sender', '') };
}

async function contents(channel: number): Promise<string[]> {
  const narrow = JSON.stringify([{ operator: 'channel', operand: channel }]);
  const range = { anchor: 'newest', num_before: '50', num_after: '0', apply_markdown: 'false', narrow };
  const { messages } = (await call('GET', '/messages', range)) as {
    messages: { content: string; sender_email: string }[];
  };
  return messages
    .filter(({ sender_email: sender }) => sender.startsWith('emailgateway@'))
    .map(({ content }) => content);
}

/** Resolves once a channel has so many mails. */
async function posted(channel: number, count: number): Promise<string[]> {
  for (;;) {
    const found = await contents(channel);
    if (found.length >= count) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const receive = (mail: Buffer, recipient?: string): Promise<CommandOutcome> =>
  parley.run(['mail', 'receive', ...(recipient === undefined ? [] : ['--recipient', recipient])], mail);

const refusal = (exitCode: number, errors: string) => ({ exitCode, output: '', errors: `${errors}\n` });

describe('parley mail receive', () => {
  it('exits with 0 once the mail is stored, and leaves no file', async () => {
    const { id, address } = await channelNamed('soup');
    await expect(receive(mailOf({}), address)).resolves.toEqual({ exitCode: 0, output: '', errors: '' });
    await expect(receive(mailOf({ To: address }, 'Other.'))).resolves.toMatchObject({ exitCode: 0 });
    await expect(posted(id, 2)).resolves.toEqual(['Soup is ready.', 'Other.']);
    expect(readdirSync(join(env.DATA_DIR!, 'incoming-mail'))).toEqual([]);
  });

  it('exits with codes that mail servers know', async () => {
    const { address } = await channelNamed('codes');
    const unknown = '5.1.1 Bad destination mailbox address';
    await expect(receive(mailOf({}), 'soup@mail.example.org')).resolves.toEqual(refusal(67, unknown));
    await expect(receive(mailOf({}))).resolves.toEqual(refusal(67, unknown));
    await expect(receive(Buffer.from('no mail'), address)).resolves.toEqual(
      refusal(65, '5.6.0 Not a valid message'),
    );
    await expect(receive(Buffer.alloc(0), address)).resolves.toEqual(
      refusal(65, '5.6.0 Not a valid message'),
    );
    const large = mailOf({}, 'x'.repeat(25 * 1024 * 1024));
    await expect(receive(large, address)).resolves.toEqual(
      refusal(65, '5.3.4 Message too big: at most 25 MiB'),
    );
    const longHead = mailOf({ 'X-Long': 'x'.repeat(1024 * 1024) });
    await expect(receive(longHead, address)).resolves.toEqual(refusal(65, '5.6.0 Not a valid message'));
    const { id: closed, address: refused } = await channelNamed('closed');
    await call('DELETE', `/streams/${closed}`);
    await expect(receive(mailOf({}), refused)).resolves.toEqual(refusal(77, '5.7.1 Permission denied'));
  });

  it('asks to try again where it cannot store the mail', async () => {
    const elsewhere = new CommandLine({ ...env, DATA_DIR: join(folder, 'nothing-here') });
    const again = refusal(75, '4.3.0 Temporary failure, try again later');
    await expect(elsewhere.run(['mail', 'receive'], String(mailOf({})))).resolves.toEqual(again);
    expect(existsSync(join(folder, 'nothing-here'))).toBe(false);
  });

  it('asks to try again where the disk has no room for the mail, and leaves no part of it', async () => {
    const { address } = await channelNamed('room');
    const command = [parley.program, 'mail', 'receive', '--recipient', address];
    // As on a full disk, writing fails in the middle.
    const script = 'ulimit -f 8 && exec "$0" "$@"';
    const { status, stderr } = spawnSync('/bin/sh', ['-c', script, process.execPath, ...command], {
      env: { PATH: process.env.PATH, ...env },
      input: mailOf({}, 'x'.repeat(1024 * 1024)),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([75, '4.3.0 Temporary failure, try again later\n']);
    expect(readdirSync(join(env.DATA_DIR!, 'incoming-mail'))).toEqual([]);
  });

  it('takes the mail without the files for which the quota leaves no room', async () => {
    const { id, address } = await channelNamed('quota');
    const part = (name: string) =>
      `Content-Disposition: attachment; filename="${name}"\n\n${'x'.repeat(700_000)}`;
    const { type, body } = multipart('mixed', [
      'Content-Type: text/plain\n\nHi',
      part('a.txt'),
      part('b.txt'),
    ]);
    const mail = mailOf({ 'MIME-Version': '1.0', 'Content-Type': type }, body);
    await expect(receive(mail, address)).resolves.toEqual({ exitCode: 0, output: '', errors: '' });
    const left = "*b.txt was left out: Upload would exceed your organization's upload quota.*";
    const [content] = await posted(id, 1);
    expect(content?.split('\n')).toEqual(['Hi', expect.stringMatching(/^\[a\.txt\]\(/), left]);
  });

  it('asks to try again while the running server has no database', async () => {
    const { id, address } = await channelNamed('away');
    const mail = mailOf({}, 'Later.');
    const file = join(env.DATA_DIR!, 'parley.db');
    if (line) line.cut();
    else renameSync(file, `${file}.away`);
    await expect(receive(mail, address)).resolves.toEqual(
      refusal(75, '4.3.0 Temporary failure, try again later'),
    );
    if (line) line.mend();
    else renameSync(`${file}.away`, file);
    for (;;) {
      const { exitCode } = await receive(mail, address);
      if (exitCode === 0) break;
      expect(exitCode).toBe(75);
    }
    await expect(posted(id, 1)).resolves.toEqual(['Later.']);
  });

  it('asks to try again while the database is away', async () => {
    const DATA_DIR = mkdtempSync(join(folder, 'away-'));
    const away = new CommandLine({ ...env, DATA_DIR, DATABASE_URL: 'postgres://parley@127.0.0.1:1/parley' });
    const again = refusal(75, '4.3.0 Temporary failure, try again later');
    await expect(away.run(['mail', 'receive'], String(mailOf({})))).resolves.toEqual(again);
  });

  it('posts once what was stored before the server was killed', async () => {
    const { id, address } = await channelNamed('crash');
    server.signal('SIGSTOP');
    server.signal('SIGKILL');
    await server.exitCode();
    const mail = mailOf({}, 'Still here.');
    // Without a server, the command stores the mail by itself, and posts nothing.
    await expect(receive(mail, address)).resolves.toEqual({ exitCode: 0, output: '', errors: '' });
    await expect(receive(mail, address)).resolves.toMatchObject({ exitCode: 0 });
    await start();
    await posted(id, 1);
    server.signal('SIGKILL');
    await server.exitCode();
    await start();
    await expect(receive(mail, address)).resolves.toMatchObject({ exitCode: 0 });
    const other = mailOf({}, 'Next.');
    await Promise.all([receive(other, address), receive(other, address)]);
    await expect(posted(id, 2)).resolves.toEqual(['Still here.', 'Next.']);
  });
});
