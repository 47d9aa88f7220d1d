import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startParley } from '../../src/testing';
import { freePort } from '../support/free-port';
import { compiledServer } from '../support/compiled-server';
import { docBlocks } from '../support/doc-blocks';

// Processes take their time where other tests run beside.
jest.setTimeout(240_000);

const PAGE = 'docs/test-server.md';
const EXAMPLES = join(__dirname, '../../examples');

const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0;

if (!hasRequests) test.todo('the bot in Python: python3 or its package requests is not installed here');

/** What the page shows under a heading. */
function shown(section: string, language: string): string {
  const found = docBlocks(PAGE).find((block) => block.section === section && block.language === language);
  return found?.code ?? '';
}

describe('docs/test-server.md', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-page-'));
    // As npm installs it.
    const installed = join(folder, 'node_modules/parley');
    mkdirSync(installed, { recursive: true });
    cpSync(join(__dirname, '../../package.json'), join(installed, 'package.json'));
    symlinkSync(dirname(compiledServer()), join(installed, 'dist'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** @returns what node:test says of the tests in a file */
  async function runTests(file: string): Promise<string> {
    // Jest is none of what they run in.
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const child = spawn(process.execPath, ['--test', '--test-reporter', 'tap', file], { cwd: folder, env });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    await once(child, 'close');
    return output;
  }

  it('shows tests that pass', async () => {
    writeFileSync(join(folder, 'page.test.mjs'), shown('In Node', 'js'));
    const output = await runTests('page.test.mjs');
    expect(output).toMatch(/^# pass 3$/m);
    expect(output).toMatch(/^# fail 0$/m);
  });

  it('comes with a page about bots, whose bot passes the tests shown there', async () => {
    const blocks = docBlocks('docs/bots.md').filter(({ language }) => language === 'js');
    const one = (...sections: string[]) =>
      blocks.filter(({ section }) => sections.includes(section)).map(({ code }) => code);
    const chapters = ['First bot', 'Upload', 'Edit', 'React', 'Storage', 'Queues and restarts'];
    writeFileSync(join(folder, 'bot.mjs'), one(...chapters).join('\n'));
    writeFileSync(join(folder, 'bot.test.mjs'), one('Testing').join('\n'));
    const output = await runTests('bot.test.mjs');
    expect(output).toMatch(/^# pass 5$/m);
    expect(output).toMatch(/^# fail 0$/m);
  });

  (hasRequests ? it : it.skip)('has the same bot in Python, which passes the same tests', async () => {
    const blocks = docBlocks('docs/bots.md');
    copyFileSync(join(EXAMPLES, 'helper_bot.py'), join(folder, 'bot.py'));
    const tests = blocks.find(({ section }) => section === 'Testing')?.code ?? '';
    const inPython = tests.replace("process.execPath, ['bot.mjs'", "'python3', ['bot.py'");
    expect(inPython).not.toBe(tests);
    writeFileSync(join(folder, 'python.test.mjs'), inPython);
    const output = await runTests('python.test.mjs');
    expect(output).toMatch(/^# pass 5$/m);
    expect(output).toMatch(/^# fail 0$/m);
  });

  it.each([['Node', process.execPath], ...(hasRequests ? [['Python', 'python3']] : [])])(
    'comes with a webhook in %s that answers whoever has its token',
    async (language, program = '') => {
      const block = docBlocks('docs/bots.md').findLast(({ section }) => section === 'Webhook bot');
      const file = language === 'Node' ? join(folder, 'webhook.mjs') : join(EXAMPLES, 'webhook_bot.py');
      if (language === 'Node') writeFileSync(file, block?.code ?? '');
      const parley = await startParley({ inProcess: true });
      const PORT = await freePort();
      const caller = parley.people['caller']?.id ?? 0;
      const payload = `http://127.0.0.1:${PORT}/`;
      const alice = parley.as('alice');
      await alice.patch(`/bots/${caller}`, { service_payload_url: payload });
      const { realm_bots: bots } = (await alice.post('/register', {
        event_types: ['realm_bot'],
      })) as { ['realm_bots']: { user_id: number; services: { token: string }[] }[] };
      const TOKEN = bots.find(({ user_id }) => user_id === caller)?.services[0]?.token;
      const child = spawn(program, [file], { env: { ...process.env, PORT, TOKEN } });
      try {
        while ((await statusOf(payload)) === null && child.exitCode === null) await pause(20);
        await expect(statusOf(payload)).resolves.toBe(403);
        await alice.send({ to: [caller], content: 'hi' });
        await parley.settled();
        await expect(parley.expectMessage({ from: 'caller' })).resolves.toMatchObject({
          content: 'Alice Member said: hi',
        });
      } finally {
        child.kill();
        await parley.stop();
      }
    },
  );

  it('shows a world that can be made', async () => {
    const parley = await startParley({ inProcess: true });
    await parley.world(JSON.parse(shown('A world', 'json')) as Record<string, unknown>);
    expect(parley.as('zoe').email).toBe('zoe@example.com');
    await parley.stop();
  });

  it('names the cast, and the channels that they are in', async () => {
    const parley = await startParley({ inProcess: true });
    const owner = parley.as('olivia');
    const inChannels = new Map<string, string[]>();
    for (const channel of ['lobby', 'team', 'secret']) {
      const who = channel === 'secret' ? parley.as('alice') : owner;
      const { stream_id } = await who.get('/get_stream_id', { stream: channel });
      const { subscribers } = await who.get(`/streams/${Number(stream_id)}/members`);
      for (const [name, { id }] of Object.entries(parley.people)) {
        if ((subscribers as number[]).includes(id)) {
          inChannels.set(name, [...(inChannels.get(name) ?? []), channel]);
        }
      }
    }
    await parley.stop();
    const page = readFileSync(join(__dirname, '../..', PAGE), 'utf8');
    const table = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|.*\| ((?:`\w+`(?:, )?)+) \|$/gm)].flatMap(
      ([, names = '', channels = '']) => wordsIn(names).map((name) => [name, wordsIn(channels)] as const),
    );
    expect(new Map(table)).toEqual(inChannels);
  });
});

/** What an address answers to somebody without a token; null where nobody listens. */
async function statusOf(url: string): Promise<number | null> {
  return fetch(url, { method: 'POST', body: 'hello' }).then(
    ({ status }) => status,
    () => null,
  );
}

function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);
}
