import type { SqlValue } from '../../src/platform/sql/queryable';
import { Database } from '../../src/platform/database/database.service';
import { AccountDirectory, type AccountRecord } from '../../src/features/users/accounts/account.directory';
import type { Answer, ApiClient, Parameters } from './api-client';
import type { CompanionClient } from './companion-client';
import type { Member } from './cast';
import { NothingToChoose, Random } from './random';
import type { TestApp } from './test-app';

const CHANNEL_NAMES = ['alpha', 'Beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const TOPICS = ['lunch', 'Dinner', 'news', '', 'noise'];
const WORDS = [
  'hello',
  'soup',
  '@**all**',
  '@**Max Member**',
  '@**topic**',
  '**bold**',
  '#**alpha**',
  ':tada:',
];
const ROLES = [200, 300, 400, 600];
const CHANNEL_PERMISSIONS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_remove_subscribers_group',
  'can_subscribe_group',
  'can_delete_any_message_group',
];
const GROUP_PERMISSIONS = ['can_join_group', 'can_leave_group', 'can_manage_group', 'can_mention_group'];
const ORGANIZATION_PERMISSIONS = [
  'can_create_groups',
  'can_create_private_channel_group',
  'can_create_public_channel_group',
  'can_create_web_public_channel_group',
  'can_mention_many_users_group',
  'can_invite_users_group',
  'can_add_subscribers_group',
];
const PERSONAL_SWITCHES = ['enter_sends', 'twenty_four_hour_time', 'enable_stream_push_notifications'];

/** A one-pixel picture. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The result of one step. */
export interface Step {
  readonly name: string;
  readonly actor: string;
  /** Null if there was nothing to act on. */
  readonly answer: Answer | null;
  readonly request: string;
}

type Operation = (client: ApiClient, actor: AccountRecord) => Promise<Answer>;

/**
 * Performs random operations as people of all roles, most of which are refused. Everyone but the cast may be
 * deactivated; the owner stays the owner.
 */
export class RandomOperations {
  private readonly random: Random;
  private readonly spare: number[] = [];
  private counter = 0;
  private request = '';

  constructor(
    private readonly app: TestApp,
    seed: number,
    /** People who may be deactivated and deleted. */
    spare: readonly Pick<Member, 'id'>[],
    /** The owner, signed in to the companion interface. */
    private readonly owner: CompanionClient,
  ) {
    this.random = new Random(seed);
    this.spare.push(...spare.map(({ id }) => id));
  }

  /** Names of all operations. */
  get names(): string[] {
    return Object.keys(this.operations);
  }

  async step(): Promise<Step> {
    const name = this.random.of(this.random.chance(30) ? FREQUENT : this.names);
    const actor = this.actorFor(name);
    this.request = '';
    const done = { name, actor: actor.fullName };
    try {
      const answer = await this.operations[name]!(this.watched(this.app.as(actor)), actor);
      return { ...done, answer, request: this.request };
    } catch (error) {
      if (error instanceof NothingToChoose) return { ...done, answer: null, request: this.request };
      throw error;
    }
  }

  private readonly operations: Readonly<Record<string, Operation>> = {
    subscribe: (client) =>
      client.post('/users/me/subscriptions', {
        subscriptions: [{ name: this.random.of(CHANNEL_NAMES), description: 'A **place**' }],
        principals: this.random.chance(60) ? this.someUserIds(5) : undefined,
        invite_only: this.random.chance(30),
        is_web_public: this.random.chance(10),
        is_default_stream: this.random.chance(10),
        history_public_to_subscribers: this.random.chance(30) ? true : undefined,
        send_new_subscription_messages: this.random.chance(20),
        announce: this.random.chance(20),
      }),
    unsubscribe: async (client) =>
      client.delete('/users/me/subscriptions', {
        subscriptions: [this.random.of(await this.channels()).name],
        principals: this.random.chance(50) ? this.someUserIds() : undefined,
      }),
    'create channel': (client) =>
      client.post('/channels/create', {
        name: `${this.random.of(CHANNEL_NAMES)} ${++this.counter}`,
        subscribers: this.someUserIds(),
        invite_only: this.random.chance(40),
        [this.random.of(CHANNEL_PERMISSIONS)]: this.groupValue(),
      }),
    'change channel': async (client) => {
      const { id, name } = this.random.of(await this.channels());
      return client.patch(`/streams/${id}`, this.channelChange(name));
    },
    'give permission of channel': async (client) =>
      client.patch(`/streams/${this.random.of(await this.channels()).id}`, {
        [this.random.of(CHANNEL_PERMISSIONS)]: { new: this.groupValue() },
      }),
    'who posts': async (client) =>
      client.patch(`/streams/${this.random.of(await this.channels()).id}`, {
        can_send_message_group: {
          new: this.systemGroupId(this.random.of(['role:everyone', 'role:moderators'])),
        },
      }),
    'archive channel': async (client) =>
      client.delete(`/streams/${this.random.of(await this.channels()).id}`),
    'unarchive channel': async (client) =>
      client.patch(`/streams/${this.random.of(await this.channels(true)).id}`, { is_archived: false }),
    'default channel': async (client) => {
      const stream_id = this.random.of(await this.channels()).id;
      return this.random.chance(60)
        ? client.post('/default_streams', { stream_id })
        : client.delete('/default_streams', { stream_id });
    },
    'default channel group': async (client) =>
      client.post('/default_stream_groups/create', {
        group_name: `Choice ${++this.counter}`,
        description: '',
        stream_names: this.random.some(await this.channels(), 3).map(({ name }) => name),
      }),
    'subscription setting': async (client, actor) => {
      const stream_id = this.random.of(await this.channelsOf(actor)).id;
      const property = this.random.of(['is_muted', 'pin_to_top', 'color', 'push_notifications']);
      const value = property === 'color' ? '#c0ffee' : this.random.chance(50);
      return client.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id, property, value }],
      });
    },
    'topic policy': async (client) =>
      client.post('/user_topics', {
        stream_id: this.random.of(await this.channels()).id,
        topic: this.random.of(TOPICS),
        visibility_policy: this.random.below(4),
      }),
    'create folder': (client) =>
      client.post('/channel_folders/create', { name: `Folder ${++this.counter}`, description: 'For *all*' }),
    'change folder': async (client) =>
      client.patch(`/channel_folders/${this.random.of(await this.ids('channel_folder'))}`, {
        ...(this.random.chance(50) ? { name: `Folder ${++this.counter}` } : {}),
        ...(this.random.chance(30) ? { is_archived: this.random.chance(50) } : {}),
        description: this.random.of(WORDS),
      }),
    'order folders': async (client) => {
      const order = await this.ids('channel_folder');
      return client.patch('/channel_folders', { order: order.sort(() => this.random.below(3) - 1) });
    },

    'create user': async (client) => {
      if (this.spare.length > 12) throw new NothingToChoose();
      const name = `person${++this.counter}`;
      const answer = await client.post('/users', {
        email: `${name}@example.com`,
        password: 'eleven brass trumpets',
        full_name: `Person ${this.counter}`,
      });
      if (answer.status === 200) this.spare.push(answer.body.user_id);
      return answer;
    },
    'change role': (client) =>
      client.patch(`/users/${this.random.of(this.others().map(({ id }) => id))}`, {
        role: this.random.of(ROLES),
      }),
    'rename user': (client) =>
      client.patch(`/users/${this.random.of(this.others()).id}`, { full_name: `Name ${++this.counter}` }),
    deactivate: (client) => client.delete(`/users/${this.random.of(this.spare)}`),
    reactivate: (client) =>
      client.post(
        `/users/${this.random.of(this.accounts().filter(({ isActive }) => !isActive)).id}/reactivate`,
      ),
    'manage user': () =>
      this.owner.patch(`/auth/users/${this.random.of(this.spare)}`, {
        ...(this.random.chance(50) ? { role: this.random.of(['administrator', 'member', 'guest']) } : {}),
        ...(this.random.chance(60) ? { is_active: this.random.chance(60) } : {}),
        ...(this.random.chance(20) ? { full_name: `Name ${++this.counter}` } : {}),
      }),
    'delete user': () => this.owner.delete(`/auth/users/${this.random.of(this.spare)}`),
    'own settings': (client) =>
      client.patch('/settings', {
        [this.random.of(PERSONAL_SWITCHES)]: this.random.chance(50),
        ...(this.random.chance(30) ? { full_name: `Name ${++this.counter}` } : {}),
        ...(this.random.chance(30) ? { email_address_visibility: 1 + this.random.below(5) } : {}),
        ...(this.random.chance(20) ? { timezone: this.random.of(['Europe/Berlin', 'Asia/Tokyo']) } : {}),
      }),
    picture: (client) =>
      this.random.chance(60) ? this.upload(client, '/users/me/avatar') : client.delete('/users/me/avatar'),
    'create profile field': (client) =>
      client.post('/realm/profile_fields', {
        name: `Field ${++this.counter}`,
        field_type: this.random.chance(50) ? 1 : 3,
        field_data: { a: { text: 'A', order: '1' }, b: { text: 'B', order: '2' } },
      }),
    'change profile field': async (client) =>
      client.patch(`/realm/profile_fields/${this.random.of(await this.ids('custom_profile_field'))}`, {
        name: `Field ${++this.counter}`,
        field_data: { a: { text: 'A', order: '1' } },
      }),
    'remove profile field': async (client) =>
      client.delete(`/realm/profile_fields/${this.random.of(await this.ids('custom_profile_field'))}`),
    'profile value': async (client) => {
      const id = this.random.of(await this.ids('custom_profile_field'));
      return this.random.chance(70)
        ? client.patch('/users/me/profile_data', { data: [{ id, value: this.random.of(['a', 'b', '*x*']) }] })
        : client.delete('/users/me/profile_data', { data: [id] });
    },
    'create bot': (client) => {
      if (this.accounts().filter(({ isBot }) => isBot).length > 6) throw new NothingToChoose();
      return client.post('/bots', {
        full_name: `Bot ${++this.counter}`,
        short_name: `bot${this.counter}`,
        bot_type: this.random.of([1, 2, 3]),
        payload_url: '"https://example.com/hook"',
        service_name: 'hook',
      });
    },
    'change bot': async (client) =>
      client.patch(`/bots/${this.random.of(this.spareBots()).id}`, {
        ...(this.random.chance(30) ? { bot_owner_id: this.random.of(this.accounts()).id } : {}),
        ...(this.random.chance(50)
          ? { default_sending_stream: this.random.of(await this.channels()).name }
          : {}),
        ...(this.random.chance(20) ? { default_sending_stream: '' } : {}),
        default_all_public_streams: this.random.chance(50),
      }),
    'deactivate bot': (client) => client.delete(`/bots/${this.random.of(this.spareBots()).id}`),
    'own status': (client) =>
      client.post('/users/me/status', {
        ...(this.random.chance(60) ? { status_text: this.random.of(['', 'busy', 'on the road']) } : {}),
        ...(this.random.chance(60) ? { emoji_name: this.random.of(['', 'car', 'tada']) } : {}),
        ...(this.random.chance(20) ? { away: this.random.chance(50) } : {}),
      }),
    device: (client) => client.post('/register_client_device'),
    'alert words': (client) =>
      this.random.chance(60)
        ? client.post('/users/me/alert_words', { alert_words: [this.random.of(WORDS)] })
        : client.delete('/users/me/alert_words', { alert_words: [this.random.of(WORDS)] }),
    'mute user': (client) => {
      const path = `/users/me/muted_users/${this.random.of(this.accounts()).id}`;
      return this.random.chance(60) ? client.post(path) : client.delete(path);
    },

    'create group': async (client) =>
      client.post('/user_groups/create', {
        name: `Group ${++this.counter}`,
        description: '',
        members: this.someUserIds(),
        subgroups: this.random.some(await this.groupIds(), 1),
        [this.random.of(GROUP_PERMISSIONS)]: this.groupValue(),
      }),
    'change group': async (client) =>
      client.patch(`/user_groups/${this.random.of(await this.groupIds())}`, {
        ...(this.random.chance(40) ? { name: `Group ${++this.counter}` } : {}),
        ...(this.random.chance(30) ? { deactivated: false } : {}),
        [this.random.of(GROUP_PERMISSIONS)]: { new: this.groupValue() },
      }),
    'group members': async (client) =>
      client.post(`/user_groups/${this.random.of(await this.groupIds())}/members`, {
        [this.random.chance(60) ? 'add' : 'delete']: this.someUserIds(2),
      }),
    subgroups: async (client) =>
      client.post(`/user_groups/${this.random.of(await this.groupIds())}/subgroups`, {
        [this.random.chance(80) ? 'add' : 'delete']: [this.random.of(await this.groupIds())],
      }),
    'deactivate group': async (client) =>
      client.post(`/user_groups/${this.random.of(await this.groupIds())}/deactivate`),

    organization: async (client) =>
      client.patch('/realm', {
        [this.random.of(['name_changes_disabled', 'enable_read_receipts', 'enable_spectator_access'])]:
          this.random.chance(50),
        ...(this.random.chance(20)
          ? { topics_policy: this.random.of(['allow_empty_topic', 'disable_empty_topic']) }
          : {}),
        ...(this.random.chance(20) ? { waiting_period_threshold: this.random.below(2) } : {}),
        ...(this.random.chance(20)
          ? { signup_announcements_stream_id: this.random.of(await this.channels()).id }
          : {}),
        message_content_edit_limit_seconds: this.random.of(['unlimited', 600]),
      }),
    'permission of organization': (client) =>
      client.patch('/realm', { [this.random.of(ORGANIZATION_PERMISSIONS)]: { new: this.groupValue() } }),
    'who sees everybody': (client) =>
      client.patch('/realm', {
        can_access_all_users_group: {
          new: this.systemGroupId(this.random.of(['role:members', 'role:everyone'])),
        },
      }),
    'add emoji': (client) => this.upload(client, `/realm/emoji/emoji_${++this.counter}`),
    'remove emoji': (client) => this.removeEmoji(client),
    'add linkifier': (client) =>
      client.post('/realm/filters', {
        pattern: `#${++this.counter}(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{id}',
      }),
    'remove linkifier': async (client) =>
      client.delete(`/realm/filters/${this.random.of(await this.ids('linkifier'))}`),
    'order linkifiers': async (client) =>
      client.patch('/realm/linkifiers', { ordered_linkifier_ids: (await this.ids('linkifier')).reverse() }),
    playground: (client) =>
      client.post('/realm/playgrounds', {
        name: `Play ${++this.counter}`,
        pygments_language: 'Python',
        url_template: 'https://example.com/{code}',
      }),

    'send to channel': (client, actor) => this.send(client, actor),
    'send direct': (client) =>
      client.post('/messages', {
        type: 'direct',
        to: this.someUserIds(),
        content: this.random.of(WORDS),
      }),
    flag: async (client, actor) =>
      client.post('/messages/flags', {
        messages: this.random.some(await this.messageIds(actor), 6),
        op: this.random.of(['add', 'remove']),
        flag: this.random.of(['read', 'read', 'starred', 'collapsed']),
      }),
    react: async (client, actor) => {
      const path = `/messages/${this.random.of(await this.messageIds(actor))}/reactions`;
      return this.random.chance(70)
        ? client.post(path, { emoji_name: 'tada' })
        : client.delete(path, { emoji_name: 'tada' });
    },
    'edit message': async (client, actor) =>
      client.patch(`/messages/${this.random.of(await this.messageIds(actor))}`, {
        content: this.random.some(WORDS, 3).join(' ') || 'hm',
      }),
    'move messages': async (client, actor) => {
      const channel = this.random.of(await this.channelsOf(actor));
      return client.patch(`/messages/${this.random.of(await this.messageIds(actor))}`, {
        propagate_mode: this.random.of(['change_one', 'change_later', 'change_all']),
        ...(this.random.chance(50) ? { stream_id: channel.id } : {}),
        topic: this.random.of(TOPICS) || 'elsewhere',
        send_notification_to_old_thread: this.random.chance(30),
        send_notification_to_new_thread: this.random.chance(30),
      });
    },
    'delete message': async (client, actor) =>
      client.delete(`/messages/${this.random.of(await this.messageIds(actor))}`),
    'delete topic': async (client) => {
      const sql = 'SELECT channel_id, name FROM topic WHERE message_count > 0 ORDER BY id';
      const topic = this.random.of(await this.query<{ channel_id: number; name: string }>(sql));
      return client.post(`/streams/${topic.channel_id}/delete_topic`, { topic_name: topic.name });
    },
  };

  private channelChange(name: string): Parameters {
    const changes: Parameters[] = [
      { description: `${this.random.of(WORDS)} ${++this.counter}` },
      { new_name: this.random.chance(50) ? `${name.split(' ')[0]} ${++this.counter}` : name.toUpperCase() },
      { is_private: this.random.chance(50) },
      { is_private: true, history_public_to_subscribers: this.random.chance(50) },
      { is_web_public: this.random.chance(50) },
      { message_retention_days: this.random.of([30, 'unlimited', 'realm_default']) },
      { topics_policy: this.random.of(['inherit', 'allow_empty_topic', 'disable_empty_topic']) },
      { folder_id: null },
    ];
    return this.random.of(changes);
  }

  private async removeEmoji(client: ApiClient): Promise<Answer> {
    const emoji = await this.query<{ name: string }>('SELECT name FROM custom_emoji ORDER BY id');
    return client.delete(`/realm/emoji/${this.random.of(emoji).name}`);
  }

  private async send(client: ApiClient, actor: AccountRecord): Promise<Answer> {
    return client.post('/messages', {
      type: 'channel',
      to: this.random.of(await this.channelsOf(actor)).id,
      topic: this.random.of(TOPICS),
      content: this.random.some(WORDS, 3).join(' ') || 'hi',
    });
  }

  /** Owners and administrators succeed most often. */
  private actorFor(operation: string): AccountRecord {
    const active = this.accounts().filter(({ isActive }) => isActive);
    const { olivia } = this.app.cast;
    const owner = active.filter(({ id }) => id === olivia.id);
    return this.random.chance(ADMINISTRATION.test(operation) ? 60 : 20)
      ? (owner[0] as AccountRecord)
      : this.random.of(active);
  }

  private accounts(): AccountRecord[] {
    return this.app.get(AccountDirectory).all();
  }

  /** Bots outside the cast. */
  private spareBots(): AccountRecord[] {
    return this.accounts().filter(({ isBot, id }) => isBot && id !== this.app.cast.robo.id);
  }

  /** Everyone but the owner. */
  private others(): AccountRecord[] {
    return this.accounts().filter(({ id, isBot }) => id !== this.app.cast.olivia.id && !isBot);
  }

  private someUserIds(most = 3): number[] {
    return this.random.some(
      this.accounts().map(({ id }) => id),
      most,
    );
  }

  private groupValue(): unknown {
    const roles = [
      'role:nobody',
      'role:owners',
      'role:administrators',
      'role:moderators',
      'role:members',
      'role:everyone',
    ];
    const systemGroup = () => this.systemGroupId(this.random.of(roles));
    if (this.random.chance(50)) return systemGroup();
    return {
      direct_members: this.someUserIds(2),
      direct_subgroups: this.random.chance(50) ? [systemGroup()] : [],
    };
  }

  private systemGroupId(name: string): number {
    const roles = ['role:nobody', 'role:owners', 'role:administrators', 'role:moderators'];
    const all = [...roles, 'role:fullmembers', 'role:members', 'role:everyone', 'role:internet'];
    // They were created first, in this order.
    return all.indexOf(name) + 1;
  }

  private async channels(archivedOnly = false): Promise<{ id: number; name: string }[]> {
    return this.query(
      archivedOnly
        ? 'SELECT id, name FROM channel WHERE is_archived ORDER BY id'
        : 'SELECT id, name FROM channel ORDER BY id',
    );
  }

  private async groupIds(): Promise<number[]> {
    const rows = await this.query<{ id: number }>(
      'SELECT id FROM user_group WHERE name IS NOT NULL AND NOT is_system ORDER BY id',
    );
    return rows.map(({ id }) => id);
  }

  /** Mostly those in which the actor has full access. */
  private channelsOf({ id }: AccountRecord): Promise<{ id: number; name: string }[]> {
    if (this.random.chance(20)) return this.channels();
    return this.query(
      `SELECT c.id, c.name FROM channel c JOIN subscription s ON s.channel_id = c.id
       WHERE s.user_id = ? AND s.is_active ORDER BY c.id`,
      [id],
    );
  }

  /** The newest ones, mostly from where the actor has full access. */
  private async messageIds(actor: AccountRecord): Promise<number[]> {
    const channels = await this.channelsOf(actor);
    const rows = await this.query<{ id: number }>(
      `SELECT id FROM message WHERE channel_id IN (?) OR conversation_id IS NOT NULL ORDER BY id DESC LIMIT 40`,
      [[0, ...channels.map(({ id }) => id)]],
    );
    return rows.map(({ id }) => id);
  }

  private async ids(table: string): Promise<number[]> {
    return (await this.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);
  }

  private query<Row extends object>(sql: string, parameters: SqlValue[] = []): Promise<Row[]> {
    return this.app.get(Database).read.query<Row>(sql, parameters);
  }

  private upload(client: ApiClient, path: string): Promise<Answer> {
    return client.upload(path, { name: 'p.png', content: PICTURE });
  }

  /** Records the requests. */
  private watched(client: ApiClient): ApiClient {
    const call = client.call.bind(client);
    client.call = (method, path, parameters) => {
      this.request = `${method} ${path} ${JSON.stringify(parameters ?? {})}`;
      return call(method, path, parameters);
    };
    return client;
  }
}

/** Everyday operations. */
const FREQUENT = [
  'subscribe',
  'edit message',
  'move messages',
  'send to channel',
  'send to channel',
  'send direct',
  'flag',
  'react',
  'topic policy',
];

/** Operations for administrators. */
const ADMINISTRATION =
  /role|user|deactivate|reactivate|organization|everybody|folder|linkifier|field|default|archive|group|emoji|change|delete topic/;
