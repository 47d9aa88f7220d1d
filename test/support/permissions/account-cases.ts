import { randomUUID } from 'node:crypto';
import { Role } from '../../../src/platform/actor';
import type { ApiClient } from '../api-client';
import { PASSWORD, type Member } from '../cast';
import { expectSuccess } from '../expect-answer';
import type { TestApp } from '../test-app';
import { TestQueue } from '../test-queue';
import { attachmentsOf, upload } from '../upload-setup';
import { addBot, addDouble, addPerson, mayCreateAccounts, type Actor } from './actors';
import type { CaseTable, World } from './case';
import { onChannels } from './channel-cases';
import type { Target } from './outcome';
import { all, on, plain, type MakeTarget } from './plain-cases';

/** An account as a target: its ID, name and address identify it in answers. */
interface Account extends Target {
  readonly email: string;
}

const asTarget = ({ id, email, fullName }: Member): Account => ({ id, email, name: fullName });

const newPerson: MakeTarget<Account> = async (_, { app }) => asTarget(await addPerson(app));
const somebodyPresent: MakeTarget<Account> = async (actor, world) => {
  const person = await newPerson(actor, world);
  expectSuccess(await world.app.as(person).post('/users/me/presence', { status: 'active' }));
  return person;
};
const newOwner: MakeTarget<Account> = async (_, { app }) => asTarget(await addPerson(app, Role.owner));
const botOf = async ({ app }: World, owner: Member) => asTarget(await addBot(app, owner));

const BOTS: Readonly<Record<string, MakeTarget<Account>>> = {
  own: ({ account, friend, isPerson }, world) => botOf(world, isPerson && account ? account : friend),
  "somebody else's": (_, world) => botOf(world, world.host),
};

/** A bot with the role of an owner. */
const asOwner =
  (make: MakeTarget<Account>): MakeTarget<Account> =>
  async (actor, world) => {
    const bot = await make(actor, world);
    expectSuccess(await world.app.as(world.app.cast.olivia).patch(`/bots/${bot.id}`, { role: Role.owner }));
    return bot;
  };

const BOTS_AND_OWNERS: Readonly<Record<string, MakeTarget<Account>>> = {
  ...BOTS,
  'own, an owner': asOwner(BOTS['own']!),
  "somebody else's, an owner": asOwner(BOTS["somebody else's"]!),
};

const PEOPLE: Readonly<Record<string, MakeTarget<Account>>> = { 'a member': newPerson, 'an owner': newOwner };

async function deactivated(make: MakeTarget<Account>, actor: Actor, world: World): Promise<Account> {
  const target = await make(actor, world);
  expectSuccess(await world.app.as(target).delete('/users/me'));
  return target;
}

/** Calls as a person like the actor, for actions that an account can do only once or that delete an account. */
async function asDouble(
  actor: Actor,
  { app }: World,
  prepare: (double: Member, app: TestApp) => Promise<void> = async () => undefined,
): Promise<ApiClient> {
  const double = await addDouble(app, actor);
  if (!double) return app.client();
  await prepare(double, app);
  return app.as(double);
}

/** Adds a view of the caller, if allowed. @returns its fragment */
async function ownView(client: ApiClient): Promise<string> {
  const fragment = `narrow/${randomUUID()}`;
  await client.post('/navigation_views', { fragment, is_pinned: true, name: fragment });
  return fragment;
}

const createAccount = (client: ApiClient) =>
  client.post('/users', { email: `${randomUUID()}@example.com`, password: PASSWORD, full_name: 'New' });

const file = { name: 'file.txt', content: 'content' };

async function attachmentOf(world: World, owner: Member): Promise<Target> {
  await upload(world.app, owner);
  const { id } = (await attachmentsOf(world.app, owner)).at(-1);
  return { id };
}

async function deviceOf(world: World, owner: Member): Promise<Target> {
  return { id: expectSuccess(await world.app.as(owner).post('/register_client_device')).device_id };
}

/** Bots have no devices, so they use their owner's. */
const DEVICES: Readonly<Record<string, MakeTarget>> = {
  own: ({ account, friend, isPerson }, world) => deviceOf(world, isPerson && account ? account : friend),
  "somebody else's": (_, world) => deviceOf(world, world.host),
};

const PUSH_FIELDS = {
  token_kind: 'fcm',
  token_id: Buffer.alloc(8, 1).toString('base64'),
  bouncer_public_key: 'a2V5',
  encrypted_push_registration: 'c2VhbGVk',
  push_key_id: 1,
  push_key: Buffer.concat([Buffer.from('1'), Buffer.alloc(32, 1)]).toString('base64'),
};

const APPLE_TOKEN = { token: 'ab12', appid: 'org.example' };

/** A queue as a target; calls identify it by its name. */
async function queueOf({ app }: World, owner: Member): Promise<Target & { name: string; last: number }> {
  const queue = await TestQueue.register(app.as(owner));
  return { id: -1, name: queue.id, last: queue.lastEventId };
}

const QUEUES: Readonly<Record<string, MakeTarget<Awaited<ReturnType<typeof queueOf>>>>> = {
  own: ({ account, friend, name }, world) =>
    queueOf(world, account && name !== 'incoming webhook' ? account : friend),
  "somebody else's": (_, world) => queueOf(world, world.host),
};
const NO_QUEUE = { id: -1, name: '00000000-0000-4000-8000-000000000000', last: -1 };

const fetchState = ({ client }: Actor, type: string) =>
  client.post('/register', {
    fetch_event_types: [type],
    event_types: [],
    client_capabilities: { notification_settings_null: true, archived_channels: true },
  });

export const ACCOUNT_CASES: CaseTable = {
  'GET /attachments': on(
    {
      own: ({ account, friend, name }, world) =>
        attachmentOf(world, account && name !== 'incoming webhook' ? account : friend),
      "somebody else's": (_, world) => attachmentOf(world, world.host),
    },
    ({ client }) => client.get('/attachments'),
    { isDone: ({ body }, { id }) => body.attachments.some((each: Target) => each.id === id), isList: true },
  ),
  'DELETE /attachments/{attachment_id}': on(
    {
      own: ({ account, friend, name }, world) =>
        attachmentOf(world, account && name !== 'incoming webhook' ? account : friend),
      "somebody else's": (_, world) => attachmentOf(world, world.host),
    },
    ({ client }, { id }) => client.delete(`/attachments/${id}`),
  ),
  'GET {site}/avatar/{user_id_or_email}': plain({
    'a person by ID': ({ client }, { host }) => client.send({ method: 'GET', url: `/avatar/${host.id}` }),
    'a person by address': ({ client }, { host }) =>
      client.send({ method: 'GET', url: `/avatar/${host.email}` }),
  }),
  'GET {site}/avatar/{user_id_or_email}/medium': plain({
    'a person by ID': ({ client }, { host }) =>
      client.send({ method: 'GET', url: `/avatar/${host.id}/medium` }),
    'a person by address': ({ client }, { host }) =>
      client.send({ method: 'GET', url: `/avatar/${host.email}/medium` }),
  }),
  'POST /user_uploads': plain({ '': ({ client }) => client.upload('/user_uploads', file) }),

  'PUT /bot_storage': plain({ '': ({ client }) => client.put('/bot_storage', { storage: { a: 'b' } }) }),
  'GET /bot_storage': plain({ '': ({ client }) => client.get('/bot_storage') }),
  'DELETE /bot_storage': plain({ '': ({ client }) => client.delete('/bot_storage') }),

  'GET /bots': on(BOTS_AND_OWNERS, ({ client }) => client.get('/bots'), {
    isDone: ({ body }, { email }) => body.bots.some((bot: { username: string }) => bot.username === email),
    isList: true,
  }),
  'POST /bots': plain(
    Object.fromEntries(
      ['generic', 'incoming webhook', 'outgoing webhook', 'embedded'].map((kind, at) => [
        kind,
        ({ client, name }: Actor) =>
          client.post('/bots', {
            full_name: `${kind} of ${name}`,
            short_name: `${kind}-${name}`.replaceAll(' ', '-'),
            bot_type: at + 1,
            payload_url: '"http://example.com"',
          }),
      ]),
    ),
  ),
  'PATCH /bots/{bot_id}': on(BOTS_AND_OWNERS, ({ client, name }, { id }) =>
    client.patch(`/bots/${id}`, { full_name: `${name} ${id}` }),
  ),
  'DELETE /bots/{bot_id}': on(BOTS_AND_OWNERS, ({ client }, { id }) => client.delete(`/bots/${id}`)),
  'GET /bots/{bot_id}/api_key': on(BOTS_AND_OWNERS, ({ client }, { id }) =>
    client.get(`/bots/${id}/api_key`),
  ),
  'GET /bots/{bot_id}/deliveries': on(BOTS_AND_OWNERS, ({ client }, { id }) =>
    client.get(`/bots/${id}/deliveries`),
  ),
  'POST /bots/{bot_id}/api_key/regenerate': on(BOTS_AND_OWNERS, ({ client }, { id }) =>
    client.post(`/bots/${id}/api_key/regenerate`),
  ),

  'GET /users': plain({ '': ({ client }) => client.get('/users') }),
  'GET /users/me': plain({ '': ({ client }) => client.get('/users/me') }),
  'GET /users/{user_id}': on(
    {
      ...PEOPLE,
      'a bot': BOTS["somebody else's"]!,
      deactivated: (...given) => deactivated(newPerson, ...given),
    },
    ({ client }, { id }) => client.get(`/users/${id}`),
  ),
  'GET /users/{email}': on(
    { 'a member': newPerson },
    ({ client }, { email }) => client.get(`/users/${email}`),
    {
      nothing: { id: -1, name: 'nobody', email: 'nobody@example.com' },
    },
  ),
  'POST /users': plain({
    'without can_create_users': async (...given) => createAccount(await asDouble(...given)),
    'with can_create_users': async (...given) => createAccount(await asDouble(...given, mayCreateAccounts)),
  }),
  'PATCH /users/{user_id}': all(
    on(
      { 'name of own bot': BOTS['own']!, "name of somebody else's bot": BOTS["somebody else's"]! },
      ({ client }, { id }) => client.patch(`/users/${id}`, { full_name: `renamed ${id}` }),
    ),
    on({ 'address of a member': newPerson }, ({ client }, { id }) =>
      client.patch(`/users/${id}`, { new_email: `moved-${id}@example.com` }),
    ),
    on({ 'name of a member': newPerson, 'name of an owner': newOwner }, ({ client }, { id }) =>
      client.patch(`/users/${id}`, { full_name: `renamed ${id}` }),
    ),
    on({ 'role of a member': newPerson, 'role of an owner': newOwner }, ({ client }, { id }) =>
      client.patch(`/users/${id}`, { role: Role.moderator }),
    ),
    on({ 'making a member an owner': newPerson }, ({ client }, { id }) =>
      client.patch(`/users/${id}`, { role: Role.owner }),
    ),
    on({ 'giving a member can_create_users': newPerson }, ({ client }, { id }) =>
      client.patch(`/users/${id}`, { can_create_users: true }),
    ),
    plain({
      'own role': async (actor, world) => {
        const double = await addDouble(world.app, actor);
        const client = double ? world.app.as(double) : world.app.client();
        return client.patch(`/users/${double?.id ?? world.host.id}`, { role: Role.administrator });
      },
    }),
  ),
  'PATCH /users/{email}': on(
    { 'name of a member': newPerson },
    ({ client }, { email, name }) => client.patch(`/users/${email}`, { full_name: `re${name}` }),
    { nothing: { id: -1, name: 'nobody', email: 'nobody@example.com' } },
  ),
  'DELETE /users/{user_id}': on({ ...PEOPLE, 'a bot': BOTS["somebody else's"]! }, ({ client }, { id }) =>
    client.delete(`/users/${id}`),
  ),
  'DELETE /users/me': plain({ '': async (...given) => (await asDouble(...given)).delete('/users/me') }),
  'POST /users/{user_id}/reactivate': on(
    {
      'a member': (...given) => deactivated(newPerson, ...given),
      'an owner': (...given) => deactivated(newOwner, ...given),
      'own bot': (...given) => deactivated(BOTS['own']!, ...given),
      "somebody else's bot": (...given) => deactivated(BOTS["somebody else's"]!, ...given),
      'own bot, an owner': (...given) => deactivated(BOTS_AND_OWNERS['own, an owner']!, ...given),
      "somebody else's bot, an owner": (...given) =>
        deactivated(BOTS_AND_OWNERS["somebody else's, an owner"]!, ...given),
    },
    ({ client }, { id }) => client.post(`/users/${id}/reactivate`),
  ),
  'POST /users/me/api_key/regenerate': plain({
    '': async (...given) => (await asDouble(...given)).post('/users/me/api_key/regenerate'),
  }),
  'PATCH /settings': plain({
    '': ({ client }) => client.patch('/settings', { twenty_four_hour_time: true }),
    'of somebody else': ({ client }, { host }) =>
      client.patch('/settings', {
        twenty_four_hour_time: true,
        target_users: { user_ids: [host.id], skip_if_already_edited: false },
      }),
  }),
  'PATCH /settings/display': plain({
    '': ({ client }) => client.patch('/settings/display', { twenty_four_hour_time: true }),
  }),
  'PATCH /settings/notifications': plain({
    '': ({ client }) => client.patch('/settings/notifications', { enable_sounds: true }),
  }),
  'POST /users/me/avatar': plain({
    '': ({ client }, { picture }) => client.upload('/users/me/avatar', { name: 'a.png', content: picture }),
  }),
  'DELETE /users/me/avatar': plain({ '': ({ client }) => client.delete('/users/me/avatar') }),
  'GET /users/me/alert_words': plain({ '': ({ client }) => client.get('/users/me/alert_words') }),
  'POST /users/me/alert_words': plain({
    '': ({ client }) => client.post('/users/me/alert_words', { alert_words: ['soup'] }),
  }),
  'DELETE /users/me/alert_words': plain({
    '': ({ client }) => client.delete('/users/me/alert_words', { alert_words: ['soup'] }),
  }),
  'GET /navigation_views': plain({ '': ({ client }) => client.get('/navigation_views') }),
  'POST /navigation_views': plain({
    '': ({ client }) =>
      client.post('/navigation_views', { fragment: randomUUID(), is_pinned: true, name: randomUUID() }),
  }),
  'PATCH /navigation_views/{fragment}': plain({
    'own view': async ({ client }) => client.patch(`/navigation_views/${await ownView(client)}`),
  }),
  'DELETE /navigation_views/{fragment}': plain({
    'own view': async ({ client }) => client.delete(`/navigation_views/${await ownView(client)}`),
  }),
  'POST /users/me/onboarding_steps': plain({
    '': ({ client }) =>
      client.post('/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' }),
  }),
  'POST /zcommand': plain({ '': ({ client }) => client.post('/zcommand', { command: '/dark' }) }),
  'POST /users/me/muted_users/{muted_user_id}': on({ '': newPerson }, ({ client }, { id }) =>
    client.post(`/users/me/muted_users/${id}`),
  ),
  'DELETE /users/me/muted_users/{muted_user_id}': on(
    {
      '': async ({ client }, world) => {
        const person = asTarget(await addPerson(world.app));
        await client.post(`/users/me/muted_users/${person.id}`);
        return person;
      },
    },
    ({ client }, { id }) => client.delete(`/users/me/muted_users/${id}`),
  ),
  'POST /mark_all_as_read': plain({ '': ({ client }) => client.post('/mark_all_as_read') }),
  'POST /users/me/presence': plain({
    '': ({ client }) => client.post('/users/me/presence', { status: 'active' }),
  }),
  'GET /realm/presence': plain({ '': ({ client }) => client.get('/realm/presence') }),
  'GET /users/{user_id_or_email}/presence': on({ '': somebodyPresent }, ({ client }, { id }) =>
    client.get(`/users/${id}/presence`),
  ),
  'POST /users/me/status': plain({
    '': ({ client }) => client.post('/users/me/status', { status_text: 'eating' }),
  }),
  'GET /users/{user_id}/status': on({ '': newPerson }, ({ client }, { id }) =>
    client.get(`/users/${id}/status`),
  ),
  'POST /users/{user_id}/status': on(PEOPLE, ({ client }, { id }) =>
    client.post(`/users/${id}/status`, { status_text: 'eating' }),
  ),
  'PATCH /users/me/profile_data': plain({
    '': ({ client }, { profileField }) =>
      client.patch('/users/me/profile_data', { data: [{ id: profileField, value: 'x' }] }),
  }),
  'DELETE /users/me/profile_data': plain({
    '': ({ client }, { profileField }) => client.delete('/users/me/profile_data', { data: [profileField] }),
  }),

  'POST /register_client_device': plain({ '': ({ client }) => client.post('/register_client_device') }),
  'POST /remove_client_device': on(DEVICES, ({ client }, { id }) =>
    client.post('/remove_client_device', { device_id: id }),
  ),
  'POST /mobile_push/register': on(DEVICES, ({ client }, { id }) =>
    client.post('/mobile_push/register', { device_id: id, ...PUSH_FIELDS }),
  ),
  'POST /users/me/apns_device_token': plain({
    '': ({ client }) => client.post('/users/me/apns_device_token', APPLE_TOKEN),
  }),
  'DELETE /users/me/apns_device_token': plain({
    'registered before': async ({ client }) => {
      await client.post('/users/me/apns_device_token', APPLE_TOKEN);
      return client.delete('/users/me/apns_device_token', { token: APPLE_TOKEN.token });
    },
    unknown: ({ client }) => client.delete('/users/me/apns_device_token', { token: 'cd34' }),
  }),
  'POST /users/me/android_gcm_reg_id': plain({
    '': ({ client }) => client.post('/users/me/android_gcm_reg_id', { token: 'x' }),
  }),
  'DELETE /users/me/android_gcm_reg_id': plain({
    'registered before': async ({ client }) => {
      await client.post('/users/me/android_gcm_reg_id', { token: 'x' });
      return client.delete('/users/me/android_gcm_reg_id', { token: 'x' });
    },
    unknown: ({ client }) => client.delete('/users/me/android_gcm_reg_id', { token: 'y' }),
  }),

  'POST /register': all(
    onChannels('streams', {
      call: (actor) => fetchState(actor, 'stream'),
      isDone: ({ body }, { id }) => body.streams.some((each: { stream_id: number }) => each.stream_id === id),
      isList: true,
    }),
    onChannels('subscriptions, unsubscribed, never_subscribed', {
      call: (actor) => fetchState(actor, 'subscription'),
      isDone: ({ body }, { id }) =>
        [...body.subscriptions, ...body.unsubscribed, ...body.never_subscribed].some(
          (each: { stream_id: number }) => each.stream_id === id,
        ),
      isList: true,
    }),
    plain({
      all_public_streams: ({ client }) =>
        client.post('/register', { fetch_event_types: [], all_public_streams: true }),
    }),
  ),
  'GET /events': on(
    QUEUES,
    ({ client }, { name, last }) =>
      client.get('/events', { queue_id: name, last_event_id: last, dont_block: true }),
    { nothing: NO_QUEUE, mayTellName: true },
  ),
  'DELETE /events': on(QUEUES, ({ client }, { name }) => client.delete('/events', { queue_id: name }), {
    nothing: NO_QUEUE,
    mayTellName: true,
  }),
};
