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
  account(id: number): {
    readonly email: string;
    readonly full_name: string;
    readonly api_key: string;
    readonly bot_type: number | null;
    readonly owner_id: number | null;
    readonly is_active: boolean;
  } | null;
  /** When messages were sent, in UNIX seconds, by their IDs. */
  sentAt(messageIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Whether a message went because it was as old as messages become. */
  hasExpired(messageId: number): boolean;
  channel(
    id: number,
  ): { readonly name: string; readonly description: string; readonly isPrivate: boolean } | null;
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
  /** Makes of parameters by route what they mean today. */
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
  readonly answers?: Readonly<Record<string, (answer: Json, context: LevelContext) => void>>;
  /** Makes of an event what it was; null where there was none. */
  readonly event?: (event: Json, context: LevelContext) => Json | null;
  /** Events that were sent beside one, with its number. */
  readonly moreEvents?: (event: Json, context: LevelContext) => Json[];
  /** Makes of the HTML of messages what it was. */
  readonly html?: (html: string) => string;
}

/** A feature level, and how to answer as before it. */
export interface LevelChange {
  readonly level: number;
  /** Empty where answers are the same as before. */
  readonly parts: readonly ChangePart[];
  /** Why no answer differs; null where parts say what does. */
  readonly sameBecause: string | null;
}

/** Declares what a feature level changed. */
export function since(level: number, ...parts: readonly [ChangePart, ...ChangePart[]]): LevelChange {
  return { level, parts, sameBecause: null };
}

/** Declares a feature level before which answers are the same, with what it changed and why no answer shows it. */
export function unchanged(level: number, reason: string): LevelChange {
  return { level, parts: [], sameBecause: reason };
}
