import { reactivate } from '../support/deactivation';
import { createChannel } from '../support/channel-setup';
import type { Member } from '../support/cast';
import type { Answer } from '../support/api-client';
import { expectSuccess } from '../support/expect-answer';
import { fetchMessages } from '../support/message-setup';
import { addBot } from '../support/permissions/actors';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { callService, type ServiceCall } from '../support/webhooks/call-service';

const clock = new StoppedTimeOfDay();
let app: TestApp;
let owner: Member;
let bot: Member;
let log: string[];

beforeAll(async () => {
  log = [];
  app = await TestApp.start({ clock, log: { write: (line) => log.push(line) }, env: { LOG_LEVEL: 'info' } });
  owner = app.cast.mia;
  bot = await addBot(app, owner, 2);
});

afterAll(() => app.stop());

const call = (service: string, request: ServiceCall) => callService(app, bot, service, request);

const zap = (content: string, address: object = {}) =>
  call('zapier', { payload: { topic: 'zaps', content }, address: { ...address } });

/** The newest message that a reader has in a channel, or of all. */
async function newest(reader: Member, channel?: number, more = {}) {
  const narrow =
    channel === undefined ? [{ operator: 'is', operand: 'dm' }] : [{ operator: 'channel', operand: channel }];
  return expectSuccess(await fetchMessages(app, reader, narrow, more)).messages.at(-1);
}

let count = 0;
const newChannel = (parameters = {}) => createChannel(app, owner, `webhooks ${++count}`, parameters);

function expectRefusal(answer: Answer, status: number, msg: string, code = 'BAD_REQUEST'): void {
  expect(answer).toMatchObject({ status, body: { result: 'error', msg, code } });
}

describe('Who calls', () => {
  it('asks for a key in the address, whatever else is sent', async () => {
    const send = (query: string, headers = {}) =>
      app.client().send({
        method: 'POST',
        url: `/api/v1/external/json${query}`,
        headers: { 'content-type': 'application/json', ...headers },
        payload: '{}',
      });
    const { email, apiKey } = app.credentialsOf(bot);
    const basic = { authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` };
    for (const headers of [{}, basic]) {
      const answer = await send('', headers);
      expectRefusal(answer, 400, "Missing 'api_key' argument", 'REQUEST_VARIABLE_MISSING');
    }
    expectRefusal(await send('?api_key=short'), 401, 'Malformed API key', 'INVALID_API_KEY');
    expectRefusal(await send(`?api_key=${'a'.repeat(32)}`), 401, 'Invalid API key', 'INVALID_API_KEY');
  });

  it('takes keys of bots of every kind, and of nobody else', async () => {
    for (const kind of [1, 2, 3]) {
      const other = await addBot(app, owner, kind);
      expectSuccess(await callService(app, other, 'helloworld', { payload: {} }));
    }
    const refused = await callService(app, owner, 'helloworld', { payload: {} });
    expectRefusal(refused, 401, 'Invalid API key', 'INVALID_API_KEY');
  });

  it('follows keys that are made anew, and bots that go and come back', async () => {
    const other = await addBot(app, owner, 2);
    const { apiKey: key } = app.credentialsOf(other);
    const hello = (given: string) => callService(app, other, 'helloworld', { payload: {}, key: given });
    expectSuccess(await hello(` ${key} `));
    expectSuccess(await app.as(owner).post(`/bots/${other.id}/api_key/regenerate`));
    expectRefusal(await hello(key), 401, 'Invalid API key', 'INVALID_API_KEY');
    const { apiKey: fresh } = app.credentialsOf(other);
    expectSuccess(await hello(fresh));
    expectSuccess(await app.as(owner).delete(`/bots/${other.id}`));
    expectRefusal(await hello(fresh), 401, 'Account is deactivated', 'USER_DEACTIVATED');
    expectSuccess(await app.as(owner).post(`/users/${other.id}/reactivate`));
    expectSuccess(await hello(app.credentialsOf(other).apiKey));
  });

  it('does not answer browsers', async () => {
    const { apiKey } = app.credentialsOf(bot);
    const answer = await app
      .client()
      .send({ method: 'POST', url: `/json/external/json?api_key=${apiKey}`, payload: '{}' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('writes no key into the log', async () => {
    log.length = 0;
    expectSuccess(await call('helloworld', { payload: {} }));
    await call('json', { payload: '{' });
    await call('github', { payload: {} });
    const lines = log.join('');
    expect(lines).toContain('/api/v1/external/helloworld');
    expect(lines).not.toContain(app.credentialsOf(bot).apiKey);
  });

  it('refuses names that no service has', async () => {
    for (const name of ['nothing', 'constructor', '__proto__', 'toString', encodeURIComponent('a/../b')]) {
      expectRefusal(await call(name, { payload: {} }), 404, 'Unknown integration', 'NOT_FOUND');
    }
  });
});

describe('Where it goes', () => {
  it('is the owner of the bot, where no channel is named', async () => {
    expectSuccess(await zap('for you', { topic: 'not used' }));
    expect(await newest(owner)).toMatchObject({
      sender_id: bot.id,
      type: 'private',
      content: '<p>for you</p>',
      client: 'ZulipZapierWebhook',
    });
  });

  it('is a channel by its name or its ID, under the topic of the address or of the service', async () => {
    const id = await newChannel();
    for (const stream of [String(id), `webhooks ${count}`]) {
      expectSuccess(await zap('in the channel', { stream }));
      expect(await newest(owner, id)).toMatchObject({ subject: 'zaps', content: '<p>in the channel</p>' });
    }
    expectSuccess(await zap('elsewhere', { stream: String(id), topic: 'mine' }));
    expect(await newest(owner, id)).toMatchObject({ subject: 'mine' });
  });

  it('cuts topics and contents to what messages have', async () => {
    const id = await newChannel();
    const payload = { topic: 't'.repeat(500), content: 'c'.repeat(19_000) };
    expectSuccess(await call('zapier', { payload, address: { stream: String(id) } }));
    const { subject, content } = await newest(owner, id, { apply_markdown: false });
    expect(subject).toBe(`${'t'.repeat(57)}...`);
    expect(content).toHaveLength(10_000);
    expect(content.endsWith('\n[message truncated]')).toBe(true);
  });

  it('tells the owner of channels that are not there, once in a while', async () => {
    clock.aheadMs += 10 * 60_000;
    expectSuccess(await zap('lost', { stream: 'no such channel' }));
    expect((await newest(owner)).content).toContain('no such channel');
    expectRefusal(
      await zap('lost', { stream: '1999999' }),
      400,
      "Channel with ID '1999999' does not exist",
      'STREAM_DOES_NOT_EXIST',
    );
  });

  it('is only where the bot may write', async () => {
    const hidden = await createChannel(app, app.cast.olivia, 'hidden', { invite_only: true });
    expect((await zap('let me in', { stream: String(hidden) })).status).toBe(400);
    const announcements = await newChannel({
      can_send_message_group: { direct_members: [owner.id], direct_subgroups: [] },
    });
    const bots = await addBot(app, app.cast.olivia, 2);
    const refused = await callService(app, bots, 'zapier', {
      payload: { topic: 'a', content: 'b' },
      address: { stream: String(announcements) },
    });
    expect(refused.status).toBe(400);
    expectSuccess(await app.as(app.cast.olivia).delete(`/streams/${announcements}`));
    expect((await zap('too late', { stream: String(announcements) })).status).toBe(400);
  });

  it('is nowhere for a bot without an owner and a channel', async () => {
    const alone = await app.addAccount({
      deliveryEmail: 'alone-bot@example.com',
      fullName: 'Alone',
      isBot: true,
      botType: 2,
      role: 400,
    });
    const answer = await callService(app, alone, 'helloworld', { payload: {} });
    expectRefusal(
      answer,
      400,
      "This bot has no owner to write to. Name a channel by the parameter 'stream'.",
    );
  });
});

describe('What is sent', () => {
  it('is JSON, whatever it is declared to be, or JSON in a form', async () => {
    const types = [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/cloudevents+json',
    ];
    for (const type of types) {
      expectSuccess(await call('json', { payload: ' {"a": "b&c=%d"}', headers: { 'content-type': type } }));
    }
    const form = new FormData();
    form.set('payload', '{"from": "a form"}');
    const request = new Request('http://test.invalid/', { method: 'POST', body: form });
    const answer = await app.client().send({
      method: 'POST',
      url: `/api/v1/external/json?api_key=${app.credentialsOf(bot).apiKey}`,
      headers: { 'content-type': request.headers.get('content-type') as string },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    expectSuccess(answer);
    expect((await newest(owner, undefined, { apply_markdown: false })).content).toContain('"from": "a form"');
  });

  it.each([
    ['nothing', ''],
    ['half of it', '{"a":'],
    ['another encoding', Buffer.from([0x7b, 0xff, 0x7d])],
    ['too many levels', '['.repeat(100) + ']'.repeat(100)],
    ['too many values', `[${'[],'.repeat(130_000)}1]`],
    ['a key of all objects', '{"__proto__": {"a": 1}}'],
    ['words', 'hello'],
  ])('is refused where it is %s', async (_what, payload) => {
    const { apiKey } = app.credentialsOf(bot);
    const answer = await app.client().send({
      method: 'POST',
      url: `/api/v1/external/json?api_key=${apiKey}`,
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expectRefusal(answer, 400, 'Malformed JSON');
  });

  it('may be as large and as deep as bodies are', async () => {
    const id = await newChannel();
    const payload = `${'['.repeat(31)}${'1,'.repeat(119_000)}1${']'.repeat(31)}`;
    expectSuccess(await call('json', { payload, address: { stream: String(id) } }));
    const { content } = await newest(owner, id, { apply_markdown: false });
    expect(content).toMatch(/^```json\n\[\n[^]*…\n```$/);
  });

  it('is refused where it is not of the service', async () => {
    const answer = await call('jira', { payload: { a: 1 } });
    expectRefusal(
      answer,
      400,
      'Unable to parse request: Did Jira generate this event?',
      'ANOMALOUS_WEBHOOK_PAYLOAD',
    );
    expect(answer.body).toMatchObject({ webhook_name: 'Jira', field: 'webhookEvent' });
  });

  it('is not repeated where nobody knows the event', async () => {
    const answer = await call('github', {
      payload: { action: 'new' },
      headers: { 'X-GitHub-Event': 'security_advisory' },
    });
    expectRefusal(
      answer,
      200,
      "The 'security_advisory:new' event isn't currently supported by the GitHub webhook; ignoring",
      'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
    );
    expect(answer.body).toMatchObject({ webhook_name: 'GitHub', event_type: 'security_advisory:new' });
  });

  it('needs its header, of which the owner is told', async () => {
    const answer = await call('github', { payload: {} });
    expectRefusal(answer, 400, "Missing the HTTP event header 'X-GitHub-Event'", 'MISSING_HTTP_EVENT_HEADER');
    expect(answer.body).toMatchObject({ header: 'X-GitHub-Event', webhook_name: 'GitHub' });
    expect((await newest(owner)).content).toContain('GitHub');
  });

  it('answers those who wait for more', async () => {
    const auth = await call('zapier', { payload: { type: 'auth' } });
    expect(expectSuccess(auth)).toMatchObject({ full_name: bot.fullName, email: bot.email, id: bot.id });
    expect(expectSuccess(await call('slack_incoming', { payload: { text: 'hello' } }))).toMatchObject({
      ok: true,
    });
    const refused = await call('slack_incoming', {
      payload: { text: 'hello' },
      address: { stream: '1999999' },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { ok: false, error: "Channel with ID '1999999' does not exist" },
    });
  });
});

describe('Filters', () => {
  const star = (address: object) =>
    call('github', {
      headers: { 'X-GitHub-Event': 'star' },
      address: { ...address },
      payload: {
        action: 'created',
        repository: {
          name: 'kitchen',
          full_name: 'acme/kitchen',
          html_url: 'https://github.com/acme/kitchen',
        },
        sender: { login: 'ada' },
      },
    });

  it.each([
    [{ only_events: ['st*'] }, true],
    [{ only_events: ['push*', '[a-r]*'] }, false],
    [{ exclude_events: ['s?ar'] }, false],
    [{ only_events: ['star'], exclude_events: ['[!s]*'] }, true],
    [{ only_events: [] }, false],
  ])('%j', async (filter, isSaid) => {
    const id = await newChannel();
    expectSuccess(await star({ ...filter, stream: String(id) }));
    expect((await newest(owner, id))?.sender_id === bot.id).toBe(isSaid);
  });

  it('are lists of texts, and not endless', async () => {
    for (const only_events of ['star', [1], Array.from({ length: 101 }, () => 'a'), ['a'.repeat(300)]]) {
      expect((await star({ only_events })).status).toBe(400);
    }
  });
});

describe('What others wrote', () => {
  const lines = [
    '@**all** @*role:members* @**Mia Member** #**general>topic**',
    '/me leaves',
    '/poll Soup?',
    '``` \n</code></pre> ```',
    '[x](javascript:alert(1)) <https://x.org> ![x](/user_uploads/1/a/b/c.png)',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '# heading\n> quote\n1. list',
    '$$x$$ ~~gone~~ **bold** `code` &lt;b&gt; \\*',
    '\u202Egnp.exe\u0000\u0007',
  ];

  it('is shown as it is in a sentence, and does nothing', async () => {
    const id = await newChannel();
    for (const line of lines) {
      const payload = { featured_title: line, featured_url: line };
      expectSuccess(await call('helloworld', { payload, address: { stream: String(id) } }));
      const { content, flags } = await newest(owner, id);
      expect(content).not.toMatch(/<(?!\/?p>|a href="https:\/\/x\.org">|\/a>)/);
      expect(flags).not.toContain('mentioned');
      expect(flags).not.toContain('stream_wildcard_mentioned');
    }
  });

  it('cannot keep the rest from being told', async () => {
    const id = await newChannel();
    const strange = 'a\0b\ufffe\u{1fffe}\ud800 `c`';
    const payload = {
      action: 'opened',
      repository: { name: 'kitchen' },
      sender: { login: 'ada' },
      pull_request: {
        number: 1,
        title: strange,
        html_url: 'https://github.com/1',
        head: { ref: strange },
        base: { ref: `${'x'.repeat(299)}😀😀` },
        body: strange,
      },
    };
    const headers = { 'X-GitHub-Event': 'pull_request' };
    expectSuccess(await call('github', { payload, headers, address: { stream: String(id) } }));
    const { subject, content } = await newest(owner, id, { apply_markdown: false });
    expect(subject).toBe('kitchen / PR #1 a b \ufffd `c`');
    expect(content).toContain('from `` a b \ufffd `c` `` to `xxx');
  });

  it('mentions nobody where it is Markdown, and does not end its quotation', async () => {
    const id = await newChannel();
    const texts = [...lines, '```\nunfinished', '~~~ quote\n```js\nunfinished', '</blockquote>'];
    for (const body of texts) {
      const payload = {
        action: 'opened',
        repository: { name: 'kitchen' },
        sender: { login: 'ada' },
        issue: { number: 1, title: 'Soup', html_url: 'https://github.com/1', body },
      };
      const headers = { 'X-GitHub-Event': 'issues' };
      expectSuccess(await call('github', { payload, headers, address: { stream: String(id) } }));
      const { content, flags } = await newest(owner, id);
      expect(content).not.toMatch(/user-mention|user-group-mention|<img|javascript:[^<]*"/);
      expect(content).toMatch(/<\/blockquote>$/);
      expect(flags).not.toContain('mentioned');
      expect(flags).not.toContain('stream_wildcard_mentioned');
    }
  });

  it('cannot leave a block of code', async () => {
    const id = await newChannel();
    const payload = { a: '```\n````\n~~~', '@**all**': '`'.repeat(50) };
    expectSuccess(await call('json', { payload, address: { stream: String(id) } }));
    const { content } = await newest(owner, id);
    expect(content).toMatch(/^<div class="codehilite"[^]*<\/div>$/);
    expect(content).not.toContain('user-mention');
  });
});

describe('The organization', () => {
  it('tells clients which services there are', async () => {
    const { realm_incoming_webhook_bots: known } = expectSuccess(
      await app.as(owner).post('/register', { fetch_event_types: ['realm_incoming_webhook_bots'] }),
    );
    expect(known.find(({ name }: { name: string }) => name === 'github')).toMatchObject({
      display_name: 'GitHub',
      all_event_types: expect.arrayContaining(['push_commits', 'issues']),
      config_options: [],
      url_options: [],
    });
    expect(known.find(({ name }: { name: string }) => name === 'json').all_event_types).toBeNull();
  });

  it('is closed to services while it is deactivated', async () => {
    expectSuccess(await app.as(app.cast.olivia).post('/realm/deactivate'));
    const answer = await call('helloworld', { payload: {} });
    expectRefusal(answer, 401, 'This organization has been deactivated', 'REALM_DEACTIVATED');
    await app.behindTheInterface(() => reactivate(app));
    expectSuccess(await call('helloworld', { payload: {} }));
  });
});
