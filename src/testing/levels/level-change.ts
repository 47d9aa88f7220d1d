/** A JSON object of an answer or event, which changes may alter in place. */
export type Json = Record<string, unknown>;

/** Kinds of records that stand in several answers and events. */
export type RecordKind =
  | 'channel'
  | 'user'
  | 'group'
  | 'message'
  | 'personal settings'
  | 'linkifier'
  | 'profile field'
  | 'attachment'
  | 'channel folder'
  | 'bot'
  | 'invitation';

/** What a client said when it registered. */
export interface ClientFacts {
  readonly capabilities: ReadonlySet<string>;
  /** Types of the events that it wants; null for all. */
  readonly eventTypes: ReadonlySet<string> | null;
  /** Types of the state that it wants; null for all. */
  readonly fetchTypes: ReadonlySet<string> | null;
}

/** What a request names. */
export interface Asked {
  /** What they mean today; those that the release does not know are gone. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The numbers in its path. */
  readonly ids: readonly number[];
}

/** A channel, as far as changes look at it. */
export interface KnownChannel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
}

/** What changes look up. */
export interface LevelContext {
  /** ID of the caller; null if anonymous. */
  readonly asker: number | null;
  /** Whose events or state it is; null for other requests. */
  readonly client: ClientFacts | null;
  /** ID of a group that the system keeps, such as `role:members`. */
  systemGroup(name: string): number;
  /** Name of a group; null for one that has none. */
  groupName(id: number): string | null;
  /** Whether there is such a group, deactivated. */
  isDeactivatedGroup(id: number): boolean;
  account(id: number): {
    readonly email: string;
    readonly full_name: string;
    readonly api_key: string;
    readonly avatar_url: string;
    readonly bot_type: number | null;
    readonly owner_id: number | null;
    readonly is_active: boolean;
  } | null;
  /** When messages were sent, in UNIX seconds, by their IDs. */
  sentAt(messageIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Whether a message went because it was as old as messages become. */
  hasExpired(messageId: number): boolean;
  channel(id: number): KnownChannel | null;
  channelNamed(name: string): KnownChannel | null;
  /** Whether a person may change the settings of a channel, only see it, or neither. */
  rightTo(userId: number, channelId: number): 'administer' | 'see' | null;
  /** Why the user may not post in a channel, in words; null if they may. */
  postingRefusal(userId: number, channelId: number): string | null;
  /** The current server's answer to a user. @param who null for the owner of the organization */
  request(
    who: number | null,
    request: { readonly method: string; readonly path: string; readonly parameters?: Json },
  ): Promise<Json>;
  /** Sends an event about a bot to its owner and the people who are administrators. */
  tellOfBot(botId: number, changed: Json): Promise<void>;
  /** Whether a person administered a bot when an event with this number was sent: as its owner or an administrator. */
  toldOfBot(userId: number, botId: number, eventId: number): 'owner' | 'administrator' | null;
}

/**
 * What one change of the interface means for a server from before. Routes are written as `POST /messages/{message_id}`,
 * their paths under `/api/v1`.
 */
export interface ChangePart {
  /** The oldest level that it concerns, where older ones were as today. */
  readonly onlyFrom?: number;
  /** Routes that were not there. */
  readonly routes?: readonly string[];
  /** Parameters by route that meant nothing. */
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  /** Makes of parameters by route what they mean today. The caller is not known yet: there is no `asker`. */
  readonly asks?: Readonly<Record<string, (parameters: Map<string, string>, context: LevelContext) => void>>;
  /** Capabilities of clients that were not known. */
  readonly capabilities?: readonly string[];
  /** Makes of records what they were, wherever they stand. */
  readonly records?: {
    readonly [Kind in RecordKind]?: (record: Json, context: LevelContext) => void | Promise<void>;
  };
  /** Makes of the answer to `POST /register` what it was. */
  readonly state?: (state: Json, context: LevelContext) => void;
  /** Makes of other answers by route what they were. */
  readonly answers?: Readonly<Record<string, (answer: Json, context: LevelContext, asked: Asked) => void>>;
  /**
   * Refuses by route what is allowed today, once the caller is known. Says why, or null; parameters that are not what
   * they have to be are for the route to refuse.
   */
  readonly refuses?: Readonly<Record<string, (asked: Asked, context: LevelContext) => string | null>>;
  /** Makes of refusals by route what they were: other refusals, or successes; null where they were the same. */
  readonly refusals?: Readonly<
    Record<string, (refusal: Json, context: LevelContext, asked: Asked) => Json | null | Promise<Json | null>>
  >;
  /** Does what followed from a request by route that succeeded, where today nothing does. */
  readonly follows?: Readonly<
    Record<string, (answer: Json, context: LevelContext, asked: Asked) => Promise<void>>
  >;
  /** Makes of an event what it was; null where there was none. */
  readonly event?: (event: Json, context: LevelContext) => Json | null;
  /** Events that were sent before one, with its number. */
  readonly earlierEvents?: (event: Json, context: LevelContext) => Json[];
  /** Events that were sent after one, with its number. */
  readonly moreEvents?: (event: Json, context: LevelContext) => Json[];
  /** Makes of the HTML of messages what it was. */
  readonly html?: (html: string, context: LevelContext) => string | Promise<string>;
}

/** A feature level, and how to answer as before it. */
export interface LevelChange {
  readonly level: number;
  /** Empty where answers are the same as before. */
  readonly parts: readonly ChangePart[];
  /** Why no answer differs; null where parts say what does. */
  readonly sameBecause: string | null;
}

/** What Zulip does otherwise than Parley at no level of its own: what the specification asks of Parley, for one. */
export interface Difference extends ChangePart {
  /** The newest level that it concerns; all of them if not given. */
  readonly onlyTo?: number;
}

/** A refusal without a specific code. */
export function refused(msg: string): Json {
  return { result: 'error', msg, code: 'BAD_REQUEST' };
}

/** Declares what a feature level changed. */
export function since(level: number, ...parts: readonly [ChangePart, ...ChangePart[]]): LevelChange {
  return { level, parts, sameBecause: null };
}

/** Declares a feature level before which answers are the same, with what it changed and why no answer shows it. */
export function unchanged(level: number, reason: string): LevelChange {
  return { level, parts: [], sameBecause: reason };
}
