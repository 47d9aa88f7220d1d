import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Member } from '../support/cast';
import { changeChannel, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

const subscribe = async (who: Member, name: string, principals?: number[]) =>
  expectSuccess(await app.as(who).post('/users/me/subscriptions', { subscriptions: [{ name }], principals }));

const unsubscribe = async (who: Member, name: string) =>
  expectSuccess(await app.as(who).delete('/users/me/subscriptions', { subscriptions: [name] }));

const expectOutOfReach = async (reader: Member, channel: number, id: number) => {
  expectError(await app.as(reader).get(`/messages/${id}`), 'Invalid message(s)');
  // A channel that the reader does not even see is one that does not exist.
  const isSeen = (await app.as(reader).get(`/streams/${channel}`)).status === 200;
  const narrow = [{ operator: 'channel', operand: channel }];
  if (isSeen) {
    await expect(fetchIds(app, reader, narrow)).resolves.not.toContain(id);
  } else {
    const desc = `unknown channel ${channel}`;
    expectError(
      await app.as(reader).get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow }),
      `Invalid narrow operator: ${desc}`,
      { code: 'BAD_NARROW', data: { desc } },
    );
  }
  await expect(fetchIds(app, reader, [])).resolves.not.toContain(id);
  const byId = await app.as(reader).get('/messages', { message_ids: [id] });
  expect(expectSuccess(byId).messages).toEqual([]);
};

describe('a public channel', () => {
  it('is open to members, who have read what they never got, and closed to guests', async () => {
    const { mia, max, gus } = app.cast;
    const channel = await createChannel(app, mia, 'square');
    const id = await sendTo(app, mia, channel, 'a');
    await expect(fetchIds(app, max, [['channel', 'square']])).resolves.toEqual([id]);
    await expect(fetchMessage(app, max, id)).resolves.toMatchObject({ flags: ['read', 'historical'] });
    await expect(fetchIds(app, max, [])).resolves.not.toContain(id);
    await expect(fetchIds(app, max, [{ operator: 'id', operand: id }])).resolves.toEqual([]);
    await expectOutOfReach(gus, channel, id);
  });

  it('shows guests its history while they are subscribed', async () => {
    const { mia, gus } = app.cast;
    const channel = await createChannel(app, mia, 'tour');
    const before = await sendTo(app, mia, channel, 'a');
    await subscribe(mia, 'tour', [gus.id]);
    const during = await sendTo(app, mia, channel, 'a');
    await expect(fetchIds(app, gus, [['channel', 'tour']])).resolves.toEqual([before, during]);
    await expect(fetchIds(app, gus, [])).resolves.toContain(during);
    await unsubscribe(gus, 'tour');
    await expectOutOfReach(gus, channel, during);
  });
});

describe('a private channel', () => {
  it('is closed to everybody else, administrators included', async () => {
    const { mia, max, olivia } = app.cast;
    const channel = await createChannel(app, mia, 'den', {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const id = await sendTo(app, mia, channel, 'a');
    await expectOutOfReach(olivia, channel, id);
    await expectOutOfReach(max, channel, id);
    await subscribe(mia, 'den', [max.id]);
    await expect(fetchIds(app, max, [['channel', 'den']])).resolves.toEqual([id]);
    await unsubscribe(max, 'den');
    await expectOutOfReach(max, channel, id);
  });

  it('opens its shared history to groups that may subscribe themselves', async () => {
    const { mia, max, gus } = app.cast;
    const channel = await createChannel(app, mia, 'lobby', {
      invite_only: true,
      history_public_to_subscribers: true,
      can_subscribe_group: { direct_members: [max.id, gus.id], direct_subgroups: [] },
    });
    const id = await sendTo(app, mia, channel, 'a');
    await expect(fetchIds(app, max, [['channel', 'lobby']])).resolves.toEqual([id]);
    await expectOutOfReach(gus, channel, id);
  });

  it('with protected history shows only what was received, however often one comes and goes', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannel(app, mia, 'vault', { invite_only: true });
    const before = await sendTo(app, mia, channel, 'a');
    await subscribe(mia, 'vault', [max.id]);
    const first = await sendTo(app, mia, channel, 'a');
    await unsubscribe(max, 'vault');
    const between = await sendTo(app, mia, channel, 'a', '@**Max Member**');
    await expectOutOfReach(max, channel, first);
    await subscribe(mia, 'vault', [max.id]);
    const second = await sendTo(app, mia, channel, 'a');

    await expect(fetchIds(app, max, [['channel', 'vault']])).resolves.toEqual([first, second]);
    await expect(
      fetchIds(app, max, [
        ['stream', 'vault'],
        ['topic', 'a'],
      ]),
    ).resolves.toEqual([first, second]);
    await expect(fetchIds(app, max, [])).resolves.toEqual(expect.arrayContaining([first, second]));
    await expectOutOfReach(max, channel, before);
    await expectOutOfReach(max, channel, between);
    await expect(fetchIds(app, mia, [['channel', 'vault']])).resolves.toEqual([
      before,
      first,
      between,
      second,
    ]);
  });

  it('counts for its subscribers when it is archived', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannel(app, mia, 'ruin', { invite_only: true });
    const id = await sendTo(app, mia, channel, 'a');
    await changeChannel(app, channel, { is_archived: true });
    await expect(fetchIds(app, mia, [['channel', 'ruin']])).resolves.toEqual([id]);
    await expectOutOfReach(max, channel, id);
  });
});

describe('direct messages', () => {
  it('are for the people of the conversation, whatever their role', async () => {
    const { mia, max, olivia } = app.cast;
    const id = await sendDirect(app, mia, [max]);
    expectError(await app.as(olivia).get(`/messages/${id}`), 'Invalid message(s)');
    await expect(fetchIds(app, olivia, [['is', 'dm']])).resolves.not.toContain(id);
    await expect(
      fetchIds(app, olivia, [{ operator: 'dm-including', operand: max.id }]),
    ).resolves.not.toContain(id);
  });
});

describe('without an account', () => {
  const unauthorized = { code: 'UNAUTHORIZED', status: 401 };
  const login = 'Not logged in: API authentication or user session required';
  const webPublic = { operator: 'channels', operand: 'web-public' };

  it('web-public channels can be read', async () => {
    const { olivia, mia } = app.cast;
    const channel = await createChannel(app, olivia, 'plaza', { is_web_public: true });
    await createChannel(app, mia, 'backyard');
    const id = await sendTo(app, olivia, channel, 'a', 'hello', { read_by_sender: true });
    const hidden = await sendTo(app, mia, 'backyard', 'a');
    for (const narrow of [[webPublic], [['channel', 'plaza']], [webPublic, ['topic', 'a']]]) {
      const { messages } = expectSuccess(await fetchMessages(app, null, narrow));
      expect(messages).toMatchObject([{ id, flags: ['read'] }]);
    }
    await expect(fetchIds(app, null, [webPublic], { anchor: 'first_unread' })).resolves.toEqual([id]);
    await expect(fetchIds(app, null, [webPublic, { operator: 'with', operand: id }])).resolves.toEqual([id]);
    const byIds = await app.client().get('/messages', { narrow: [webPublic], message_ids: [id, hidden] });
    expect(expectSuccess(byIds).messages).toHaveLength(1);
  });

  it('nobody shows their real address', async () => {
    const { olivia } = app.cast;
    const channel = await createChannel(app, olivia, 'agora', { is_web_public: true });
    const id = await sendTo(app, olivia, channel, 'a', 'hello');
    const placeholder = `user${olivia.id}@chat.example.com`;
    const [message] = expectSuccess(await fetchMessages(app, null, [['channel', 'agora']])).messages;
    expect(message).toMatchObject({ id, sender_email: placeholder });
    // Clients work the picture out of the address, which they do not have here.
    expect(message.avatar_url).toEqual(expect.stringContaining('gravatar'));
    await expect(fetchIds(app, null, [webPublic, ['sender', placeholder]])).resolves.toContain(id);
    expectError(
      await fetchMessages(app, null, [webPublic, ['sender', olivia.email]]),
      `Invalid narrow operator: unknown user ${olivia.email}`,
      { code: 'BAD_NARROW', data: { desc: `unknown user ${olivia.email}` } },
    );
  });

  it('nothing else can', async () => {
    expectError(await fetchMessages(app, null, []), login, unauthorized);
    expectError(await fetchMessages(app, null, [['channel', 'backyard']]), login, unauthorized);
    expectError(await fetchMessages(app, null, [['channels', 'public']]), login, unauthorized);
    expectError(await fetchMessages(app, null, [webPublic, ['is', 'unread']]), login, unauthorized);
    expectError(await fetchMessages(app, null, [['dm', 'mia@example.com']]), login, unauthorized);
    expectError(await app.client().get('/messages/1'), login, unauthorized);
    expectError(
      await fetchMessages(app, null, [webPublic, ['channel', 'backyard']]),
      'Invalid narrow operator: unknown web-public channel backyard',
      { code: 'BAD_NARROW', data: { desc: 'unknown web-public channel backyard' } },
    );
  });

  it('not even those once the organization says no', async () => {
    const allow = (value: boolean) =>
      app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: value }).then(expectSuccess);
    await allow(false);
    expectError(await fetchMessages(app, null, [webPublic]), login, unauthorized);
    expectError(await fetchMessages(app, null, [['channel', 'plaza']]), login, unauthorized);
    await allow(true);
  });
});

describe('what is out of sight', () => {
  const render = async (author: Member, content: string): Promise<string> =>
    expectSuccess(await app.as(author).post('/messages/render', { content })).rendered;

  it('cannot be found out by naming a channel', async () => {
    const { mia, max, gus, adam } = app.cast;
    const id = await createChannel(app, mia, 'plans', { invite_only: true });
    const text = '#**plans** #**plans>a**';
    for (const author of [mia, adam]) {
      await expect(render(author, text)).resolves.toContain(`data-stream-id="${id}"`);
    }
    for (const author of [max, gus]) {
      await expect(render(author, text)).resolves.toBe(
        '<p>#<strong>plans</strong> #<strong>plans&gt;a</strong></p>',
      );
    }
    const square = await sendTo(app, max, await createChannel(app, max, 'hall'), 'a', text);
    expect((await fetchMessage(app, max, square)).content).not.toContain('data-stream-id');
    const described = await createChannel(app, max, 'notes');
    const change = await app.as(max).patch(`/streams/${described}`, { description: '#**plans** #**hall**' });
    expectSuccess(change);
    const { stream } = expectSuccess(await app.as(max).get(`/streams/${described}`));
    expect(stream.rendered_description).toMatch(/^<p>#<strong>plans<\/strong> <a /);
  });

  it('is linked in descriptions where their author sees it, who writes them for everybody', async () => {
    const { mia, max, adam } = app.cast;
    const hidden = await createChannel(app, mia, 'designs', { invite_only: true });
    const link = `data-stream-id="${hidden}"`;
    const text = '#**designs>a** #**designs**';
    const described = async (author: Member, name: string) => {
      const id = await createChannel(app, author, name, { subscriptions: [{ name, description: text }] });
      return expectSuccess(await app.as(max).get(`/streams/${id}`)).stream.rendered_description;
    };
    await expect(described(mia, 'of mia')).resolves.toContain(link);
    await expect(described(max, 'of max')).resolves.toBe(
      '<p>#<strong>designs&gt;a</strong> #<strong>designs</strong></p>',
    );
    const id = await createChannel(app, mia, 'of both');
    for (const author of [mia, adam]) {
      expectSuccess(await app.as(author).patch(`/streams/${id}`, { description: `${text} ${author.id}` }));
      const { stream } = expectSuccess(await app.as(max).get(`/streams/${id}`));
      expect(stream.rendered_description).toContain(link);
    }
    const folder = await app.as(adam).post('/channel_folders/create', { name: 'Drafts', description: text });
    expectSuccess(folder);
    const { channel_folders: folders } = expectSuccess(await app.as(max).get('/channel_folders'));
    expect(folders.at(-1).rendered_description).toContain(link);
    expectSuccess(await app.as(adam).patch('/realm', { description: text }));
    const { realm_description: shown } = expectSuccess(await app.as(max).get('/server_settings'));
    expect(shown).not.toContain('data-stream-id');
  });

  it('cannot be found out by naming a person', async () => {
    const { olivia, max, gus, robo } = app.cast;
    const text = `@_**|${max.id}** @**Max|${max.id}** @**|${robo.id}**`;
    await expect(render(gus, text)).resolves.toContain(`data-user-id="${max.id}"`);
    const restrict = (name: 'role:members' | 'role:everyone') =>
      app.as(olivia).patch('/realm', {
        can_access_all_users_group: { new: app.get(GroupDirectory).systemGroupId(name) },
      });
    expectSuccess(await restrict('role:members'));
    const rendered = await render(gus, text);
    expect(rendered).not.toContain(max.fullName);
    expect(rendered).not.toContain(`data-user-id="${max.id}"`);
    expect(rendered).toContain(`data-user-id="${robo.id}"`);
    expectSuccess(await restrict('role:everyone'));
  });
});
