import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** A new channel of Mia's, with these people beside her. */
function channelWith(members: readonly Member[], options: Parameters = {}): Promise<number> {
  const { mia } = app.cast;
  const principals = [mia, ...members].map(({ id }) => id);
  return createChannel(app, mia, `channel ${++channels}`, { principals, ...options });
}

const change = (member: Member, op: string, flag: string, messages: unknown) =>
  app.as(member).post('/messages/flags', { messages, op, flag });

const flagsOf = async (member: Member, id: number): Promise<string[]> =>
  (await fetchMessage(app, member, id)).flags;

const eventFor = (member: Member, event: object) => [
  expect.objectContaining({ event, audience: [member.id] }),
];

describe('Flags that people change', () => {
  it.each(['read', 'starred', 'collapsed'])(
    'are set and taken away: %s [STATE-flag-add, STATE-flag-remove, EP19-messages, EP19-op, EP19-flag, EP19-response-messages, EP19-response-ignored, FLAG-read, FLAG-starred, FLAG-collapsed]',
    async (flag) => {
      const { mia, max } = app.cast;
      const channel = await channelWith([max]);
      const id = await sendTo(app, mia, channel, 'soup');
      await expect(flagsOf(max, id)).resolves.toEqual([]);

      const added = await app.captureEvents(async () => {
        expect(expectSuccess(await change(max, 'add', flag, [id]))).toEqual({
          result: 'success',
          msg: '',
          messages: [id],
        });
      });
      const event = { type: 'update_message_flags', flag, messages: [id], all: false };
      expect(added).toEqual(eventFor(max, { ...event, op: 'add', operation: 'add' }));
      await expect(flagsOf(max, id)).resolves.toEqual([flag]);

      const removed = await app.captureEvents(async () => {
        expect(expectSuccess(await change(max, 'remove', flag, [id]))).toEqual({
          result: 'success',
          msg: '',
          messages: [id],
          ...(flag === 'read' ? { ignored_because_not_subscribed_channels: [] } : {}),
        });
      });
      const place = { type: 'stream', stream_id: channel, topic: 'soup', unmuted_stream_msg: true };
      expect(removed).toEqual(
        eventFor(max, {
          ...event,
          op: 'remove',
          operation: 'remove',
          ...(flag === 'read' ? { message_details: { [id]: place } } : {}),
        }),
      );
      await expect(flagsOf(max, id)).resolves.toEqual([]);
    },
  );

  it('are each person’s own', async () => {
    const { mia, max, mona } = app.cast;
    const id = await sendTo(app, mia, await channelWith([max, mona]), 'soup');
    for (const flag of ['read', 'starred', 'collapsed']) expectSuccess(await change(max, 'add', flag, [id]));
    await expect(flagsOf(max, id)).resolves.toEqual(['read', 'starred', 'collapsed']);
    await expect(flagsOf(mona, id)).resolves.toEqual([]);
    await expect(fetchIds(app, max, [['is', 'starred']])).resolves.toContain(id);
    await expect(fetchIds(app, mona, [['is', 'starred']])).resolves.not.toContain(id);
    expectSuccess(await change(max, 'remove', 'starred', [id]));
    await expect(flagsOf(max, id)).resolves.toEqual(['read', 'collapsed']);
    await expect(fetchIds(app, max, [['is', 'starred']])).resolves.not.toContain(id);
  });

  it('name in the answer and the event what really changed, in the order of the request [EP19-response-messages]', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max]);
    const [a, b, c] = [
      await sendTo(app, mia, channel, 'x'),
      await sendTo(app, mia, channel, 'x'),
      await sendTo(app, mia, channel, 'y'),
    ];
    for (const flag of ['read', 'starred']) {
      expectSuccess(await change(max, 'add', flag, [b]));
      const events = await app.captureEvents(async () => {
        const { messages } = expectSuccess(await change(max, 'add', flag, [c, b, a, c]));
        expect(messages).toEqual([c, a]);
      });
      expect(events).toMatchObject([{ event: { messages: [c, a] } }]);
      const nothing = await app.captureEvents(async () => {
        expect(expectSuccess(await change(max, 'add', flag, [a, b, c])).messages).toEqual([]);
        expect(expectSuccess(await change(max, 'add', flag, [])).messages).toEqual([]);
      });
      expect(nothing).toMatchObject([{ event: { messages: [] } }, { event: { messages: [] } }]);
      expect(expectSuccess(await change(max, 'remove', flag, [a, b])).messages).toEqual([a, b]);
    }
  });

  it('leave a mention where it is', async () => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, mia, await channelWith([max]), 'soup', '@**Max Member**');
    expectSuccess(await change(max, 'add', 'starred', [id]));
    await expect(flagsOf(max, id)).resolves.toEqual(['starred', 'mentioned']);
    expectSuccess(await change(max, 'remove', 'starred', [id]));
    await expect(flagsOf(max, id)).resolves.toEqual(['mentioned']);
  });

  it('change in archived channels too', async () => {
    const { mia, max, olivia } = app.cast;
    const channel = await channelWith([max]);
    const id = await sendTo(app, mia, channel, 'soup');
    expectSuccess(await app.as(olivia).delete(`/streams/${channel}`));
    for (const flag of ['read', 'starred']) {
      expect(expectSuccess(await change(max, 'add', flag, [id])).messages).toEqual([id]);
      expect(expectSuccess(await change(max, 'remove', flag, [id])).messages).toEqual([id]);
    }
  });
});

describe('A message that somebody sent', () => {
  it('is read by its sender unless an API client sent it [FLAG-read, FLAG-read-sent]', async () => {
    const { max } = app.cast;
    const channel = await channelWith([max]);
    const own = (client: string) => sendTo(app, max, channel, 'soup', 'hello', { client });
    await expect(flagsOf(max, await own('website'))).resolves.toEqual(['read']);
    await expect(flagsOf(max, await own('ZulipPython'))).resolves.toEqual([]);
  });
});

describe('Flags that nobody changes', () => {
  it.each([
    'mentioned',
    'stream_wildcard_mentioned',
    'topic_wildcard_mentioned',
    'has_alert_word',
    'historical',
    'group_mentioned',
    'force_expand',
    'force_collapse',
  ])(
    '%s is refused [EP19-fixed, FLAG-mentioned-fixed, FLAG-stream_wildcard_mentioned, FLAG-topic_wildcard_mentioned, FLAG-has_alert_word-fixed, FLAG-historical-fixed]',
    async (flag) => {
      const { mia, max } = app.cast;
      const id = await sendTo(app, mia, await channelWith([max]), 'soup');
      for (const op of ['add', 'remove', 'toggle']) {
        expectError(await change(max, op, flag, [id]), `Flag not editable: '${flag}'`);
      }
      await expect(flagsOf(max, id)).resolves.toEqual([]);
    },
  );

  it.each(['wildcard_mentioned', 'nonsense', 'Read', ''])(
    '%j is not even known [EP19-flag, FLAG-wildcard_mentioned]',
    async (flag) => {
      expectError(await change(app.cast.max, 'add', flag, []), `Invalid flag: '${flag}'`);
    },
  );

  it('wildcard_mentioned comes along with the two flags that replaced it [FLAG-wildcard_mentioned, FLAG-stream_wildcard_mentioned, FLAG-topic_wildcard_mentioned, VER-224]', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max]);
    await sendTo(app, max, channel, 'soup');
    const all = await sendTo(app, mia, channel, 'soup', '@**all**');
    const topic = await sendTo(app, mia, channel, 'soup', '@**topic**');
    await expect(flagsOf(max, all)).resolves.toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
    await expect(flagsOf(max, topic)).resolves.toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
  });

  it('mentioned tells of a mention by name and through a group [FLAG-mentioned]', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max]);
    await createGroup(app, 'cooks', [max.id]);
    for (const content of ['@**Max Member**', '@*cooks*']) {
      await expect(flagsOf(max, await sendTo(app, mia, channel, 'soup', content))).resolves.toEqual([
        'mentioned',
      ]);
    }
  });
});

describe('Messages that were never received', () => {
  it.each(['starred', 'collapsed'])('enter the history when they are %s [FLAG-historical]', async (flag) => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, mia, await channelWith([]), 'soup');
    await expect(flagsOf(max, id)).resolves.toEqual(['read', 'historical']);
    await expect(fetchIds(app, max, [])).resolves.not.toContain(id);
    expect(expectSuccess(await change(max, 'add', flag, [id])).messages).toEqual([id]);
    await expect(flagsOf(max, id)).resolves.toEqual(['read', flag, 'historical']);
    await expect(fetchIds(app, max, [])).resolves.toContain(id);
    expect(expectSuccess(await change(max, 'remove', flag, [id])).messages).toEqual([id]);
    await expect(flagsOf(max, id)).resolves.toEqual(['read', 'historical']);
    await expect(fetchIds(app, max, [])).resolves.toContain(id);
  });

  it('count as read, and stay so without a word', async () => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, mia, await channelWith([]), 'soup');
    for (const [op, flag] of [
      ['add', 'read'],
      ['remove', 'starred'],
      ['remove', 'collapsed'],
    ] as const) {
      expect(expectSuccess(await change(max, op, flag, [id])).messages).toEqual([]);
    }
    await expect(fetchIds(app, max, [])).resolves.not.toContain(id);
  });

  it('become unread for somebody who is subscribed by now', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([]);
    const id = await sendTo(app, mia, channel, 'soup', '@**all**');
    expectSuccess(
      await app.as(max).post('/users/me/subscriptions', { subscriptions: [{ name: `channel ${channels}` }] }),
    );
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await change(max, 'remove', 'read', [id])).messages).toEqual([id]);
    });
    const place = { type: 'stream', stream_id: channel, topic: 'soup', unmuted_stream_msg: true };
    expect(events).toMatchObject([{ event: { messages: [id], message_details: { [id]: place } } }]);
    await expect(flagsOf(max, id)).resolves.toEqual(['historical']);
    await expect(fetchIds(app, max, [['is', 'unread']])).resolves.toContain(id);
    expect(expectSuccess(await change(max, 'remove', 'read', [id])).messages).toEqual([]);
    expect(expectSuccess(await change(max, 'add', 'read', [id])).messages).toEqual([id]);
  });
});
