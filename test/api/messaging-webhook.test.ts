import { CheckDatabaseService } from '../../src/features/operations/integrity/check-database.service';
import { ExpireMessagingService } from '../../src/features/integrations/messaging-bridge/expire-messaging.service';
import { channelId, channelRecord, createChannel, subscribersOf } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendTo } from '../support/message-setup';
import {
  APP_SECRET,
  deliver,
  formDelivery,
  messagesIn,
  signed,
  VERIFY_TOKEN,
  WEBHOOK_SECRET,
  whatsappDelivery,
  whatsappMessage,
} from '../support/messaging-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { Random } from '../support/random';
import { TestApp } from '../support/test-app';

const clock = new StoppedTimeOfDay();
let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({
    clock,
    env: { WEBHOOK_SECRET, WEBHOOK_VERIFY_TOKEN: VERIFY_TOKEN },
  });
});

afterAll(() => app.stop());

const inTopic = async (topic: string) =>
  (await messagesIn(app, app.cast.olivia)).filter(({ subject }) => subject === topic);

describe('The webhook', () => {
  it.each([
    ['no secret', {}],
    ['another secret', { 'x-webhook-secret': 'another' }],
    ['an empty secret', { 'x-webhook-secret': '' }],
    ['a longer secret', { 'x-webhook-secret': `${WEBHOOK_SECRET}x` }],
    ['the secret as a token', { authorization: `Bearer ${WEBHOOK_SECRET}` }],
  ])('refuses %s, whatever the body is [COMP-webhook-secret, AUTH-10e]', async (_what, headers) => {
    for (const body of [formDelivery(), '{"a":', '']) {
      const answer = await app.companion().post('/messaging/webhook', body, headers);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ detail: 'X-Webhook-Secret is missing or wrong' });
      expect(answer.headers['www-authenticate']).toBeDefined();
    }
  });

  it('refuses everybody while there is no secret, and every handshake without a token [COMP-webhook-unset, COMP-handshake-token, ERR-handshake]', async () => {
    const closed = await TestApp.start();
    try {
      for (const secret of ['', 'null', 'undefined', WEBHOOK_SECRET]) {
        const answer = await deliver(closed, formDelivery(), { 'x-webhook-secret': secret });
        expect(answer.status).toBe(401);
      }
      for (const token of ['', '&hub.verify_token=', '&hub.verify_token=null']) {
        const path = `/messaging/webhook?hub.mode=subscribe&hub.challenge=1${token}`;
        expect((await closed.companion().get(path)).status).toBe(403);
      }
    } finally {
      await closed.stop();
    }
  });

  it('turns a delivery into a message in the channel, in the topic of the sender [COMP-webhook-message]', async () => {
    const delivery = formDelivery({ from: 'Alice', text: 'Where **are** you?' });
    const answer = await deliver(app, delivery);
    expect(answer).toMatchObject({
      status: 200,
      body: { messages: [{ id: delivery.id, is_duplicate: false }] },
    });
    const [message] = await inTopic('Alice');
    expect(message).toMatchObject({
      id: answer.body.messages[0].message_id,
      content: 'Where **are** you?',
      sender_full_name: 'Messaging Bridge',
    });
    const second = await deliver(app, formDelivery({ from: 'Alice', text: 'Hello?' }));
    expect((await inTopic('Alice')).map(({ id }) => id)).toEqual([
      message?.id,
      second.body.messages[0].message_id,
    ]);
  });

  it('tells clients everything that they have to know', async () => {
    const fresh = await TestApp.start({ env: { WEBHOOK_SECRET } });
    try {
      await fresh.expectLaw(async () => {
        await deliver(fresh, formDelivery({ from: 'Ann', text: '@**all** [f](/user_uploads/1/aa/bb.png)' }));
        await sendTo(fresh, fresh.cast.olivia, 'messaging', 'Ann', 'hi');
      });
    } finally {
      await fresh.stop();
    }
  });

  it('makes its channel: private, with those who run the organization in it', async () => {
    const { olivia, adam } = app.cast;
    await deliver(app, formDelivery());
    const id = await channelId(app, 'messaging');
    expect(await channelRecord(app, id)).toMatchObject({ invite_only: true, is_web_public: false });
    expect(await subscribersOf(app, id)).toEqual([olivia.id, adam.id]);
  });

  it('posts a message once, however often it is delivered [COMP-webhook-once]', async () => {
    const delivery = formDelivery({ from: 'Repeater' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(app, delivery)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const posted = answers.map(({ body }) => body.messages[0]);
    expect(new Set(posted.map(({ message_id }) => message_id)).size).toBe(1);
    expect(posted.filter(({ is_duplicate }) => !is_duplicate)).toHaveLength(1);
    expect(await inTopic('Repeater')).toHaveLength(1);
    // Also with another text, in another spelling of the number, and after the message was deleted.
    await deliver(app, { ...delivery, text: 'other' });
    const { olivia } = app.cast;
    expectSuccess(await app.as(olivia).delete(`/messages/${posted[0].message_id}`));
    expect((await deliver(app, delivery)).body.messages[0].is_duplicate).toBe(true);
    expect(await inTopic('Repeater')).toHaveLength(0);
  });

  it('knows a message for a month', async () => {
    const delivery = formDelivery({ from: 'Old' });
    await deliver(app, delivery);
    clock.aheadMs += 29 * 86_400_000;
    await app.get(ExpireMessagingService).expire();
    expect((await deliver(app, delivery)).body.messages[0].is_duplicate).toBe(true);
    clock.aheadMs += 2 * 86_400_000;
    await app.get(ExpireMessagingService).expire();
    expect((await deliver(app, delivery)).body.messages[0].is_duplicate).toBe(false);
    clock.aheadMs = 0;
  });

  it('gives every sender a topic, when all write for the first time at once [COMP-webhook-topics]', async () => {
    const senders = ['Crowd', 'crowd', 'CROWD', ' crowd\u200B', 'x'.repeat(70), 'x'.repeat(71)];
    const deliveries = senders.flatMap((from) =>
      [0, 1, 2].map(() => formDelivery({ from, text: from.trim() })),
    );
    const answers = await Promise.all(deliveries.map((delivery) => deliver(app, delivery)));
    expect(answers.map(({ status }) => status)).toEqual(deliveries.map(() => 200));
    const topics = new Map<string, Set<string>>();
    for (const { subject, content } of await messagesIn(app, app.cast.olivia)) {
      if (!senders.some((from) => from.trim() === content)) continue;
      expect(Array.from(subject).length).toBeLessThanOrEqual(60);
      topics.set(subject.toLowerCase(), (topics.get(subject.toLowerCase()) ?? new Set()).add(content));
    }
    expect([...topics.values()].map(({ size }) => size)).toEqual(senders.map(() => 1));
  });

  it('never takes a topic in which people talk', async () => {
    const { olivia } = app.cast;
    await deliver(app, formDelivery());
    await sendTo(app, olivia, 'messaging', 'Incident 42', 'among us');
    await deliver(app, formDelivery({ from: 'incident 42', text: 'from outside' }));
    expect(await inTopic('Incident 42')).toHaveLength(1);
    const [message] = (await messagesIn(app, olivia)).filter(({ content }) => content === 'from outside');
    expect(message?.subject).toMatch(/^incident 42 #[0-9a-f]{8}$/);
  });

  it.each(['(no topic)', 'general chat', '\u200B'])('does not take %j for no topic', async (from) => {
    await deliver(app, formDelivery({ from, text: `from ${from}` }));
    const [message] = (await messagesIn(app, app.cast.olivia)).filter(
      ({ content }) => content === `from ${from}`,
    );
    expect(message?.subject).toMatch(/#[0-9a-f]{8}$/);
  });

  it('follows its topic where people rename or move it, and begins a new one once it is gone', async () => {
    const { olivia } = app.cast;
    const first = await deliver(app, formDelivery({ from: 'Mover' }));
    const messageId = first.body.messages[0].message_id;
    const change = (parameters: object) =>
      app.as(olivia).patch(`/messages/${messageId}`, { propagate_mode: 'change_all', ...parameters });
    expectSuccess(await change({ topic: '✔ Mover' }));
    await deliver(app, formDelivery({ from: 'Mover', text: 'second' }));
    expect((await inTopic('✔ Mover')).at(0)).toMatchObject({ id: messageId });
    expect((await inTopic('✔ Mover')).map(({ content }) => content)).toContain('second');
    // Into a topic of others: what is said there is none of the sender's business.
    await sendTo(app, olivia, 'messaging', 'internal', 'among us');
    expectSuccess(await change({ topic: 'internal' }));
    await deliver(app, formDelivery({ from: 'Mover', text: 'third' }));
    expect((await inTopic('Mover')).map(({ content }) => content)).toEqual(['third']);
    expect((await inTopic('internal')).map(({ content }) => content)).not.toContain('third');
  });

  it('lets outsiders mention nobody [COMP-webhook-mentions]', async () => {
    const { adam, olivia } = app.cast;
    const text = `@**all** @**topic** @**${adam.fullName}** @**${adam.fullName}|${adam.id}** @_**${adam.fullName}** @*administrators* #**messaging**`;
    const answer = await deliver(app, formDelivery({ text }));
    const id = answer.body.messages[0].message_id;
    for (const reader of [adam, olivia]) {
      const message = await fetchMessage(app, reader, id);
      expect(message.flags).toEqual([]);
      expect(message.content).not.toMatch(/mention|data-user|data-stream/);
      expect(message.content).toContain('@<strong>all</strong>');
    }
    expect(await fetchMessage(app, adam, id, { apply_markdown: false })).toMatchObject({ content: text });
  });

  it('cuts what is too long as sending does, and stores every character', async () => {
    await deliver(app, formDelivery({ from: 'Long', text: '😀'.repeat(20_000) }));
    const [message] = await inTopic('Long');
    expect(Array.from(message?.content ?? '')).toHaveLength(10_000);
    expect(message?.content).toMatch(/\n\[message truncated\]$/);
    await deliver(app, formDelivery({ from: 'Long', text: 'a\u0007\u2028\uFFFF\u202E<b>' }));
    expect((await inTopic('Long')).at(-1)?.content).toBe('a\u0007\u2028\uFFFF\u202E<b>');
  });

  it('says when a message was written that comes late', async () => {
    await deliver(app, formDelivery({ from: 'Late', text: 'a', timestamp: 1_700_000_000 }));
    await deliver(app, formDelivery({ from: 'Late', text: 'b', timestamp: '1700000000' }));
    await deliver(app, formDelivery({ from: 'Late', text: 'c', timestamp: 1_700_000_000_123 }));
    await deliver(app, formDelivery({ from: 'Late', text: 'd', timestamp: '2023-11-14T22:13:20Z' }));
    await deliver(app, formDelivery({ from: 'Late', text: 'e', timestamp: 12 }));
    const written = '*Written <time:2023-11-14T22:13:20.000Z>:*\n\n';
    expect((await inTopic('Late')).map(({ content }) => content)).toEqual([
      ...['a', 'b', 'c', 'd'].map((text) => `${written}${text}`),
      'e',
    ]);
  });

  it.each([
    ['nothing', {}, 'missing'],
    ['a list', [], 'dict_type'],
    ['a text', '"hello"', 'dict_type'],
    ['null', 'null', 'dict_type'],
    ['no sender', { text: 'a', id: '1', timestamp: 1 }, 'missing'],
    ['no time', { from: 'a', text: 'a', id: '1' }, 'missing'],
    ['an unknown key', { ...formDelivery(), more: 1 }, 'extra_forbidden'],
    ['a number for a text', formDelivery({ text: 1 }), 'string_type'],
    ['a blank text', formDelivery({ text: ' \n' }), 'value_error'],
    ['a blank sender', formDelivery({ from: '  ' }), 'value_error'],
    ['a sender with controls', formDelivery({ from: 'a\nb' }), 'value_error'],
    ['a NUL', formDelivery({ text: 'a\0' }), 'string_unicode'],
    ['half a character', formDelivery({ text: '\uD800' }), 'string_unicode'],
    ['a long ID', formDelivery({ id: 'x'.repeat(257) }), 'value_error'],
    ['a list of IDs', formDelivery({ id: ['1'] }), 'string_type'],
    ['a time that is none', formDelivery({ timestamp: 'yesterday' }), 'float_type'],
    ['a negative time', formDelivery({ timestamp: -1 }), 'greater_than_equal'],
    ['another object', { object: 'page', entry: [] }, 'enum'],
    ['no entries', { object: 'whatsapp_business_account' }, 'list_type'],
    ['an entry that is none', { entry: [1] }, 'dict_type'],
    ['no changes', { entry: [{}] }, 'list_type'],
    ['no value', { entry: [{ changes: [{}] }] }, 'dict_type'],
    ['messages that are none', { entry: [{ changes: [{ value: { messages: {} } }] }] }, 'list_type'],
    ['a message without ID', whatsappDelivery([whatsappMessage({ id: undefined })]), 'string_type'],
    ['a message without sender', whatsappDelivery([whatsappMessage({ from: 5 })]), 'string_type'],
    ['a message without time', whatsappDelivery([whatsappMessage({ timestamp: {} })]), 'value_error'],
    ['too many', whatsappDelivery(Array.from({ length: 1001 }, () => whatsappMessage())), 'too_long'],
  ])('refuses %s and does nothing [COMP-webhook-shapes]', async (_what, body, type) => {
    const before = await messagesIn(app, app.cast.olivia);
    const answer = await deliver(app, body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.map((problem: { type: string }) => problem.type)).toContain(type);
    expect(answer.body.detail[0].loc[0]).toBe('body');
    // In words: nobody reads the pattern that did not fit.
    expect(JSON.stringify(answer.body)).not.toMatch(/regular expression|specified constraints/);
    expect(await messagesIn(app, app.cast.olivia)).toEqual(before);
  });

  it('refuses what is no JSON, what is too deep, and what is too large', async () => {
    expect((await deliver(app, '{"from": ')).status).toBe(400);
    expect((await deliver(app, '')).status).toBe(400);
    expect((await deliver(app, '{"__proto__": {}}')).status).toBe(400);
    expect((await deliver(app, '['.repeat(1_000_000))).status).toBe(400);
    expect((await deliver(app, `{"entry":${'[{"changes":'.repeat(100_000)}`)).status).toBe(400);
    expect((await deliver(app, JSON.stringify(formDelivery({ text: 'x'.repeat(5_000_000) })))).status).toBe(
      413,
    );
    expect((await deliver(app, 'from=a', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await deliver(app, undefined)).status).toBe(415);
    expect((await app.companion().call('DELETE', '/messaging/webhook')).status).toBe(405);
  });

  it('never fails, whatever it is sent', async () => {
    const random = new Random(20261121);
    const values = [null, true, 0, -1, 1e300, '', 'x', '\0', [], {}, [null], { a: 1 }, '1', 'text', [[]]];
    const mutated = (given: unknown): unknown => {
      if (random.chance(12)) return random.of(values);
      if (Array.isArray(given)) return given.map(mutated);
      if (typeof given !== 'object' || given === null) return given;
      return Object.fromEntries(Object.entries(given).map(([key, each]) => [key, mutated(each)]));
    };
    for (let round = 0; round < 400; round++) {
      const valid =
        round % 2 === 0
          ? formDelivery()
          : whatsappDelivery([whatsappMessage({ from: '7' }), whatsappMessage({ from: '7' })]);
      const { status } = await deliver(app, JSON.stringify(mutated(valid)));
      expect([200, 400, 422]).toContain(status);
    }
  });
});

describe('A delivery of WhatsApp', () => {
  it('brings several messages of people with names [COMP-webhook-whatsapp]', async () => {
    const messages = [whatsappMessage({ text: { body: 'one' } }), whatsappMessage({ text: { body: 'two' } })];
    const answer = await deliver(app, whatsappDelivery([...messages, messages[0] as object]));
    expect(answer.status).toBe(200);
    expect(answer.body.messages.map(({ id, is_duplicate }: never) => [id, is_duplicate])).toEqual([
      [messages[0]?.id, false],
      [messages[1]?.id, false],
      [messages[0]?.id, true],
    ]);
    const topic = await inTopic('Kerry Fisher (+49151123)');
    expect(topic.map(({ content }) => content)).toEqual(['one', 'two']);
  });

  it('shows what is no text as what it is', async () => {
    const kinds = [
      { type: 'image', image: { id: '1', mime_type: 'image/jpeg', caption: 'Look' } },
      { type: 'document', document: { filename: 'bill.pdf', caption: 'The bill' } },
      { type: 'audio', audio: { id: '1' } },
      { type: 'location', location: { latitude: 52.5, longitude: 13.4, name: 'Here' } },
      {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Ann' } }, { name: { formatted_name: 'Bob' } }],
      },
      { type: 'reaction', reaction: { message_id: 'x', emoji: '👍' } },
      { type: 'button', button: { text: 'Yes' } },
      { type: 'interactive', interactive: { type: 'list_reply', list_reply: { title: 'Tuesday' } } },
      { type: 'unsupported', errors: [{ code: 131051 }] },
      { type: 'constructor' },
      { type: 'text', text: { body: '' } },
    ];
    await deliver(app, whatsappDelivery(kinds.map((kind) => whatsappMessage({ from: '2', ...kind }))));
    expect((await inTopic('+2')).map(({ content }) => content)).toEqual([
      '[image] Look',
      '[document] bill.pdf: The bill',
      '[audio]',
      '[location] Here, 52.5, 13.4',
      '[contacts] Ann, Bob',
      '[reaction] 👍',
      'Yes',
      'Tuesday',
      '[unsupported]',
      '[constructor]',
      '[text]',
    ]);
  });

  it('that says what became of messages is taken and brings none', async () => {
    const before = await messagesIn(app, app.cast.olivia);
    const value = { statuses: [{ id: 'wamid.x', status: 'read' }] };
    const delivery = {
      object: 'whatsapp_business_account',
      entry: [{ changes: [{ field: 'messages', value }] }],
    };
    expect(await deliver(app, delivery)).toMatchObject({ status: 200, body: { messages: [] } });
    const template = { entry: [{ changes: [{ field: 'message_template_status_update', value: 1 }] }] };
    expect(await deliver(app, template)).toMatchObject({ status: 200, body: { messages: [] } });
    expect(await messagesIn(app, app.cast.olivia)).toEqual(before);
  });

  it('needs its own signature too where there is a secret for it [COMP-webhook-signature]', async () => {
    const strict = await TestApp.start({ env: { WEBHOOK_SECRET, WEBHOOK_APP_SECRET: APP_SECRET } });
    try {
      // Not as JSON.stringify would write it: the bytes count.
      const body = `\n${JSON.stringify(whatsappDelivery([whatsappMessage({ text: { body: 'ü' } })]), null, 3)} `;
      const { 'x-hub-signature-256': signature } = signed(body);
      for (const headers of [
        {},
        { 'x-hub-signature-256': 'sha256=' },
        { 'x-hub-signature-256': signature.slice(7) },
        { 'x-hub-signature-256': signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
        signed(`${body} `),
      ]) {
        const answer = await deliver(strict, body, headers);
        expect(answer.status).toBe(401);
        expect(answer.body).toEqual({ detail: 'X-Hub-Signature-256 is missing or wrong' });
      }
      const alone = await strict.companion().post('/messaging/webhook', body, signed(body));
      expect(alone.body.detail).toBe('X-Webhook-Secret is missing or wrong');
      expect((await deliver(strict, body, signed(body))).status).toBe(200);
      expect((await deliver(strict, formDelivery())).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });
});

describe('A signature of the plain form', () => {
  it('is not needed, and checked where there is one, so that a proxy may let in what is signed [COMP-webhook-signature]', async () => {
    const strict = await TestApp.start({ env: { WEBHOOK_SECRET, WEBHOOK_APP_SECRET: APP_SECRET } });
    try {
      const body = JSON.stringify(formDelivery());
      for (const signature of ['sha256=', '', signed(`${body} `)['x-hub-signature-256']]) {
        const answer = await deliver(strict, body, { 'x-hub-signature-256': signature });
        expect(answer.status).toBe(401);
        expect(answer.body).toEqual({ detail: 'X-Hub-Signature-256 is missing or wrong' });
      }
      expect((await deliver(strict, body, signed(body))).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });
});

describe('The channel of the bridge', () => {
  it('may be there, and may be renamed', async () => {
    const other = await TestApp.start({ env: { WEBHOOK_SECRET, WEBHOOK_CHANNEL: 'Support' } });
    try {
      const { olivia } = other.cast;
      const id = await createChannel(other, olivia, 'support', {});
      await deliver(other, formDelivery({ from: 'Ann', text: 'first' }));
      expectSuccess(await other.as(olivia).patch(`/streams/${id}`, { new_name: 'help desk' }));
      await deliver(other, formDelivery({ from: 'Bob', text: 'second' }));
      const found = await messagesIn(other, olivia, 'help desk');
      expect(found.map(({ content }) => content)).toEqual(expect.arrayContaining(['first', 'second']));
      expectSuccess(await other.as(olivia).delete(`/streams/${id}`));
      const answer = await deliver(other, formDelivery({ from: 'Bob' }));
      expect(answer).toMatchObject({
        status: 503,
        body: { detail: 'Cannot accept messages: the channel "help desk" is archived' },
      });
    } finally {
      await other.stop();
    }
  });
});

describe('The handshake', () => {
  const handshake = (query: Readonly<Record<string, string>>) =>
    app.companion().get(`/messaging/webhook?${new URLSearchParams(query).toString()}`);
  const right = { 'hub.mode': 'subscribe', 'hub.verify_token': VERIFY_TOKEN, 'hub.challenge': '1158201444' };

  it('answers the challenge as plain text [COMP-handshake-challenge]', async () => {
    const { status, body, headers } = await handshake(right);
    expect([status, body]).toEqual([200, '1158201444']);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['another token', { 'hub.verify_token': 'another' }],
    ['a token that is too long', { 'hub.verify_token': `${VERIFY_TOKEN}x` }],
    ['no token', { 'hub.verify_token': '' }],
    [
      'another token and nothing else right',
      { 'hub.verify_token': 'x', 'hub.mode': 'x', 'hub.challenge': '<' },
    ],
  ])('refuses %s [COMP-handshake-token, ERR-handshake]', async (_what, wrong) => {
    const answer = await handshake({ ...right, ...wrong });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ detail: 'hub.verify_token is missing or wrong' });
  });

  it.each([
    ['another mode', { 'hub.mode': 'unsubscribe' }],
    ['a page as challenge', { 'hub.challenge': '<script>alert(1)</script>' }],
    ['a long challenge', { 'hub.challenge': '1'.repeat(257) }],
    ['controls in a challenge', { 'hub.challenge': 'a\nb' }],
    ['no challenge', { 'hub.challenge': '' }],
  ])('does not go on with %s', async (_what, wrong) => {
    expect((await handshake({ ...right, ...wrong })).status).toBe(422);
  });
});

it('All of this leaves a sound database', async () => {
  const { signal } = new AbortController();
  const { invariants } = await app
    .get(CheckDatabaseService)
    .check({ site: '', signal, report: () => undefined });
  expect(invariants.filter(({ holds }) => !holds)).toEqual([]);
});
