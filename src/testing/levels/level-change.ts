/** A JSON object of an answer or event, which changes may modify in place. */
export type Json = Record<string, unknown>;

/** Kinds of records that occur in several answers and events. */
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

/** The declarations of a registering client. */
export interface ClientFacts {
  readonly capabilities: ReadonlySet<string>;
  /** Requested types of events; null for all. */
  readonly eventTypes: ReadonlySet<string> | null;
  /** Requested types of state; null for all. */
  readonly fetchTypes: ReadonlySet<string> | null;
}

/** Parameters of a request. */
export interface RequestValues {
  /** Their current form; without those that the release does not know. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The numbers in the path. */
  readonly ids: readonly number[];
}

/** A channel, reduced to what changes use. */
export interface KnownChannel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
}

/** Lookups for changes. */
export interface LevelContext {
  /** ID of the caller; null if anonymous. */
  readonly asker: number | null;
  /** The client that receives the events or state; null for other requests. */
  readonly client: ClientFacts | null;
  /** ID of a system group, such as `role:members`. */
  systemGroup(name: string): number;
  /** Name of a group; null if it has none. */
  groupName(id: number): string | null;
  /** Whether the group exists and is deactivated. */
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
  /** Times of messages, in UNIX seconds, by ID. */
  sentAt(messageIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Whether a message was deleted by the retention policy. */
  hasExpired(messageId: number): boolean;
  channel(id: number): KnownChannel | null;
  channelNamed(name: string): KnownChannel | null;
  /** Whether a person may administer a channel, only see it, or neither. */
  rightTo(userId: number, channelId: number): 'administer' | 'see' | null;
  /** The reason why the user may not post in a channel; null if they may. */
  postingRefusal(userId: number, channelId: number): string | null;
  /** The current server's answer to a user. @param who null for the owner of the organization */
  request(
    who: number | null,
    request: { readonly method: string; readonly path: string; readonly parameters?: Json },
  ): Promise<Json>;
  /** Sends an event about a bot to its owner and to human administrators. */
  tellOfBot(botId: number, changed: Json): Promise<void>;
  /**
   * Why a person was an administrator of a bot when the event with this number was sent: as its owner or as an
   * administrator.
   */
  toldOfBot(userId: number, botId: number, eventId: number): 'owner' | 'administrator' | null;
}

/**
 * How a server before a change of the interface behaved. Routes are written as `POST /messages/{message_id}`, with
 * paths under `/api/v1`.
 */
export interface ChangePart {
  /** The oldest affected level, if older ones behave like the current one. */
  readonly onlyFrom?: number;
  /** Routes that did not exist. */
  readonly routes?: readonly string[];
  /** Parameters that did not exist, by route. */
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
  /** Converts parameters to their current form, by route. The caller is not known yet: there is no `asker`. */
  readonly asks?: Readonly<Record<string, (parameters: Map<string, string>, context: LevelContext) => void>>;
  /** Client capabilities that did not exist. */
  readonly capabilities?: readonly string[];
  /** Converts records to their former form, wherever they occur. */
  readonly records?: {
    readonly [Kind in RecordKind]?: (record: Json, context: LevelContext) => void | Promise<void>;
  };
  /** Converts the answer to `POST /register` to its former form. */
  readonly state?: (state: Json, context: LevelContext) => void;
  /** Converts other answers to their former form, by route. */
  readonly answers?: Readonly<
    Record<string, (answer: Json, context: LevelContext, asked: RequestValues) => void>
  >;
  /**
   * Refuses requests that are allowed today, by route, once the caller is known. Returns the reason, or null; invalid
   * parameters are left for the route to refuse.
   */
  readonly refuses?: Readonly<Record<string, (asked: RequestValues, context: LevelContext) => string | null>>;
  /** Converts refusals to their former form, by route: other refusals, or successes; null if they were the same. */
  readonly refusals?: Readonly<
    Record<
      string,
      (refusal: Json, context: LevelContext, asked: RequestValues) => Json | null | Promise<Json | null>
    >
  >;
  /** Performs former side effects of a successful request, by route. */
  readonly follows?: Readonly<
    Record<string, (answer: Json, context: LevelContext, asked: RequestValues) => Promise<void>>
  >;
  /** Converts an event to its former form; null if it did not exist. */
  readonly event?: (event: Json, context: LevelContext) => Json | null;
  /** Events that were sent before this one, with its number. */
  readonly earlierEvents?: (event: Json, context: LevelContext) => Json[];
  /** Events that were sent after this one, with its number. */
  readonly moreEvents?: (event: Json, context: LevelContext) => Json[];
  /** Converts the HTML of messages to its former form. */
  readonly html?: (html: string, context: LevelContext) => string | Promise<string>;
}

/** A feature level, and how to answer as before it. */
export interface LevelChange {
  readonly level: number;
  /** Empty if answers are unchanged. */
  readonly parts: readonly ChangePart[];
  /** Why no answer differs; null if parts describe the difference. */
  readonly sameBecause: string | null;
}

/**
 * A difference between Zulip and Parley that is not tied to a feature level, for example because the specification
 * requires it.
 */
export interface Difference extends ChangePart {
  /** The newest affected level; all if omitted. */
  readonly onlyTo?: number;
}

/** A refusal without a specific code. */
export function refused(msg: string): Json {
  return { result: 'error', msg, code: 'BAD_REQUEST' };
}

/** Declares the changes of a feature level. */
export function since(level: number, ...parts: readonly [ChangePart, ...ChangePart[]]): LevelChange {
  return { level, parts, sameBecause: null };
}

/** Declares a feature level without visible changes, with the reason. */
export function unchanged(level: number, reason: string): LevelChange {
  return { level, parts: [], sameBecause: reason };
}
