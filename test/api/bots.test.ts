import sharp from 'sharp';
import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { apiKeyOf } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const everybody = () => [...app.get(AccountDirectory).active.ids()];
const ascending = (...members: Pick<Member, 'id'>[]) => members.map(({ id }) => id).sort((a, b) => a - b);
const create = (parameters: object, owner = app.cast.max) => app.as(owner).post('/bots', { ...parameters });
const userRecord = async (id: number) =>
  expectSuccess(await app.as(app.cast.mia).get(`/users/${id}`, { client_gravatar: false })).user;

let counter = 0;
async function newBot(owner = app.cast.max, parameters: object = {}): Promise<Member> {
  const shortName = `helper${++counter}`;
  const fullName = `Helper ${counter}`;
  const answer = await create({ full_name: fullName, short_name: shortName, ...parameters }, owner);
  const { user_id: id } = expectSuccess(answer);
  return { id, email: `${shortName}-bot@chat.example.com`, fullName, role: 400 };
}

describe('Creating a bot', () => {
  it('answers with its key, and tells everybody of the bot, those who administer it of more', async () => {
    const { max, olivia, adam } = app.cast;
    const before = everybody();
    let answer: Record<string, unknown> = {};
    const events = await app.captureEvents(async () => {
      answer = expectSuccess(await create({ full_name: 'First Bot', short_name: 'first' }));
    });
    const id = answer['user_id'] as number;
    const record = await userRecord(id);
    expect(record).toMatchObject({
      email: 'first-bot@chat.example.com',
      delivery_email: 'first-bot@chat.example.com',
      full_name: 'First Bot',
      is_bot: true,
      bot_type: 1,
      bot_owner_id: max.id,
      role: 400,
    });
    const defaults = {
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    };
    expect(answer).toEqual({
      result: 'success',
      msg: '',
      user_id: id,
      api_key: apiKeyOf(app, { id }),
      avatar_url: record.avatar_url,
      ...defaults,
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'realm_user', op: 'add', person: record }, before],
      [expect.objectContaining({ type: 'user_group', op: 'add_members', user_ids: [id] }), before],
      [expect.objectContaining({ type: 'user_group', op: 'add_members', user_ids: [id] }), before],
      [
        { type: 'realm_bot', op: 'add', bot: { user_id: id, ...defaults, services: [] } },
        ascending(olivia, adam, max),
      ],
    ]);
    expect(JSON.stringify(events)).not.toContain(answer['api_key']);
    expectSuccess(await app.client({ email: record.email, apiKey: apiKeyOf(app, { id }) }).get('/users/me'));
  });

  it('makes outgoing webhooks with a token, which only those who administer it learn [USER-bot_type]', async () => {
    const hook = { full_name: 'Hook', short_name: 'hook', bot_type: 3 };
    expectError(await create(hook), "Missing 'payload_url' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'payload_url' },
    });
    expectError(await create({ ...hook, payload_url: 'nowhere' }), 'payload_url is not a URL');
    let id = 0;
    const events = await app.captureEvents(async () => {
      const parameters = { ...hook, payload_url: '"https://example.com/hook"', interface_type: 2 };
      id = expectSuccess(await create(parameters)).user_id;
    });
    await expect(userRecord(id)).resolves.toHaveProperty('bot_type', 3);
    expect(events.at(-1)?.event.bot.services).toEqual([
      { base_url: 'https://example.com/hook', interface: 2, token: expect.stringMatching(/^[\w-]{32}$/) },
    ]);
  });

  it('makes incoming webhooks, which can call hardly anything [USER-bot_type]', async () => {
    const bot = await newBot(app.cast.max, { bot_type: 2 });
    await expect(userRecord(bot.id)).resolves.toHaveProperty('bot_type', 2);
    expectError(await app.as(bot).get('/users/me'), 'This API is not available to incoming webhook bots.', {
      status: 401,
      code: 'UNAUTHORIZED',
    });
  });

  it('takes a picture with it', async () => {
    const content = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#00f' } })
      .png()
      .toBuffer();
    const answer = await app
      .as(app.cast.max)
      .upload('/bots', { name: 'bot.png', content }, { full_name: 'Pretty', short_name: 'pretty' });
    const { user_id: id, avatar_url } = expectSuccess(answer);
    expect(avatar_url).toMatch(/^\/user_avatars\/1\/[0-9a-f]{40}\.png$/);
    await expect(userRecord(id)).resolves.toMatchObject({ avatar_url, avatar_version: 1 });
    const changed = await app.as(app.cast.max).upload(`/bots/${id}`, { name: 'x.png', content }, {}, 'PATCH');
    expect(expectSuccess(changed).avatar_url).not.toBe(avatar_url);
    const old = await app.client().send({ method: 'GET', url: avatar_url });
    expect(old.status).toBe(404);
    const bad = { name: 'bot.png', content: 'no picture' };
    const refused = await app
      .as(app.cast.max)
      .upload('/bots', bad, { full_name: 'Ugly', short_name: 'ugly' });
    expectError(refused, 'Could not decode image; did you upload an image file?', { code: 'BAD_IMAGE' });
    expect(app.get(AccountDirectory).byDeliveryEmail('ugly-bot@chat.example.com')).toBeUndefined();
  });

  it.each([
    [{ short_name: ' ' }, 'Bad name or username'],
    [{ short_name: 'a b' }, 'Bad name or username'],
    [{ short_name: 'x@y' }, 'Bad name or username'],
    [{ full_name: 'B' }, 'Name too short!'],
    [{ short_name: 'FIRST' }, 'Email is already in use.'],
    [{ full_name: 'Mia Member' }, 'Name is already in use.'],
    [{ bot_type: 7 }, 'Invalid bot type'],
    [{ bot_type: 4, service_name: 'converter' }, 'Embedded bots are not enabled.'],
    [{ interface_type: 3 }, 'Invalid interface type'],
    [{ default_sending_stream: 'nowhere' }, "Invalid channel name 'nowhere'"],
  ])('refuses %j', async (parameters, message) => {
    expectError(await create({ full_name: 'Other Bot', short_name: 'other', ...parameters }), message);
  });

  it('is for people who are no guests, as the organization allows', async () => {
    const { gus, robo, max, adam } = app.cast;
    const bot = { full_name: 'Allowed Bot', short_name: 'allowed' };
    expectError(await create(bot, gus), 'Not allowed for guest users');
    expectError(await create(bot, robo), 'This endpoint does not accept bot requests.');
    const groups = app.get(GroupDirectory);
    const administrators = groups.systemGroupId('role:administrators');
    const members = groups.systemGroupId('role:members');
    const allow = async (id: number) =>
      expectSuccess(await app.as(adam).patch('/realm', { can_create_bots_group: { new: id } }));
    await allow(administrators);
    expectError(await create(bot, max), 'Insufficient permission');
    await newBot(max, { bot_type: 2 });
    await newBot(adam);
    await allow(members);
  });
});

describe('A bot', () => {
  it('is listed with its key to its owner', async () => {
    const { mia, robo, gus } = app.cast;
    expect(expectSuccess(await app.as(mia).get('/bots')).bots).toEqual([
      {
        username: 'robo-bot@example.com',
        full_name: 'Robo Bot',
        api_key: apiKeyOf(app, robo),
        avatar_url: (await userRecord(robo.id)).avatar_url,
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
      },
    ]);
    expect(expectSuccess(await app.as(app.cast.mona).get('/bots')).bots).toEqual([]);
    expectError(await app.as(gus).get('/bots'), 'Not allowed for guest users');
  });

  it('gets other names, addresses and channels from its owner', async () => {
    const { max, olivia, adam } = app.cast;
    const bot = await newBot();
    await createChannel(app, max, 'open');
    await createChannel(app, max, 'closed', { invite_only: true });
    const update = async (parameters: object) => {
      let answer: Record<string, unknown> = {};
      const events = await app.captureEvents(async () => {
        answer = expectSuccess(await app.as(max).patch(`/bots/${bot.id}`, { ...parameters }));
      });
      return { answer, events: events.map(({ event, audience }) => [event, audience]) };
    };
    const named = await update({ full_name: 'Helpful', short_name: 'helpful' });
    expect(named.answer).toMatchObject({ full_name: 'Helpful', bot_owner: 'max@example.com' });
    expect(named.events.map(([event]) => (event as { person: object }).person)).toEqual([
      { user_id: bot.id, full_name: 'Helpful' },
      { user_id: bot.id, delivery_email: 'helpful-bot@chat.example.com' },
      expect.objectContaining({ user_id: bot.id, avatar_source: 'G' }),
      { user_id: bot.id, new_email: 'helpful-bot@chat.example.com' },
    ]);
    const botEvent = (changed: object) => ({
      type: 'realm_bot',
      op: 'update',
      bot: { user_id: bot.id, ...changed },
    });
    const open = await update({ default_sending_stream: 'open', default_all_public_streams: true });
    expect(open.answer).toMatchObject({ default_sending_stream: 'open', default_all_public_streams: true });
    expect(open.events).toEqual([
      [botEvent({ default_sending_stream: 'open' }), ascending(olivia, adam, max)],
      [botEvent({ default_all_public_streams: true }), ascending(olivia, adam, max)],
    ]);
    const closed = await update({ default_events_register_stream: 'closed' });
    // Administrators see private channels as well.
    expect(closed.events).toEqual([
      [botEvent({ default_events_register_stream: 'closed' }), ascending(olivia, adam, max)],
    ]);
    const none = await update({ default_events_register_stream: '', default_sending_stream: '' });
    expect(none.answer).toMatchObject({ default_sending_stream: null, default_events_register_stream: null });
  });

  it('of the outgoing kind gets another address to call', async () => {
    const { max } = app.cast;
    const bot = await newBot(max, { bot_type: 3, payload_url: 'https://example.com/1' });
    const events = await app.captureEvents(async () => {
      const service_payload_url = 'https://example.com/2';
      const parameters = { service_payload_url, service_interface: 2, config_data: { a: 'b' } };
      const answer = expectSuccess(await app.as(max).patch(`/bots/${bot.id}`, parameters));
      expect(answer).toMatchObject(parameters);
    });
    expect(events.map(({ event }) => event.bot.services)).toEqual([
      [{ base_url: 'https://example.com/2', interface: 2, token: expect.any(String) }],
    ]);
    expectError(
      await app.as(max).patch(`/bots/${bot.id}`, {
        service_payload_url: 'https://example.com/3',
        service_interface: 9,
      }),
      'Invalid interface type',
    );
  });

  it('changes hands', async () => {
    const { max, mia, adam, robo } = app.cast;
    const bot = await newBot();
    const giveTo = (owner: Pick<Member, 'id'>, giver = max) =>
      app.as(giver).patch(`/bots/${bot.id}`, { bot_owner_id: owner.id });
    expectError(await giveTo({ id: 999_999 }), 'Failed to change owner, no such user');
    expectError(await giveTo(robo), "Failed to change owner, bots can't own other bots");
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await giveTo(mia)).bot_owner).toBe('mia@example.com');
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, [max.id]],
      [
        {
          type: 'realm_bot',
          op: 'add',
          bot: expect.objectContaining({ user_id: bot.id, services: [] }),
        },
        [mia.id],
      ],
      [{ type: 'realm_user', op: 'update', person: { user_id: bot.id, bot_owner_id: mia.id } }, everybody()],
    ]);
    expectError(await giveTo(max), 'Insufficient permission');
    expectSuccess(await giveTo(adam, mia));
    await expect(userRecord(bot.id)).resolves.toHaveProperty('bot_owner_id', adam.id);
  });

  it('gets a role from administrators only', async () => {
    const { max, adam } = app.cast;
    const bot = await newBot();
    expectError(
      await app.as(max).patch(`/bots/${bot.id}`, { role: 200 }),
      'Must be an organization administrator',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
    expectSuccess(await app.as(adam).patch(`/bots/${bot.id}`, { role: 200 }));
    expectError(await app.as(adam).patch(`/bots/${bot.id}`, { role: 100 }), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    await expect(userRecord(bot.id)).resolves.toMatchObject({ role: 200, is_admin: true });
  });

  it('keeps its name and address apart from others’', async () => {
    const { max } = app.cast;
    const bot = await newBot();
    const update = (parameters: object) => app.as(max).patch(`/bots/${bot.id}`, { ...parameters });
    expectError(await update({ full_name: 'Mia Member' }), 'Name is already in use.');
    expectError(await update({ short_name: 'first' }), 'Email is already in use.');
    expectError(await update({ short_name: '' }), 'Bad name or username');
    expectSuccess(await update({ full_name: bot.fullName }));
  });

  it('has a key that its owner and administrators may see and replace', async () => {
    const { max, mia, adam } = app.cast;
    const bot = await newBot();
    const path = `/bots/${bot.id}/api_key`;
    const old = expectSuccess(await app.as(max).get(path)).api_key;
    expect(old).toBe(apiKeyOf(app, bot));
    expectError(await app.as(mia).get(path), 'Insufficient permission');
    expectError(await app.as(mia).post(`${path}/regenerate`), 'Insufficient permission');
    const events = await app.captureEvents(async () => {
      const fresh = expectSuccess(await app.as(adam).post(`${path}/regenerate`)).api_key;
      expect(fresh).not.toBe(old);
      expect(expectSuccess(await app.as(max).get(path)).api_key).toBe(fresh);
    });
    expect(events).toEqual([]);
    expectError(await app.client({ email: bot.email, apiKey: old }).get('/users/me'), 'Invalid API key', {
      status: 401,
      code: 'UNAUTHORIZED',
    });
  });

  it('is deactivated by those who administer it', async () => {
    const { max, mia } = app.cast;
    const bot = await newBot();
    expectError(await app.as(mia).delete(`/bots/${bot.id}`), 'Insufficient permission');
    expectError(await app.as(max).delete(`/bots/${mia.id}`), 'No such bot');
    expectError(await app.as(max).delete('/bots/999999'), 'No such bot');
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(max).delete(`/bots/${bot.id}`));
      expectSuccess(await app.as(max).delete(`/bots/${bot.id}`));
    });
    expect(events.filter(({ event }) => event.type === 'realm_bot')).toEqual([]);
    expect(events.at(-1)?.event).toMatchObject({ person: { user_id: bot.id, is_active: false } });
    expect(expectSuccess(await app.as(max).get('/bots')).bots).not.toContainEqual(
      expect.objectContaining({ username: bot.email }),
    );
  });

  it('that may create accounts is for owners to administer', async () => {
    const { olivia, adam, max } = app.cast;
    const bot = await newBot();
    expectSuccess(await app.as(olivia).patch(`/users/${bot.id}`, { can_create_users: true, role: 200 }));
    for (const member of [max, adam]) {
      expectError(await app.as(member).get(`/bots/${bot.id}/api_key`), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
    }
    expectSuccess(await app.as(olivia).get(`/bots/${bot.id}/api_key`));
    const person = { email: 'by-bot@example.com', password: 'nine purple umbrellas', full_name: 'By Bot' };
    expectSuccess(await app.as(bot).post('/users', person));
  });

  it('that is an owner is for owners to administer, who would let others become owners otherwise', async () => {
    const { olivia, adam, max } = app.cast;
    const bot = await newBot();
    const owner = app.as(olivia);
    expectSuccess(await owner.patch(`/bots/${bot.id}`, { role: 100 }));
    const path = `/bots/${bot.id}`;
    for (const as of [app.as(max), app.as(adam)]) {
      for (const answer of [
        await as.get(`${path}/api_key`),
        await as.post(`${path}/api_key/regenerate`),
        await as.patch(path, { bot_owner_id: adam.id }),
        await as.delete(path),
      ]) {
        expectError(answer, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
      }
    }
    const listed = async () => expectSuccess(await app.as(max).get('/bots')).bots;
    const named = expect.objectContaining({ username: bot.email });
    await expect(listed()).resolves.not.toContainEqual(named);
    expectSuccess(await owner.patch(path, { role: 400 }));
    await expect(listed()).resolves.toContainEqual(named);
    expectSuccess(await app.as(adam).get(`${path}/api_key`));
  });
});
