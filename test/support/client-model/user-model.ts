import { byId, NotUnderstood, required, without, type Json, type Reducer } from './json';

/** Keys of the client's own account at the top level of the state. */
const OWN_KEYS = [
  'user_id',
  'email',
  'delivery_email',
  'full_name',
  'avatar_source',
  'avatar_url',
  'avatar_url_medium',
  'is_owner',
  'is_admin',
  'is_moderator',
  'is_guest',
] as const;

const KEYS_OF_A_PERSON = [
  'full_name',
  'delivery_email',
  'timezone',
  'bot_owner_id',
  'is_active',
  'is_imported_stub',
  'date_joined',
  'avatar_url',
  'avatar_version',
  'role',
  'is_deleted',
] as const;

/** A client's knowledge of people and bots. */
export class UserModel {
  readonly own: Json;
  private readonly users: Map<number, Json>;
  private readonly systemBots: Map<number, Json>;
  private readonly bots: Map<number, Json>;
  private statuses: Map<string, Json>;
  private fields: Json[];

  constructor(
    state: Json,
    /** Whether inaccessible people are omitted instead of shown as unknown. */
    private readonly isIncomplete: boolean,
  ) {
    this.own = Object.fromEntries(OWN_KEYS.map((key) => [key, state[key]]));
    const listed = (list: Json[], isActive: boolean) =>
      list.map((user) => ({ ...user, is_active: isActive }));
    this.users = byId(
      [...listed(state.realm_users, true), ...listed(state.realm_non_active_users, false)],
      'user_id',
    );
    this.systemBots = byId(state.cross_realm_bots, 'user_id');
    this.bots = byId(state.realm_bots, 'user_id');
    this.statuses = new Map(Object.entries(state.user_status));
    this.fields = state.custom_profile_fields;
    this.domain = state.realm_bot_domain;
  }

  private readonly domain: string;

  get ownId(): number {
    return this.own.user_id as number;
  }

  /** Properties besides groups that determine permissions. */
  get ownKind(): { isGuest: boolean; isBot: boolean } {
    return { isGuest: this.own.is_guest, isBot: Boolean(this.users.get(this.ownId)?.is_bot) };
  }

  /** The whole state in a comparable form. */
  get content(): Json {
    return {
      own: this.own,
      users: this.users,
      systemBots: this.systemBots,
      bots: this.bots,
      statuses: this.statuses,
      profileFields: this.fields,
    };
  }

  readonly reducers: Record<string, Reducer> = {
    'realm_user/add': ({ person }) => {
      const known = this.users.get(person.user_id);
      if (known && known.full_name !== 'Unknown user') {
        throw new NotUnderstood(`User ${person.user_id} is there already.`);
      }
      this.users.set(person.user_id, structuredClone(person));
    },
    'realm_user/remove': ({ person }) => {
      const { is_bot } = required(this.users, person.user_id, 'user');
      this.statuses.delete(String(person.user_id));
      if (this.isIncomplete) this.users.delete(person.user_id);
      else this.users.set(person.user_id, this.unknown(person.user_id, is_bot));
    },
    'realm_user/update': ({ person }) => this.updatePerson(person),
    'realm_bot/add': ({ bot }) => {
      if (this.bots.has(bot.user_id)) throw new NotUnderstood(`Bot ${bot.user_id} is there already.`);
      this.bots.set(bot.user_id, structuredClone(bot));
    },
    'realm_bot/update': ({ bot }) => {
      Object.assign(required(this.bots, bot.user_id, 'bot'), structuredClone(bot));
    },
    'realm_bot/delete': ({ bot }) => {
      required(this.bots, bot.user_id, 'bot');
      this.bots.delete(bot.user_id);
    },
    custom_profile_fields: ({ fields }) => {
      this.fields = fields;
      const ids = new Set(fields.map(({ id }: Json) => String(id)));
      for (const user of this.users.values()) {
        for (const id of Object.keys((user.profile_data as object | undefined) ?? {})) {
          if (!ids.has(id)) delete user.profile_data[id];
        }
      }
    },
    user_status: (event) => this.updateStatus(event),
  };

  private updatePerson(person: Json): void {
    const user = required(this.users, person.user_id, 'user');
    for (const key of KEYS_OF_A_PERSON) if (key in person) user[key] = person[key];
    if ('new_email' in person) user.email = person.new_email;
    if ('role' in person) Object.assign(user, flagsOf(person.role));
    if ('custom_profile_field' in person) updateProfile(user, person.custom_profile_field);
    if (person.user_id !== this.ownId) return;
    for (const key of OWN_KEYS) if (key in person && key !== 'email') this.own[key] = person[key];
    if ('new_email' in person) this.own.email = person.new_email;
    if ('role' in person) {
      Object.assign(this.own, flagsOf(person.role), { is_moderator: person.role <= 300 });
    }
  }

  /** What a client shows for a person who is no longer accessible. */
  private unknown(id: number, isBot: boolean): Json {
    return {
      email: `user${id}@${this.domain}`,
      user_id: id,
      avatar_version: 1,
      is_admin: false,
      is_owner: false,
      is_guest: false,
      role: 400,
      is_bot: isBot,
      bot_type: null,
      bot_owner_id: null,
      full_name: 'Unknown user',
      timezone: '',
      is_active: true,
      date_joined: '1970-01-01T00:00+00:00',
      delivery_email: null,
      is_imported_stub: false,
      avatar_url: 'https://secure.gravatar.com/avatar/?d=mp&version=1',
      profile_data: {},
    };
  }

  /** Empty texts remove the previous value. */
  private updateStatus(event: Json): void {
    const status = { ...this.statuses.get(String(event.user_id)) };
    if (event.away !== undefined) set(status, 'away', event.away || undefined);
    for (const key of ['status_text', 'emoji_name', 'emoji_code', 'reaction_type']) {
      const isGone = event[key] === '' || (key === 'reaction_type' && event.emoji_name === '');
      if (event[key] !== undefined) set(status, key, isGone ? undefined : event[key]);
    }
    if (Object.keys(status).length > 0) this.statuses.set(String(event.user_id), status);
    else this.statuses.delete(String(event.user_id));
  }
}

function flagsOf(role: number): Json {
  return { is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 };
}

function updateProfile(user: Json, field: Json): void {
  if (field.value === null) delete user.profile_data[field.id];
  else user.profile_data[field.id] = without(field, 'id');
}

function set(record: Json, key: string, value: unknown): void {
  if (value === undefined) delete record[key];
  else record[key] = value;
}
