import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { addSubscriber, createChannelWith, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { peopleAlone } from '../support/group-setup';
import { fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { expectConsistentRows } from '../support/message-state';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

afterEach(() => expectConsistentRows(app));

/** A new channel of Mia's, with these people beside her. */
const channelWith = (people: readonly Member[] = [app.cast.max], options: Parameters = {}) =>
  createChannelWith(app, app.cast.mia, people, `edits ${++channels}`, options);

const edit = (member: Member, id: number, changes: Parameters) =>
  app.as(member).patch(`/messages/${id}`, changes);

/** A message of Mia's to a channel that Max is subscribed to as well. */
const message = async (content = 'soup') => sendTo(app, app.cast.mia, await channelWith(), 'lunch', content);

describe('Mentions', () => {
  const flagsIn = async (reader: Member, id: number) => (await fetchMessage(app, reader, id)).flags;

  it('come and go with the content, and each receiver is told of the own ones [FLAG-mentioned-edit]', async () => {
    const { mia, max, mona } = app.cast;
    const channel = await channelWith([max, mona]);
    const id = await sendTo(app, mia, channel, 'lunch', '@**Max Member**');
    await expect(flagsIn(max, id)).resolves.toEqual(['mentioned']);
    expectSuccess(await app.as(mona).post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
    const events = await app.captureEvents(async () => {
      expectSuccess(await edit(mia, id, { content: '@**Mona Moderator** `@**Max Member**`' }));
    });
    expect(events.map(({ event }) => event.type)).toEqual(['update_message', 'user_topic']);
    const [{ event, options } = { event: {}, options: {} }] = events;
    const flagsOf = (member: Member) => options.personal?.get(member.id)?.flags ?? event.flags;
    expect(flagsOf(mona)).toEqual(['read', 'mentioned']);
    expect(flagsOf(max)).toEqual([]);
    await expect(flagsIn(max, id)).resolves.toEqual([]);
    await expect(flagsIn(mona, id)).resolves.toEqual(['read', 'mentioned']);
    await expect(fetchIds(app, max, [['is', 'mentioned']])).resolves.not.toContain(id);
    await expect(fetchIds(app, mona, [['is', 'mentioned']])).resolves.toContain(id);
  });

  it('make those follow the topic who are mentioned by name only now, as sending would', async () => {
    const { mia, max, mona, gus } = app.cast;
    const channel = await channelWith([max, mona, gus]);
    const decide = (member: Member, visibility_policy: number) =>
      app.as(member).post('/user_topics', { stream_id: channel, topic: 'lunch', visibility_policy });
    const wants = (member: Member, automatically_follow_topics_where_mentioned: boolean) =>
      app.as(member).patch('/settings', { automatically_follow_topics_where_mentioned });
    const followers = async (id: number, changes: Parameters) => {
      const events = await app.captureEvents(async () => expectSuccess(await edit(mia, id, changes)));
      const told = events.filter(({ event }) => event.type === 'user_topic');
      return told.flatMap(({ event, audience }) =>
        audience.map((userId) => [userId, event.topic_name, event.visibility_policy]),
      );
    };
    const all = [max, mona, gus].map(({ fullName }) => `@**${fullName}**`).join(' ');
    const id = await sendTo(app, mia, channel, 'lunch', '@_**Max Member**');
    await sendTo(app, mia, channel, 'lunch', 'stays');
    expectSuccess(await decide(mona, 1));
    expectSuccess(await wants(gus, false));
    await expect(followers(id, { content: all })).resolves.toEqual([[max.id, 'lunch', 3]]);
    // Whoever is mentioned already has decided meanwhile.
    expectSuccess(await decide(max, 0));
    expectSuccess(await wants(gus, true));
    await expect(followers(id, { content: `${all} again` })).resolves.toEqual([]);
    await expect(followers(id, { content: 'nobody' })).resolves.toEqual([]);
    // Mia starts the topic with it.
    const mentioned = [max.id, mona.id, gus.id].sort((a, b) => a - b);
    await expect(followers(id, { content: all, topic: 'dinner' })).resolves.toEqual(
      [mia.id, ...mentioned].map((userId) => [userId, 'dinner', 3]),
    );
    const direct = await sendDirect(app, mia, [max], 'hello');
    await expect(followers(direct, { content: all })).resolves.toEqual([]);
  });

  it('make nobody follow who cannot see the message', async () => {
    const { mia, max, mona } = app.cast;
    const channel = await channelWith([max], { invite_only: true, history_public_to_subscribers: false });
    const id = await sendTo(app, mia, channel, 'lunch');
    await addSubscriber(app, mia, channel, mona);
    const events = await app.captureEvents(async () =>
      expectSuccess(await edit(mia, id, { content: '@**Mona Moderator**' })),
    );
    expect(events.map(({ event }) => event.type)).toEqual(['update_message']);
  });

  it('leave stars alone', async () => {
    const { mia, max } = app.cast;
    const id = await message('@**Max Member**');
    expectSuccess(await app.as(max).post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
    expectSuccess(await edit(mia, id, { content: 'nobody' }));
    await expect(flagsIn(max, id)).resolves.toEqual(['starred']);
  });

  it('of people outside the channel do nothing', async () => {
    const { mia, mona } = app.cast;
    const id = await message();
    expectSuccess(await edit(mia, id, { content: '@**Mona Moderator**' }));
    await expect(fetchIds(app, mona, [['is', 'mentioned']])).resolves.not.toContain(id);
  });

  it('of a bot outside a public channel reach the bot, and none outside a private one', async () => {
    const { mia, max, robo } = app.cast;
    for (const [options, isReached] of [
      [{}, true],
      [{ invite_only: true, history_public_to_subscribers: true }, false],
    ] as const) {
      const id = await sendTo(app, mia, await channelWith([max], options), 'lunch');
      const events = await app.captureEvents(async () =>
        expectSuccess(await edit(mia, id, { content: `@**${robo.fullName}** soup?` })),
      );
      const [update] = events.filter(({ event }) => event.type === 'update_message');
      expect(update?.audience.includes(robo.id)).toBe(isReached);
      const found = await fetchIds(app, robo, [['is', 'mentioned']]);
      expect(found.includes(id)).toBe(isReached);
      if (isReached) expect(update?.options.personal?.get(robo.id)?.flags).toContain('mentioned');
    }
  });

  it('bring the message into the history of those who subscribed later and can see it', async () => {
    const { mia, max, mona } = app.cast;
    const channel = await channelWith([max]);
    const id = await sendTo(app, mia, channel, 'lunch');
    await addSubscriber(app, mona, channel, mona);
    await expect(flagsIn(mona, id)).resolves.toEqual(['read', 'historical']);
    expectSuccess(await edit(mia, id, { content: '@**Mona Moderator**' }));
    await expect(flagsIn(mona, id)).resolves.toEqual(['read', 'mentioned', 'historical']);
    await expect(fetchIds(app, mona, [['is', 'mentioned']])).resolves.toContain(id);
  });

  it('of groups, of everybody and of the topic are worked out anew [FLAG-mentioned-edit, FLAG-wildcard-edit]', async () => {
    const { mia, max, mona } = app.cast;
    await createGroup(app, 'cooks', [max.id]);
    const channel = await channelWith([max, mona]);
    await sendTo(app, max, channel, 'lunch');
    const id = await sendTo(app, mia, channel, 'lunch', 'nobody');
    expectSuccess(await edit(mia, id, { content: '@*cooks*' }));
    await expect(flagsIn(max, id)).resolves.toEqual(['mentioned']);
    await expect(flagsIn(mona, id)).resolves.toEqual([]);
    const events = await app.captureEvents(async () =>
      expectSuccess(await edit(mia, id, { content: '@**topic**' })),
    );
    await expect(flagsIn(max, id)).resolves.toEqual(['topic_wildcard_mentioned', 'wildcard_mentioned']);
    await expect(flagsIn(mona, id)).resolves.toEqual([]);
    const [{ event, options } = { event: {}, options: {} }] = events;
    expect(options.personal?.get(mona.id)?.flags ?? event.flags).toEqual([]);
    expect(options.personal?.get(max.id)?.flags ?? event.flags).toContain('topic_wildcard_mentioned');
    expectSuccess(await edit(mia, id, { content: '@**all**' }));
    for (const reader of [max, mona]) {
      await expect(flagsIn(reader, id)).resolves.toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
    }
    expectSuccess(await edit(mia, id, { content: 'nobody' }));
    for (const reader of [max, mona]) await expect(flagsIn(reader, id)).resolves.toEqual([]);
  });

  it('of groups are refused to those who may not mention them', async () => {
    const { mia, mona } = app.cast;
    expectSuccess(
      await app.as(app.cast.olivia).post('/user_groups/create', {
        name: 'board',
        description: '',
        members: [mona.id],
        can_mention_group: peopleAlone(mona),
      }),
    );
    const id = await message();
    const direct = await sendDirect(app, mia, [mona]);
    for (const each of [id, direct]) {
      expectError(
        await edit(mia, each, { content: '@*board*' }),
        "You are not allowed to mention user group 'board'.",
      );
    }
  });

  it('of very many people are refused to those who may not mention so many', async () => {
    const { mia } = app.cast;
    const crowd = [];
    for (let i = 0; i < 15; i++)
      crowd.push(
        await app.addAccount({
          deliveryEmail: `edits${i}@example.com`,
          fullName: `Edit Crowd ${i}`,
          role: 400,
        }),
      );
    const channel = await channelWith(crowd);
    const id = await sendTo(app, mia, channel, 'lunch');
    expectError(
      await edit(mia, id, { content: '@**all**' }),
      'You do not have permission to use channel wildcard mentions in this channel.',
      { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
    );
    for (const person of crowd) await sendTo(app, person, channel, 'lunch');
    expectError(
      await edit(mia, id, { content: '@**topic**' }),
      'You do not have permission to use topic wildcard mentions in this topic.',
      { code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' },
    );
  });

  it('and alert words both count for a recipient [FLAG-has_alert_word-edit]', async () => {
    const { mia, max } = app.cast;
    expectSuccess(await app.as(max).post('/users/me/alert_words', { alert_words: ['saffron'] }));
    const id = await message();
    expectSuccess(await edit(mia, id, { content: 'Saffron, @**Max Member**' }));
    await expect(flagsIn(max, id)).resolves.toEqual(['mentioned', 'has_alert_word']);
    expectSuccess(await edit(mia, id, { content: 'saffron' }));
    await expect(flagsIn(max, id)).resolves.toEqual(['has_alert_word']);
    expectSuccess(await edit(mia, id, { content: 'salt' }));
    await expect(flagsIn(max, id)).resolves.toEqual([]);
  });
});
