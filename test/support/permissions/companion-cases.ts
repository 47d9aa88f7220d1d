import { randomUUID } from 'node:crypto';
import { Role } from '../../../src/platform/actor';
import { PASSWORD, type Member } from '../cast';
import type { CompanionClient } from '../companion-client';
import { deliver, formDelivery, VERIFY_TOKEN } from '../messaging-setup';
import type { TestApp } from '../test-app';
import { addBot, addPerson, companionOf, mayCreateAccounts, type Actor } from './actors';
import type { CaseTable, World } from './case';
import type { Target } from './outcome';
import { all, on, plain, type MakeTarget } from './plain-cases';

const asTarget = ({ id, fullName }: Member): Target => ({ id, name: fullName });

const ofRole =
  (role: Role): MakeTarget =>
  async (_, { app }) =>
    asTarget(await addPerson(app, role));
const newBot: MakeTarget = async (_, { app, host }) => asTarget(await addBot(app, host));

const A_MEMBER = { 'a member': ofRole(Role.member) };
const PEOPLE = { ...A_MEMBER, 'an owner': ofRole(Role.owner) };
const PEOPLE_AND_BOTS = { ...PEOPLE, 'a bot': newBot };

const NEW_PASSWORD = 'seven quiet herons in the reeds';

/** A person like the actor who has just signed in, for actions that end sessions or delete an account. */
async function doubleOf(
  actor: Actor,
  { app, passwordHash }: World,
  prepare: (double: Member, app: TestApp) => Promise<void> = async () => undefined,
): Promise<CompanionClient> {
  const { account, isPerson } = actor;
  if (!account || !isPerson) return actor.companion;
  const double = await addPerson(app, account.role, passwordHash);
  await prepare(double, app);
  return companionOf(app, double, true);
}

const own: MakeTarget = (actor) => asTarget(actor.account ?? actor.friend);

/** A new session of a person. */
async function sessionOf(who: Member, { app }: World): Promise<Target> {
  const client = await app.companionAs(who);
  const { body } = await client.get('/auth/sessions?page_size=100');
  return { id: body.items.find((session: { is_current: boolean }) => session.is_current).id };
}

/** A session of a new person, as a target that calls also identify by the person. */
function sessionOfNew(role: Role): MakeTarget<Target & { readonly userId: number }> {
  return async (_, world) => {
    const person = await addPerson(world.app, role, world.passwordHash);
    return { ...(await sessionOf(person, world)), userId: person.id };
  };
}

/** A trusted browser of a person, which skips the second factor. */
function browserOf(whose: (actor: Actor, world: World) => Member): MakeTarget {
  return async (actor, world) => {
    const now = Math.floor(Date.now() / 1000);
    return world.app.writeRows((tx) =>
      tx.queryOne<{ id: number }>(
        'INSERT INTO remembered_device (user_id, digest, expires_at) VALUES (?, ?, ?) RETURNING id',
        [whose(actor, world).id, randomUUID(), now + 3600],
      ),
    );
  };
}

const SESSIONS = { 'a member': sessionOfNew(Role.member), 'an owner': sessionOfNew(Role.owner) };

export const COMPANION_CASES: CaseTable = {
  'POST {site}/api/auth/login': plain({
    'own password': async (actor, { app, passwordHash }) => {
      const { account, isPerson } = actor;
      const double = isPerson && account ? await addPerson(app, account.role, passwordHash) : account;
      const email = double?.email ?? 'stranger@example.com';
      return app.companion().post('/auth/login', { email, password: PASSWORD });
    },
    'wrong password': async (actor, { app, passwordHash }) => {
      const { email } = await addPerson(app, actor.account?.role, passwordHash);
      return app.companion().post('/auth/login', { email, password: 'guess' });
    },
  }),
  'POST {site}/api/auth/logout': plain({
    '': async (actor, world) => (await doubleOf(actor, world)).post('/auth/logout'),
  }),
  'GET {site}/api/auth/audit-log': plain({ '': ({ companion }) => companion.get('/auth/audit-log') }),
  'GET {site}/api/server/status': plain({ '': ({ companion }) => companion.get('/server/status') }),
  'GET {site}/api/server/configuration': plain({
    '': ({ companion }) => companion.get('/server/configuration'),
  }),
  'GET {site}/api/auth/me': plain({ '': ({ companion }) => companion.get('/auth/me') }),
  'PATCH {site}/api/auth/me/password': plain({
    '': async (actor, world) =>
      (await doubleOf(actor, world)).patch('/auth/me/password', {
        current_password: PASSWORD,
        new_password: NEW_PASSWORD,
      }),
  }),
  'GET {site}/api/auth/sessions': plain({ '': ({ companion }) => companion.get('/auth/sessions') }),
  'DELETE {site}/api/auth/sessions': plain({
    '': async (actor, world) => (await doubleOf(actor, world)).delete('/auth/sessions'),
  }),
  'DELETE {site}/api/auth/sessions/{session_id}': on(
    {
      own: ({ account, isPerson }, world) => sessionOf(isPerson && account ? account : world.host, world),
      "somebody else's": (_, world) => sessionOf(world.host, world),
    },
    ({ companion }, { id }) => companion.delete(`/auth/sessions/${id}`),
  ),
  'GET {site}/api/auth/remembered-browsers': plain({
    '': ({ companion }) => companion.get('/auth/remembered-browsers'),
  }),
  'DELETE {site}/api/auth/remembered-browsers': plain({
    '': ({ companion }) => companion.delete('/auth/remembered-browsers'),
  }),
  'DELETE {site}/api/auth/remembered-browsers/{browser_id}': on(
    {
      own: browserOf(({ account, isPerson }, { host }) => (isPerson && account ? account : host)),
      "somebody else's": browserOf((_, { host }) => host),
    },
    ({ companion }, { id }) => companion.delete(`/auth/remembered-browsers/${id}`),
  ),

  'GET {site}/api/auth/users': plain({ '': ({ companion }) => companion.get('/auth/users') }),
  'POST {site}/api/auth/users': plain({
    'a member, without can_create_users': async (...given) => create(await doubleOf(...given), 'member'),
    'a member, with can_create_users': async (...given) =>
      create(await doubleOf(...given, mayCreateAccounts), 'member'),
    'an owner, with can_create_users': async (...given) =>
      create(await doubleOf(...given, mayCreateAccounts), 'owner'),
  }),
  'GET {site}/api/auth/users/{user_id}': on(PEOPLE_AND_BOTS, ({ companion }, { id }) =>
    companion.get(`/auth/users/${id}`),
  ),
  'PATCH {site}/api/auth/users/{user_id}': all(
    ...Object.entries({
      'name of': (id: number) => ({ full_name: `Renamed ${id}` }),
      'role of': () => ({ role: 'moderator' }),
      'password of': () => ({ password: NEW_PASSWORD }),
      deactivating: () => ({ is_active: false }),
    }).map(([what, change]) =>
      on(
        Object.fromEntries(Object.entries(PEOPLE_AND_BOTS).map(([who, make]) => [`${what} ${who}`, make])),
        ({ companion }, { id }) => companion.patch(`/auth/users/${id}`, change(id)),
      ),
    ),
    on({ 'making a member an owner': ofRole(Role.member) }, ({ companion }, { id }) =>
      companion.patch(`/auth/users/${id}`, { role: 'owner' }),
    ),
    on({ 'giving a member can_create_users': ofRole(Role.member) }, ({ companion }, { id }) =>
      companion.patch(`/auth/users/${id}`, { can_create_users: true }),
    ),
    on({ 'own role': own }, ({ companion }, { id }) =>
      companion.patch(`/auth/users/${id}`, { role: 'guest' }),
    ),
    on({ 'own password': own }, ({ companion }, { id }) =>
      companion.patch(`/auth/users/${id}`, { password: NEW_PASSWORD }),
    ),
    on({ 'deactivating oneself': own }, ({ companion }, { id }) =>
      companion.patch(`/auth/users/${id}`, { is_active: false }),
    ),
  ),
  'DELETE {site}/api/auth/users/{user_id}': on(
    { ...PEOPLE_AND_BOTS, oneself: own },
    ({ companion }, { id }) => companion.delete(`/auth/users/${id}`),
  ),
  'POST {site}/api/auth/users/{user_id}/password-link': on(PEOPLE_AND_BOTS, ({ companion }, { id }) =>
    companion.post(`/auth/users/${id}/password-link`),
  ),
  'GET {site}/api/auth/users/{user_id}/sessions': on(PEOPLE_AND_BOTS, ({ companion }, { id }) =>
    companion.get(`/auth/users/${id}/sessions`),
  ),
  'DELETE {site}/api/auth/users/{user_id}/sessions': on(PEOPLE_AND_BOTS, ({ companion }, { id }) =>
    companion.delete(`/auth/users/${id}/sessions`),
  ),
  'DELETE {site}/api/auth/users/{user_id}/sessions/{session_id}': on(
    SESSIONS,
    ({ companion }, { id, userId }) => companion.delete(`/auth/users/${userId}/sessions/${id}`),
  ),

  'GET {site}/api/docs': plain({ '': ({ companion }) => companion.get('/docs') }),
  'GET {site}/api/docs-json': plain({ '': ({ companion }) => companion.get('/docs-json') }),
  'GET {site}/api/docs.js': plain({ '': ({ companion }) => companion.get('/docs.js') }),
  'GET {site}/api/docs/session': plain({ '': ({ companion }) => companion.get('/docs/session') }),

  'GET {site}/api/messaging/mock-log': plain({ '': ({ companion }) => companion.get('/messaging/mock-log') }),
  'GET {site}/api/messaging/webhook': plain({
    'with the token for it': ({ companion }) => handshake(companion, VERIFY_TOKEN),
    'with another token': ({ companion }) => handshake(companion, 'guess'),
  }),
  'POST {site}/api/messaging/webhook': plain({
    'with the secret for it': (_, { app }) => deliver(app, formDelivery()),
    'without it': ({ companion }) => companion.post('/messaging/webhook', formDelivery()),
  }),
};

const create = (companion: CompanionClient, role: string) =>
  companion.post('/auth/users', {
    email: `${randomUUID()}@example.com`,
    password: NEW_PASSWORD,
    full_name: 'New',
    role,
  });

const handshake = (client: CompanionClient, token: string) =>
  client.get(
    `/messaging/webhook?hub.mode=subscribe&hub.verify_token=${encodeURIComponent(token)}&hub.challenge=1`,
  );
