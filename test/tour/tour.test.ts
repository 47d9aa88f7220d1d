import { execFile, spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tables } from '../../src/app.module';
import { loadConfig } from '../../src/platform/config/load-config';
import { databaseOptions } from '../../src/platform/database/database.options';
import { compiledServer } from '../support/compiled-server';
import { databaseContent } from '../support/database-content';
import { docBlocks } from '../support/doc-blocks';
import { freePort } from '../support/free-port';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);

/** The blocks of code of one language in "Try it" of the README and in docs/tour.md, as they stand there. */
function tourBlocks(language: 'sh' | 'js' | 'text'): string[] {
  const start = docBlocks('README.md').filter(({ section }) => section === 'Try it');
  return [...start, ...docBlocks('docs/tour.md')]
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const withCurl = hasCurl ? it : it.skip;
const unlessMissing = hasCurl ? '' : ' (skipped: curl is not installed here)';

// Building takes its time where other tests run beside.
jest.setTimeout(300_000);

describe('the tour', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let server: ServerProcess;

  /** The server runs in a folder of its own, with the default `DATA_DIR` in it. */
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-tour-')));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { DATA_DIR: _, ...choice } = database.env;
    env = { ...choice, PORT: await freePort() };
    await start();
  });

  afterAll(async () => {
    await stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    server = new ServerProcess([compiledServer()], { env, folder });
    await server.ready();
  }

  async function stop(): Promise<void> {
    server.signal('SIGTERM');
    await server.exitCode();
  }

  const inDataFolder = (name: string) => join(folder, 'data', name);

  it('finds a zuliprc that only its owner can read', () => {
    expect(readFileSync(inDataFolder('zuliprc'), 'utf8')).toMatch(
      new RegExp(`^\\[api\\]\\nemail=\\S+@\\S+\\nkey=\\w{32}\\nsite=http://127\\.0\\.0\\.1:${env.PORT}\\n$`),
    );
    expect(statSync(inDataFolder('zuliprc')).mode & 0o777).toBe(0o600);
    expect(server.output).toContain(inDataFolder('zuliprc'));
  });

  withCurl(`works with curl${unlessMissing}`, async () => {
    const script = tourBlocks('sh').join('');
    const { stdout, stderr } = await run('bash', ['-e', '-c', script], { cwd: folder });
    const lines = stdout.trim().split('\n');
    const [madeChannel, sent, invitedBot, topics, ...more] = lines.map((line) => JSON.parse(line));
    const [owner = '', bot = ''] = [madeChannel, invitedBot].flatMap((answer) =>
      Object.keys(answer.subscribed),
    );
    const subscribed = { result: 'success', msg: '', already_subscribed: {} };
    expect(madeChannel).toMatchObject({ ...subscribed, subscribed: { [owner]: ['lunch'] } });
    expect(invitedBot).toMatchObject({ ...subscribed, subscribed: { [bot]: ['lunch'] } });
    expect(bot).not.toBe(owner);
    expect(sent).toMatchObject({ result: 'success', msg: '', id: expect.any(Number) });
    expect(topics).toEqual({ result: 'success', msg: '', topics: [{ name: 'Tuesday', max_id: sent.id }] });
    expect([more, stderr]).toEqual([[], '']);
  });

  withCurl(`works with zulip-js after that${unlessMissing}`, async () => {
    const [program = ''] = tourBlocks('js');
    writeFileSync(join(folder, 'tour.js'), program);
    const { stdout, stderr } = await run(process.execPath, ['tour.js'], { cwd: folder });
    expect([stdout, stderr]).toEqual([...tourBlocks('text'), '']);
  });

  it('has blocks for curl, for zulip-js and for what that prints', () => {
    expect((['sh', 'js', 'text'] as const).map((language) => tourBlocks(language).length)).toEqual([3, 1, 1]);
  });

  it('leaves everything as it was when the server starts again', async () => {
    const options = databaseOptions(loadConfig({ ...env, DATA_DIR: join(folder, 'data') }), tables);
    const content = async () => {
      // The full-text index follows what is written, in the background.
      const tables = Object.entries(await databaseContent(options));
      const compared = tables.filter(([name]) => !name.includes('search') && name !== 'event_log_head');
      return Object.fromEntries(
        compared.map(([name, rows]) => [name, rows.filter((row) => !isOfStart(row))]),
      );
    };
    // Clients are told of each start.
    const isOfStart = (row: string) => /"type":"restart"|"key":"generation"/.test(row);
    const files = () => ['zuliprc', 'secret'].map((name) => readFileSync(inDataFolder(name), 'utf8'));
    await stop();
    const before = { content: await content(), files: files() };
    await start();
    const secondOutput = server.output;
    await stop();
    expect({ content: await content(), files: files() }).toEqual(before);
    expect(secondOutput).not.toContain('New organization.');
    expect(before.content.message?.filter((message) => message.includes('Welcome!'))).toHaveLength(1);
  });
});
