/** A person of a {@link WorldDocument}. */
export interface WorldPerson {
  /** Short name of the person in tests, and the local part of the address. */
  readonly name: string;
  readonly full_name?: string;
  readonly role?: 'owner' | 'administrator' | 'moderator' | 'member' | 'guest';
  readonly email?: string;
  readonly password?: string;
}

export interface WorldBot {
  readonly name: string;
  readonly full_name?: string;
  /** Name of a person. */
  readonly owner: string;
  readonly type?: 'generic' | 'incoming' | 'outgoing';
  /** URL of an outgoing webhook. */
  readonly url?: string;
}

interface WorldGroup {
  readonly name: string;
  readonly description?: string;
  readonly members: readonly string[];
}

export interface WorldChannel {
  readonly name: string;
  readonly description?: string;
  readonly private?: boolean;
  /** Whether subscribers see earlier messages; always true for public channels. */
  readonly history?: boolean;
  /** Names of people and bots; `*` means everyone. */
  readonly subscribers: readonly string[];
}

export interface WorldMessage {
  readonly sender: string;
  readonly channel?: string;
  readonly topic?: string;
  /** For a direct message: names of the recipients. */
  readonly to?: readonly string[];
  readonly content: string;
  /** When it was sent, ISO 8601; now if omitted. */
  readonly sent_at?: string;
  readonly reactions?: readonly { readonly emoji: string; readonly by: string }[];
}

/** An organization in one document. Its contents are added to the cast that every test server has. */
export interface WorldDocument {
  readonly people?: readonly WorldPerson[];
  readonly bots?: readonly WorldBot[];
  readonly groups?: readonly WorldGroup[];
  readonly channels?: readonly WorldChannel[];
  readonly messages?: readonly WorldMessage[];
  /** Parameters of `PATCH /realm`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Contains a letter, because digits alone are an ID. */
const name = { type: 'string', pattern: '^(?=.*[a-z])[a-z0-9][a-z0-9_.-]{0,59}$' };
const text = { type: 'string', maxLength: 10_000 };
const names = { type: 'array', maxItems: 10_000, items: { ...text, maxLength: 60 } };

function listOf(maxItems: number, required: readonly string[], properties: object): object {
  return {
    type: 'array',
    maxItems,
    items: { type: 'object', required, additionalProperties: false, properties },
  };
}

/** JSON Schema of a {@link WorldDocument}. */
export const WORLD_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    people: listOf(1_000, ['name'], {
      name,
      full_name: text,
      role: { enum: ['owner', 'administrator', 'moderator', 'member', 'guest'] },
      email: text,
      password: text,
    }),
    bots: listOf(1_000, ['name', 'owner'], {
      name,
      full_name: text,
      owner: name,
      type: { enum: ['generic', 'incoming', 'outgoing'] },
      url: text,
    }),
    groups: listOf(1_000, ['name', 'members'], { name: text, description: text, members: names }),
    channels: listOf(1_000, ['name', 'subscribers'], {
      name: text,
      description: text,
      private: { type: 'boolean' },
      history: { type: 'boolean' },
      subscribers: names,
    }),
    messages: listOf(10_000, ['sender', 'content'], {
      sender: name,
      channel: text,
      topic: text,
      to: names,
      content: { ...text, maxLength: 20_000 },
      sent_at: text,
      reactions: listOf(100, ['emoji', 'by'], { emoji: text, by: name }),
    }),
    settings: { type: 'object', maxProperties: 200 },
  },
};

/** Short name of the owner, whom the first start creates. */
export const OWNER = 'olivia';

/** The people and channels that every test server starts with. */
export const CAST: WorldDocument = {
  people: [
    { name: 'adam', full_name: 'Adam Administrator', role: 'administrator' },
    { name: 'mona', full_name: 'Mona Moderator', role: 'moderator' },
    { name: 'alice', full_name: 'Alice Member' },
    { name: 'bob', full_name: 'Bob Member' },
    { name: 'gus', full_name: 'Gus Guest', role: 'guest' },
  ],
  bots: [
    { name: 'helper', full_name: 'Helper Bot', owner: 'alice', type: 'generic' },
    { name: 'alerts', full_name: 'Alerts Bot', owner: 'alice', type: 'incoming' },
    // Unreachable until a test sets another URL.
    {
      name: 'caller',
      full_name: 'Caller Bot',
      owner: 'alice',
      type: 'outgoing',
      url: 'http://127.0.0.1:9/',
    },
  ],
  channels: [
    { name: 'lobby', description: 'Everybody is here', subscribers: ['*'] },
    {
      name: 'team',
      description: 'Everybody but the guest',
      subscribers: ['adam', 'mona', 'alice', 'bob', 'helper'],
    },
    {
      name: 'secret',
      description: 'Only Alice and Bob see it',
      private: true,
      subscribers: ['alice', 'bob'],
    },
  ],
};
