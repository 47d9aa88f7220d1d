import { Role } from '../../src/platform/actor';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { FileStore } from '../../src/platform/files/file-store';
import { PresenceStoreService } from '../../src/features/presence/sightings/presence-store.service';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { Account } from '../../src/features/users/accounts/account.entity';
import type { ApiClient } from '../support/api-client';
import { changeAccount } from '../support/account-setup';
import { addAccount, type Member } from '../support/cast';
import { createChannel, subscribersOf } from '../support/channel-setup';
import type { CompanionClient } from '../support/companion-client';
import { expectError, expectSuccess } from '../support/expect-answer';
import { groupRecord, makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { invite } from '../support/invitation-setup';
import { fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { picturesDone } from '../support/picture-setup';
import { TestApp } from '../support/test-app';
import { begun } from '../support/tus-setup';
import { load, storedFiles } from '../support/upload-setup';

const STRONG = 'seven green umbrellas';

/** What stays of somebody who is deleted, since others need it; rows of every other table go. */
const STAYS: readonly string[] = [
  'attachment.owner_id',
  'audit_entry.actor_id',
  'audit_entry.target_user_id',
  'channel.creator_id',
  'channel_folder.creator_id',
  'custom_emoji.author_id',
  'direct_conversation_member.user_id',
  'mention_set_member.user_id',
  'message.sender_id',
  'muted_user.muted_user_id',
  'organization_export.requester_id',
  'reaction.user_id',
  'submessage.sender_id',
  'upload_space.user_id',
  'user_group.creator_id',
];

/**
 * Columns that refer to accounts, and for which {@link settleIn} makes no row. That of a new table does not belong here:
 * make a row in `settleIn`, so that the test sees it go.
 */
const NOT_SETTLED: readonly string[] = [
  'account.bot_owner_id',
  'attachment.owner_id',
  'bot_service.bot_id',
  'bot_storage.bot_id',
  'channel.creator_id',
  'channel_email_address.sender_id',
  'channel_folder.creator_id',
  'custom_emoji.author_id',
  'mention_set_member.user_id',
  'message.sender_id',
  'sent_echo.user_id',
  'upload_space.user_id',
  'user_group.creator_id',
  'webhook_call.bot_id',
];

/** A picture of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** In a poll. */
const VOTE = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });

let app: TestApp;
let owner: CompanionClient;
let administrator: CompanionClient;
let counter = 0;

beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.companionAs(app.cast.olivia);
  administrator = await app.companionAs(app.cast.adam);
});

afterAll(() => app.stop());

const account = ({ id }: Pick<Member, 'id'>) => app.get(AccountDirectory).byId(id);
const remove = ({ id }: Pick<Member, 'id'>) => administrator.delete(`/auth/users/${id}`);
const find = async ({ id }: Pick<Member, 'id'>) =>
  expectSuccess(await app.as(app.cast.mia).get(`/users/${id}`, { include_custom_profile_fields: true })).user;

async function person(role: Role = Role.member): Promise<Member & { client: ApiClient }> {
  const member = await addAccount(app.nest, {
    deliveryEmail: `person${++counter}@example.com`,
    fullName: `Person ${counter}`,
    role,
  });
  return { ...member, client: app.as(member) };
}

/** Every column that refers to accounts, as `table.column`. */
function referringColumns(): string[] {
  return app
    .get(Database)
    .writeSource.entityMetadatas.flatMap(({ tableName, foreignKeys }) =>
      foreignKeys
        .filter(({ referencedEntityMetadata }) => referencedEntityMetadata.target === Account)
        .map(({ columnNames }) => `${tableName}.${columnNames.join()}`),
    )
    .sort();
}

/** Those of them in which a row refers to this account. */
async function columnsNaming({ id }: Pick<Member, 'id'>): Promise<string[]> {
  const { read } = app.get(Database);
  const found: string[] = [];
  for (const each of referringColumns()) {
    const [table, column] = each.split('.');
    const rows = await read.query(`SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1`, [id]);
    if (rows.length > 0) found.push(each);
  }
  return found;
}

/** Gives somebody everything that people may have without having sent anything. */
async function settleIn({ id, client }: Member & { client: ApiClient }, field: number): Promise<void> {
  const { mia, max, olivia } = app.cast;
  const self = { id };
  const channel = await createChannel(app, mia, `place ${id}`, { principals: [mia.id, id] });
  const message = await sendTo(app, mia, channel, 'lunch', `soup for @**${account(self)?.fullName}**`);
  await sendDirect(app, mia, [self], 'hello');
  const ok = async (answer: ReturnType<ApiClient['get']>) => expectSuccess(await answer);
  await ok(client.post('/mark_all_as_read'));
  await ok(client.get(`/streams/${channel}/email_address`));
  await ok(client.post('/user_topics', { stream_id: channel, topic: 'lunch', visibility_policy: 3 }));
  await ok(client.post(`/messages/${message}/reactions`, { emoji_name: 'tada' }));
  await ok(client.post('/messages/flags', { messages: [message], op: 'add', flag: 'starred' }));
  await ok(client.post('/messages/flags', { messages: [message], op: 'remove', flag: 'read' }));
  await ok(client.post('/users/me/alert_words', { alert_words: ['soup'] }));
  const poll = await sendTo(app, mia, channel, 'lunch', '/poll Soup?');
  await ok(client.post('/submessage', { message_id: poll, msg_type: 'widget', content: VOTE }));
  const draft = { type: 'stream', to: [channel], topic: 'lunch', content: 'Is it' };
  await ok(client.post('/drafts', { drafts: [draft] }));
  const later = { content: 'later', scheduled_delivery_timestamp: 4_000_000_000 };
  await ok(client.post('/scheduled_messages', { type: 'channel', to: channel, topic: 'lunch', ...later }));
  await ok(client.post('/reminders', { message_id: message, scheduled_delivery_timestamp: 4_000_000_000 }));
  await ok(client.post('/saved_snippets', { title: 'soup', content: 'Soup is ready.' }));
  await ok(client.post('/navigation_views', { fragment: 'narrow/soup', is_pinned: true, name: 'Soup' }));
  await ok(client.post('/users/me/onboarding_steps', { onboarding_step: 'intro_resolve_topic' }));
  await ok(client.post(`/users/me/muted_users/${max.id}`));
  await ok(app.as(max).post(`/users/me/muted_users/${id}`));
  await ok(client.post('/users/me/status', { status_text: 'on vacation', emoji_name: 'car' }));
  await ok(client.post('/users/me/presence', { status: 'active', ping_only: false }));
  // Otherwise its row comes into being some time within the next seconds.
  await app.get(PresenceStoreService).flush();
  await ok(client.patch('/users/me/profile_data', { data: [{ id: field, value: '555' }] }));
  await ok(client.patch('/settings', { timezone: 'Europe/Berlin', presence_enabled: false }));
  await ok(client.upload('/users/me/avatar', { name: 'p.png', content: PICTURE }));
  await begun(app, self, 10);
  await ok(client.post('/register_client_device'));
  await ok(client.post('/users/me/android_gcm_reg_id', { token: 'abc' }));
  await ok(client.post('/register'));
  await ok(client.post('/invites', { invitee_emails: `guest${id}@example.com`, stream_ids: [] }));
  await invite(app, olivia, `used${id}@example.com`);
  const identity = [id, 'https://sso.example.com', `person ${id}`, 1];
  await app
    .get(TransactionService)
    .run((tx) =>
      tx.query(
        'INSERT INTO account_identity (user_id, issuer, sub, created_at) VALUES (?, ?, ?, ?)',
        identity,
      ),
    );
  const pending = 'INSERT INTO desktop_sign_in (user_id, digest, grounds, expires_at) VALUES (?, ?, ?, 1)';
  await app.get(TransactionService).run((tx) => tx.query(pending, [id, `digest ${id}`, '{}']));
  const kept = 'INSERT INTO scim_person (user_id, directory) VALUES (?, ?)';
  await app.get(TransactionService).run((tx) => tx.query(kept, [id, 'okta']));
  const factor = `INSERT INTO second_factor
    (user_id, sealed_seed, recovery_codes, is_confirmed, newest_step, created_at) VALUES (?, '', '[]', false, 0, 1)`;
  await app.get(TransactionService).run((tx) => tx.query(factor, [id]));
  const key = `INSERT INTO named_key (user_id, name, nonce, scopes, created_at) VALUES (?, 'x', 'x', 'read', 1)`;
  await app.get(TransactionService).run((tx) => tx.query(key, [id]));
  const push = `INSERT INTO web_push_subscription
    (user_id, session_token_id, endpoint, endpoint_hash, p256dh, auth, vapid_key, created_at)
    VALUES (?, 'x', 'https://push.example.com', ?, 'x', 'x', 'x', 1)`;
  await app.get(TransactionService).run((tx) => tx.query(push, [id, `hash ${id}`]));
  const reply = `INSERT INTO reply_address (user_id, token_hash, key_mark, message_id, created_at)
    VALUES (?, ?, 'x', 1, 1)`;
  await app.get(TransactionService).run((tx) => tx.query(reply, [id, `hash ${id}`]));
  const mail = `INSERT INTO received_mail (user_id, digest, target, options, received_at)
    VALUES (?, ?, 'reply:x', '', 1)`;
  await app.get(TransactionService).run((tx) => tx.query(mail, [id, `digest ${id}`]));
  const missed = `INSERT INTO missed_message (user_id, message_id, noted_at, due_at, was_active)
    SELECT ?, MIN(id), 1, 2, false FROM message`;
  await app.get(TransactionService).run((tx) => tx.query(missed, [id]));
  const sent = 'INSERT INTO sent_scheduled_message (id, user_id, sent_at) VALUES (?, ?, 1)';
  await app.get(TransactionService).run((tx) => tx.query(sent, [id * 1_000, id]));
  const used = ['used', id, `used${id}@example.com`];
  await app
    .get(TransactionService)
    .run((tx) => tx.query('UPDATE invitation SET state = ?, used_by_id = ? WHERE email = ?', used));
  const requested = `INSERT INTO organization_export (requester_id, type, file_key, requested_at, failed_at)
    VALUES (?, 'public', 'key', 1, 2)`;
  await app.get(TransactionService).run((tx) => tx.query(requested, [id]));
  await makeGroup(app, olivia, `group ${id}`, { members: [id, mia.id] });
  await ok(
    app.as(olivia).patch(`/streams/${channel}`, {
      can_send_message_group: { new: peopleAlone({ ...mia, id }, mia) },
    }),
  );
}

describe('Deleting a person', () => {
  it('removes all that is theirs and leaves a tombstone [COMP-users-delete, USER-is_deleted]', async () => {
    const { mia, olivia } = app.cast;
    const { id: field } = expectSuccess(
      await app.as(olivia).post('/realm/profile_fields', { name: 'Phone', field_type: 1 }),
    );
    const gone = await person(Role.administrator);
    await app.expectLaw(async () => {
      await settleIn(gone, field);
      expectSuccess(
        await app.as(mia).post('/messages/flags/narrow', {
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          op: 'add',
          flag: 'read',
          narrow: [],
        }),
      );
    });
    expect((await owner.patch(`/auth/users/${gone.id}`, { password: STRONG })).status).toBe(200);
    const session = await app.companion().signIn(gone.email, STRONG);
    // The new password has ended what there was.
    const device = `INSERT INTO remembered_device (user_id, digest, expires_at) VALUES (?, 'digest', 1)`;
    await app.get(TransactionService).run((tx) => tx.query(device, [gone.id]));
    const desktop = `INSERT INTO desktop_sign_in (user_id, digest, grounds, expires_at) VALUES (?, 'x', '{}', 1)`;
    await app.get(TransactionService).run((tx) => tx.query(desktop, [gone.id]));
    const passkey = `INSERT INTO passkey (user_id, algorithm, name, credential_id, public_key, site, sign_count, created_at)
      VALUES (?, -7, 'x', 'x', 'x', 'x', 0, 1)`;
    await app.get(TransactionService).run((tx) => tx.query(passkey, [gone.id]));
    const channel = await channelOf(gone);
    const group = await groupOf(gone);
    const { avatarKey } = account(gone) ?? {};
    const before = await columnsNaming(gone);
    expect(referringColumns().filter((column) => !before.includes(column))).toEqual(NOT_SETTLED);

    await app.expectLaw(async () => {
      expect(await owner.delete(`/auth/users/${gone.id}`)).toMatchObject({ status: 204, body: '' });
    });

    const after = await columnsNaming(gone);
    expect(after.filter((column) => !STAYS.includes(column))).toEqual([]);
    expect(before.filter((column) => STAYS.includes(column))).toEqual(after);
    expect(await find(gone)).toEqual({
      user_id: gone.id,
      full_name: `Deleted user ${gone.id}`,
      email: `user${gone.id}@chat.example.com`,
      delivery_email: null,
      is_active: false,
      is_deleted: true,
      role: Role.member,
      is_admin: false,
      is_owner: false,
      is_guest: false,
      is_bot: false,
      bot_type: null,
      bot_owner_id: null,
      timezone: '',
      avatar_url: expect.stringMatching(/^https:\/\/secure\.gravatar\.com\//),
      avatar_version: 3,
      date_joined: expect.any(String),
      is_imported_stub: false,
      profile_data: {},
    });
    await expect(subscribersOf(app, channel)).resolves.toEqual([mia.id]);
    expect((await groupRecord(app, group))?.members).toEqual([mia.id]);
    expect((await session.get('/auth/me')).status).toBe(401);
    expect((await gone.client.get('/users/me')).status).toBe(401);
    const login = await app.companion().post('/auth/login', { email: gone.email, password: STRONG });
    expect(login.status).toBe(401);
    const picture = `avatars/${avatarKey?.slice(0, 2)}/${avatarKey}.png`;
    expect(avatarKey).toHaveLength(40);
    await expect(app.get(FileStore).open(picture)).resolves.toBeNull();
    expect(JSON.stringify(account(gone))).not.toMatch(/Person|person|Berlin/);
  });

  it('frees the address, and never brings the person back [COMP-users-delete]', async () => {
    const { adam, olivia } = app.cast;
    const gone = await person();
    expect((await remove(gone)).status).toBe(204);
    expectError(await app.as(adam).post(`/users/${gone.id}/reactivate`), 'User is deleted');
    expectError(await app.as(adam).patch(`/users/${gone.id}`, { full_name: 'Back' }), 'User is deleted');
    for (const answer of [
      await remove(gone),
      await owner.patch(`/auth/users/${gone.id}`, { is_active: true }),
      await owner.patch(`/auth/users/${gone.id}`, { password: STRONG }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { detail: 'User is deleted' } });
    }
    expect(await owner.get(`/auth/users/${gone.id}`)).toMatchObject({
      status: 200,
      body: { email: null, is_deleted: true, is_active: false, full_name: `Deleted user ${gone.id}` },
    });
    const ids = ({ body }: { body: { items: { user_id: number }[] } }) =>
      body.items.map(({ user_id }) => user_id);
    expect(ids(await owner.get('/auth/users?limit=100'))).not.toContain(gone.id);
    expect(ids(await owner.get('/auth/users?is_deleted=true'))).toContain(gone.id);

    const body = { email: gone.email, full_name: 'Somebody Else', password: STRONG };
    const answer = await owner.post('/auth/users', body);
    expect(answer).toMatchObject({ status: 201, body: { email: gone.email } });
    expect(answer.body.user_id).not.toBe(gone.id);
    expectSuccess(await app.as(olivia).get(`/users/${gone.email}`));
  });

  it('is possible for people who are deactivated already, unseen by the groups and channels they were in', async () => {
    const { mia } = app.cast;
    const gone = await person(Role.guest);
    const channel = await createChannel(app, mia, 'quiet', { principals: [mia.id, gone.id] });
    expect((await administrator.patch(`/auth/users/${gone.id}`, { is_active: false })).status).toBe(200);
    const events = await app.captureEvents(() => app.expectLaw(() => remove(gone)));
    const kinds = new Set(events.map(({ event }) => event.type));
    expect([...kinds]).toEqual(['realm_user']);
    expect(await find(gone)).toMatchObject({ is_deleted: true });
    await expect(subscribersOf(app, channel)).resolves.toEqual([mia.id]);
    await expect(columnsNaming(gone)).resolves.toEqual(['audit_entry.target_user_id']);
  });

  it('is told to restricted guests as far as they see the person', async () => {
    const { mia, gus, olivia } = app.cast;
    const restrict = async (name: 'role:members' | 'role:everyone') =>
      expectSuccess(
        await app
          .as(olivia)
          .patch('/realm', { can_access_all_users_group: { new: systemGroupId(app, name) } }),
      );
    const [neighbour, partner, stranger] = [await person(), await person(), await person()];
    await createChannel(app, mia, 'shared', { principals: [mia.id, gus.id, neighbour.id] });
    await sendDirect(app, gus, [partner]);
    await restrict('role:members');
    for (const gone of [neighbour, partner, stranger]) {
      expectSuccess(await gone.client.post('/users/me/status', { status_text: 'here' }));
      await app.expectLaw(async () => expect((await remove(gone)).status).toBe(204));
    }
    expect((await app.as(gus).get(`/users/${partner.id}`)).body.user).toMatchObject({ is_deleted: true });
    expectError(await app.as(gus).get(`/users/${neighbour.id}`), 'Insufficient permission');
    await restrict('role:everyone');
  });

  it('keeps conversations of others as they were', async () => {
    const { mia } = app.cast;
    const gone = await person();
    const message = await sendDirect(app, mia, [gone]);
    expectSuccess(await gone.client.post(`/messages/${message}/reactions`, { emoji_name: 'tada' }));
    expect((await remove(gone)).status).toBe(204);
    const { display_recipient, reactions } = await fetchMessage(app, mia, message);
    expect(display_recipient).toContainEqual(
      expect.objectContaining({ id: gone.id, full_name: `Deleted user ${gone.id}` }),
    );
    expect(reactions).toMatchObject([{ user_id: gone.id, emoji_name: 'tada' }]);
    const answer = await app.as(mia).post('/messages', { type: 'direct', to: [gone.id], content: 'hi' });
    expect(answer).toMatchObject({ status: 400, body: { result: 'error' } });
  });

  it('removes files that no message links, and keeps the others for their readers', async () => {
    const { mia } = app.cast;
    const gone = await person();
    const channel = await createChannel(app, mia, 'files', { principals: [mia.id, gone.id] });
    const upload = async (name: string) =>
      expectSuccess(await gone.client.upload('/user_uploads', { name, content: PICTURE })).url as string;
    const linked = await upload('linked.png');
    const alone = await upload('alone.png');
    const first = await sendTo(app, gone, channel, 'a', `[file](${linked})`);
    await sendTo(app, mia, channel, 'a', `[file](${linked})`);
    expect((await remove(gone)).status).toBe(409);
    expectSuccess(await app.as(app.cast.olivia).delete(`/messages/${first}`));
    await picturesDone(app);
    const used = async () => expectSuccess(await app.as(mia).get('/attachments')).upload_space_used as number;
    const before = await used();
    const versions = storedFiles(app, 'thumbnails').length;
    expect((await remove(gone)).status).toBe(204);
    expect(storedFiles(app, 'thumbnails')).toHaveLength(versions - 1);
    const version = await load(
      app,
      mia,
      `${linked.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`,
    );
    expect(before - (await used())).toBe(PICTURE.length + version.body.length);
    expectSuccess(await app.as(mia).get(linked));
    expect((await app.as(mia).get(alone)).status).toBe(404);
    await expect(columnsNaming(gone)).resolves.toContain('attachment.owner_id');
  });
});

describe('What refers to a person', () => {
  it('keeps whoever sent messages, owns bots or alone holds permissions [COMP-users-references]', async () => {
    const { mia } = app.cast;
    const needed = await person();
    const channel = await createChannel(app, needed, 'own place', { principals: [needed.id, mia.id] });
    const group = await makeGroup(app, needed, 'own group');
    const { user_id: bot } = expectSuccess(
      await needed.client.post('/bots', { full_name: 'Own Bot', short_name: 'own', bot_type: 1 }),
    );
    const ids = [await sendTo(app, needed, channel, 'a'), await sendTo(app, needed, channel, 'a')];
    const references = {
      messages: { count: 2, newest_message_id: ids[1] },
      bots: [{ user_id: bot, full_name: 'Own Bot', is_active: true }],
      channels: [{ channel_id: channel, name: 'own place', settings: ['can_administer_channel_group'] }],
      user_groups: [
        { group_id: group, name: 'own group', settings: ['can_add_members_group', 'can_manage_group'] },
      ],
    };
    const refused = await remove(needed);
    expect(refused).toMatchObject({ status: 409, body: { references } });
    expect(refused.body.detail).toBe(
      'This person sent 2 messages, and owns the bot Own Bot, and alone holds permissions of the channel own place ' +
        '(can_administer_channel_group), and alone holds permissions of the user group own group ' +
        '(can_add_members_group, can_manage_group). Deactivate the person instead, or hand over what is named.',
    );
    expect(account(needed)).toMatchObject({ isActive: true, isDeleted: false });

    // A person out of use is needed no less, and so are bots out of use.
    await changeAccount(app, needed, { isActive: false });
    await changeAccount(app, { id: bot }, { isActive: false });
    expect((await remove(needed)).body.references).toEqual({
      ...references,
      bots: [{ user_id: bot, full_name: 'Own Bot', is_active: false }],
    });
    const olivia = app.as(app.cast.olivia);
    for (const id of ids) expectSuccess(await olivia.delete(`/messages/${id}`));
    expectSuccess(await olivia.patch(`/bots/${bot}`, { bot_owner_id: mia.id }));
    expectSuccess(await olivia.delete(`/streams/${channel}`));
    expect(Object.keys((await remove(needed)).body.references)).toEqual(['user_groups']);
    const nobody = { new: peopleAlone(mia) };
    expectSuccess(
      await olivia.patch(`/user_groups/${group}`, {
        can_manage_group: nobody,
        can_add_members_group: nobody,
      }),
    );
    expect((await remove(needed)).status).toBe(204);
  });
});

async function channelOf({ id }: Member): Promise<number> {
  const [row] = await app
    .get(Database)
    .read.query<{ id: number }>('SELECT channel_id AS id FROM subscription WHERE user_id = ?', [id]);
  return row?.id as number;
}

async function groupOf({ id }: Member): Promise<number> {
  const [row] = await app
    .get(Database)
    .read.query<{ id: number }>('SELECT id FROM user_group WHERE name = ?', [`group ${id}`]);
  return row?.id as number;
}
