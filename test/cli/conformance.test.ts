import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import { checksFor, examine } from '../../src/conformance/conformance';
import { type Parley, startParley } from '../../src/testing';
import { CommandLine, type CommandOutcome } from '../support/command-line';
import { type Misbehaviour, SpoilingProxy } from '../support/spoiling-proxy';
import { TestApp } from '../support/test-app';

// Processes take their time where other tests run beside.
jest.setTimeout(240_000);

interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly left_over: readonly string[];
  readonly checks: readonly { topic: string; name: string; outcome: string; explanation: string | null }[];
}

const REPORT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['url', 'feature_level', 'passed', 'failed', 'skipped', 'left_over', 'checks'],
  properties: {
    url: { type: 'string' },
    feature_level: { type: 'integer' },
    passed: { type: 'integer' },
    failed: { type: 'integer' },
    skipped: { type: 'integer' },
    left_over: { type: 'array', items: { type: 'string' } },
    checks: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['topic', 'name', 'reason', 'outcome', 'explanation', 'seconds'],
        properties: {
          topic: { type: 'string', minLength: 1 },
          name: { type: 'string', minLength: 1 },
          reason: { type: 'string', minLength: 1 },
          outcome: { enum: ['passed', 'failed', 'skipped'] },
          explanation: { type: ['string', 'null'] },
          seconds: { type: 'number', minimum: 0 },
        },
      },
    },
  },
};

describe('parley conformance', () => {
  const line = new CommandLine({});
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-conformance-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** @returns the outcome of the command, and both reports */
  async function examined(
    { url, email, apiKey }: { url: string; email: string; apiKey: string },
    ...more: string[]
  ): Promise<CommandOutcome & { report: Report; junit: string }> {
    const [json, junit] = [join(folder, 'report.json'), join(folder, 'report.xml')];
    const args = [
      '--url',
      url,
      '--owner',
      email,
      '--owner-key',
      '-',
      '--json',
      json,
      '--junit',
      junit,
      ...more,
    ];
    const outcome = await line.run(['conformance', ...args], `${apiKey}\n`);
    return {
      ...outcome,
      report: JSON.parse(readFileSync(json, 'utf8')) as Report,
      junit: readFileSync(junit, 'utf8'),
    };
  }

  it('finds that this server does all of it, on either engine', async () => {
    const app = await TestApp.start({ withoutLaw: 'its clients are in another process' });
    await app.nest.listen(0, '127.0.0.1');
    const owner = app.credentialsOf(app.cast.olivia);
    const { exitCode, output, report, junit } = await examined({ url: await app.nest.getUrl(), ...owner });
    await app.stop();
    expect(report.checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(report).toMatchObject({ failed: 0, left_over: [] });
    expect(report.passed).toBeGreaterThan(350);
    expect(report.checks).toHaveLength(checksFor().length);
    expect(output).toContain(`${report.passed} passed, 0 failed, ${report.skipped} skipped.`);
    expect(exitCode).toBe(0);
    expect(new Ajv().validate(REPORT_SCHEMA, report)).toBe(true);
    expect(casesOf(junit)).toHaveLength(report.checks.length);
  });

  describe('at a server that can be broken', () => {
    let parley: Parley;

    beforeAll(async () => {
      parley = await startParley({ inProcess: true });
    });

    beforeEach(() => parley.reset());

    afterAll(() => parley.stop());

    const access = (url = parley.url) => {
      const { email, apiKey } = parley.as('olivia');
      return { url, email, apiKey };
    };

    it('takes back what it made', async () => {
      const { report } = await examined(access());
      expect(report).toMatchObject({ failed: 0, left_over: [] });
      const state = await parley.as('olivia').post('/register');
      const named = JSON.stringify([
        state['subscriptions'],
        state['streams'],
        state['realm_users'],
        state['realm_linkifiers'],
        state['realm_playgrounds'],
        state['drafts'],
        state['scheduled_messages'],
        state['saved_snippets'],
        state['alert_words'],
        state['realm_user_groups'],
      ]);
      expect(named).not.toMatch(/conformance/i);
      await expect(parley.as('olivia').get('/attachments')).resolves.toMatchObject({ attachments: [] });
    });

    it('finds requests that fail', async () => {
      await parley.fault({ path: '/messages/*/reactions', method: 'DELETE', status: 500 });
      const { exitCode, report, output, junit } = await examined(access(), '--only', 'reactions:');
      expect(exitCode).toBe(1);
      const failed = namesOf(report, 'failed');
      expect(failed).toEqual([
        'removes a reaction',
        'sends events about both',
        'takes an emoji by its code',
        'refuses to remove what is not there',
      ]);
      expect(namesOf(report, 'passed')).toContain('adds a reaction');
      expect(output).toContain('FAIL  reactions: removes a reaction');
      expect(output).toContain('got 500');
      expect(casesOf(junit).filter((each) => each.includes('<failure message="'))).toHaveLength(
        failed.length,
      );
    });

    it('finds answers that never come', async () => {
      await parley.fault({ path: '/drafts', method: 'POST', cut: 'after' });
      const { exitCode, report } = await examined(access(), '--only', 'drafts');
      expect(exitCode).toBe(1);
      expect(namesOf(report, 'failed')).toContain('keeps, changes and removes a draft');
    });

    it('finds what is wrong with answers', async () => {
      const backwards: Misbehaviour = {
        answers: (answer, { route }) =>
          route === 'GET /messages'
            ? {
                ...answer,
                body: { ...answer.body, messages: (answer.body['messages'] as object[]).toReversed() },
              }
            : answer,
      };
      const proxy = await SpoilingProxy.start(parley.url, backwards);
      const { exitCode, report } = await examined(access(proxy.url), '--only', 'in the order');
      await proxy.stop();
      expect(exitCode).toBe(1);
      expect(namesOf(report, 'failed')).toEqual(['gives messages in the order of their IDs']);
    });

    it('says what could not be taken back', async () => {
      await parley.fault({ path: '/streams/*', method: 'DELETE', status: 400 });
      const { errors, report } = await examined(access(), '--only', 'knows who asks');
      expect(report.left_over).toEqual([
        expect.stringMatching(/^(streams|subscriptions): .*conformance/),
        expect.any(String),
      ]);
      expect(errors).toContain('Could not be taken back: ');
    });
  });

  it('skips what an older server cannot have', async () => {
    const parley = await startParley({ inProcess: true, level: 278 });
    const { email, apiKey } = parley.as('olivia');
    const { exitCode, report } = await examined(
      { url: parley.url, email, apiKey },
      '--only',
      'saved snippets',
    );
    await parley.stop();
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ passed: 0, failed: 0, skipped: 2 });
    expect(report.checks[0]?.explanation).toBe('The server is at level 278, and this came with 297.');
  });

  it.each([237, 278, 372, 421, 496])(
    'finds that this server does all of it as at level %d',
    async (level) => {
      const parley = await startParley({ inProcess: true, level });
      const { email, apiKey } = parley.as('olivia');
      const { results } = await examine({ url: parley.url, email, apiKey });
      await parley.stop();
      expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(330);
    },
  );

  it('names checks and their reasons', async () => {
    const { exitCode, output } = await line.run(['conformance', '--list', '--only', 'REACTIONS: adds']);
    expect([exitCode, output]).toEqual([0, 'reactions: adds a reaction\n      The message has it.\n']);
    const names = checksFor().map(({ topic, name }) => `${topic}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('refuses what it cannot begin with', async () => {
    await expect(line.run(['conformance'])).resolves.toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('--url, --owner and --owner-key are needed'),
    });
    const nowhere = ['--url', 'http://127.0.0.1:9', '--owner', 'a@example.com', '--owner-key', 'x'];
    await expect(line.run(['conformance', ...nowhere])).resolves.toMatchObject({ exitCode: 1, output: '' });
    await expect(line.run(['conformance', '--url', 'ftp://x'])).resolves.toMatchObject({ exitCode: 2 });
    const parley = await startParley({ inProcess: true });
    const { email, apiKey } = parley.as('alice');
    const member = ['--url', parley.url, '--owner', email, '--owner-key', apiKey];
    const outcome = await line.run(['conformance', ...member]);
    await parley.stop();
    expect(outcome).toMatchObject({ exitCode: 1, errors: `${email} is not an owner of the organization.\n` });
  });
});

function namesOf({ checks }: Report, wanted: string): string[] {
  return checks.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);
}

/** The test cases of a JUnit report, each as it stands there. @throws Error where the XML is not well-formed */
function casesOf(xml: string): string[] {
  const open: string[] = [];
  expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /);
  const tag = /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|<\?.*\?>/g;
  // Between tags there is nothing but text, in which every special character is escaped.
  for (const text of xml.split(tag).join('').split('\n'))
    expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#10);)/);
  for (const [, closes, name = '', , isEmpty] of xml.matchAll(tag)) {
    if (name === '' || isEmpty) continue;
    if (closes) expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
  return xml.match(/<testcase [^>]*(?:\/>|>.*<\/testcase>)/g) ?? [];
}
