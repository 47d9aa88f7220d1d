import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledServer } from '../support/compiled-server';
import { docBlocks } from '../support/doc-blocks';
import { freePort } from '../support/free-port';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const run = promisify(execFile);

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const describeWithCurl = hasCurl ? describe : describe.skip;
if (!hasCurl) test.todo('docs/messaging.md: curl is not installed here');

// The server is a process of its own, beside other tests.
jest.setTimeout(300_000);

const OWNER = { OWNER_EMAIL: 'ada@example.com', OWNER_PASSWORD: 'seven quiet herons in the reeds' };

const blocksOf = (section: string, language: string) =>
  docBlocks('docs/messaging.md')
    .filter((block) => block.section === section && block.language === language)
    .map(({ code }) => code);

/** The commands, in the order in which whoever follows the document runs them. */
const [start = '', deliver = '', answer = '', readLog = '', ...others] = blocksOf('Try it out', 'sh');

describeWithCurl('docs/messaging.md', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let server: ServerProcess;

  beforeAll(async () => {
    const [, secret = ''] = /^WEBHOOK_SECRET=(\S+) npm start\n$/.exec(start) ?? [];
    database = await createTestDatabase();
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-messaging-')));
    const { DATA_DIR: _, ...choice } = database.env;
    env = { ...choice, ...OWNER, PORT: await freePort(), WEBHOOK_SECRET: secret };
    server = new ServerProcess([compiledServer()], { env, folder });
    await server.ready();
  });

  afterAll(async () => {
    server.signal('SIGTERM');
    await server.exitCode();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a block as it stands there, but on the port and as the owner of this test. */
  async function follow(block: string) {
    const script = block
      .replaceAll('127.0.0.1:9991', `127.0.0.1:${env.PORT}`)
      .replace('"OWNER_EMAIL"', JSON.stringify(OWNER.OWNER_EMAIL))
      .replace('"OWNER_PASSWORD"', JSON.stringify(OWNER.OWNER_PASSWORD));
    const { PATH } = process.env;
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: { PATH } });
    return JSON.parse(stdout);
  }

  it('has four blocks to try it out', () => {
    expect(start).toMatch(/^WEBHOOK_SECRET=\S{32,} npm start\n$/);
    expect([deliver, answer, readLog].every((block) => block.includes('curl'))).toBe(true);
    expect(others).toEqual([]);
  });

  it('takes the message of somebody outside once', async () => {
    const first = await follow(deliver);
    expect(first).toEqual({ messages: [{ id: '1', message_id: expect.any(Number), is_duplicate: false }] });
    expect(await follow(deliver)).toEqual({ messages: [{ ...first.messages[0], is_duplicate: true }] });
  });

  it('shows the answer in the mock log, in the form that the document has', async () => {
    const sent = await follow(answer);
    expect(sent).toMatchObject({ result: 'success', id: expect.any(Number) });
    const log = await follow(readLog);
    expect(log).toMatchObject({ total: 1, page: 1 });
    const [shown = ''] = blocksOf('What is sent', 'json');
    expect(log.items[0].payload).toEqual({
      ...JSON.parse(shown),
      id: expect.stringMatching(/^answer-\d+$/),
      sender_full_name: expect.any(String),
      message_id: sent.id,
      timestamp: expect.any(Number),
    });
  });

  it('has a proxy add the header that the server takes', () => {
    const [nginx = ''] = blocksOf('Connect WhatsApp', 'nginx');
    const [, header = ''] = /proxy_set_header (X-Webhook-\S+) /.exec(nginx) ?? [];
    expect(deliver).toContain(`'${header}: ${env.WEBHOOK_SECRET}'`);
    expect(nginx).toContain('location = /api/messaging/webhook');
  });
});
