import {
  allCapabilities,
  happensInChannels,
  isHiddenFromNamedKeys,
  type NarrowedMessage,
  narrowPredicate,
  type NarrowPredicate,
  type QueueOptions,
} from './queue-options';

/**
 * The ID of an event in the API: the number of its row in the log times 1,024, plus an offset. The lower half of the
 * offsets belongs to the row, which some clients receive as several events; the upper half is for transient events,
 * which have no row, such as heartbeats. So IDs within a queue strictly increase, whether events are stored or not.
 */
const IDS_PER_NUMBER = 1_024;
const FIRST_TRANSIENT = IDS_PER_NUMBER / 2;

/** From this offset on, the log should grow soon, so that IDs do not run out. */
const NEARLY_USED_UP = IDS_PER_NUMBER - 128;

/** The last event ID sent by a client that has not received any event yet. */
export const BEFORE_FIRST_EVENT = -1;

/** Bits for transformations of events that a queue requires. */
export const Form = {
  markdown: 1,
  gravatar: 2,
  shownEmptyTopic: 4,
  singleDeletions: 8,
} as const;

/** A queue as it is stored. */
export interface StoredQueue {
  readonly id: string;
  readonly userId: number;
  readonly options: QueueOptions;
  /** Its events are those in the log after this number. */
  readonly startNumber: number;
  readonly idleTimeoutMs: number;
}

/** An event of a queue: its ID, and its other members as JSON without braces. */
export interface QueueEvent {
  readonly id: number;
  readonly members: string;
}

/** A poll that is waiting for events after the one that it named. */
export interface ParkedPoll {
  readonly afterId: number;
  /** When it receives a heartbeat if nothing else happens, by `clock.monotonicMs()`. */
  readonly heartbeatAtMs: number;
  /** When its session expires, in UNIX seconds; null without a session. */
  readonly sessionEndsAt: number | null;
  answer(events: readonly QueueEvent[]): void;
  /**
   * Called after its release: checks the caller's authorization again, and then either restarts or refuses the poll.
   */
  restart(): void;
}

/** Maximum number of transient events that wait for a client. */
const MAX_TRANSIENTS = 200;

/**
 * A queue in the memory of the node that its client polls. The queue itself is a row that never changes, and a position
 * in the log that the client names; everything here is a cache that may be lost at any time.
 */
export class LiveQueue {
  readonly id: string;
  readonly userId: number;
  readonly startNumber: number;
  readonly idleTimeoutMs: number;
  /** Bits of {@link Form}. */
  readonly form: number;
  readonly capabilities: ReadonlySet<string>;
  /** ID of the named API key that registered it, which may not receive all events; null for other callers. */
  readonly keyId: number | null;
  /** Channels to which this key is limited; null without a limit. */
  readonly channelIds: ReadonlySet<number> | null;
  /** Whether messages of public channels are delivered even if the person is not in the audience. */
  readonly takesOpenMessages: boolean;
  /** Whether it receives only some messages; see {@link wantsMessage}. */
  readonly isNarrowed: boolean;

  /** Incremented with each poll, to detect later ones. */
  polls = 0;
  private waiting: ParkedPoll | null = null;
  private readonly eventTypes: ReadonlySet<string> | null;
  private readonly narrow: NarrowPredicate;
  /** The last event that the client has acknowledged. */
  private acknowledged = BEFORE_FIRST_EVENT;
  private highestId = BEFORE_FIRST_EVENT;
  private transients: QueueEvent[] = [];
  /** Transient events waiting for the log to grow, because no ID was left for them. */
  private unnumbered: string[] = [];
  /** After the event with this ID, the log contains nothing for the queue up to this number. */
  private searched: { readonly afterId: number; readonly upTo: number };

  constructor(
    { id, userId, options, startNumber, idleTimeoutMs }: StoredQueue,
    /** When its client was last seen, in UNIX milliseconds; while a poll waits, the client is present. */
    public lastSeenMs: number,
  ) {
    this.id = id;
    this.userId = userId;
    this.startNumber = startNumber;
    this.idleTimeoutMs = idleTimeoutMs;
    this.form = formOf(options);
    this.keyId = options.keyId ?? null;
    this.channelIds = options.channelIds ? new Set(options.channelIds) : null;
    this.capabilities = allCapabilities(options);
    this.takesOpenMessages = options.allPublicChannels || options.narrow.length > 0;
    this.eventTypes = options.eventTypes && new Set(options.eventTypes);
    this.isNarrowed = options.narrow.length > 0;
    this.narrow = narrowPredicate(options.narrow);
    this.searched = { afterId: BEFORE_FIRST_EVENT, upTo: startNumber };
  }

  get parked(): ParkedPoll | null {
    return this.waiting;
  }

  wantsType(type: string): boolean {
    if (this.keyId !== null && isHiddenFromNamedKeys(type)) return false;
    if (this.channelIds !== null && !happensInChannels(type)) return false;
    if (this.eventTypes === null) return true;
    if (type === 'muted_topics' && this.eventTypes.has('user_topic')) return false;
    return this.eventTypes.has(type);
  }

  wantsMessage(message: NarrowedMessage): boolean {
    return this.narrow(message);
  }

  /** Whether the client has acknowledged a later event. */
  hasPassed(eventId: number): boolean {
    return eventId < this.acknowledged;
  }

  /** Whether this node delivered the event to the queue, or the client has named it before. */
  knows(eventId: number): boolean {
    return (
      eventId === this.searched.afterId ||
      eventId === this.acknowledged ||
      this.transients.some(({ id }) => id === eventId)
    );
  }

  /** Records that the client has received everything up to an event. */
  acknowledge(eventId: number): void {
    this.acknowledged = eventId;
    this.highestId = Math.max(this.highestId, eventId);
    if (this.transients.length > 0) this.transients = this.transients.filter(({ id }) => id > eventId);
  }

  /** The number in the log after which to search for events that follow this one. */
  searchFrom(eventId: number): number {
    if (eventId === this.searched.afterId) return this.searched.upTo;
    if (eventId === BEFORE_FIRST_EVENT) return this.startNumber;
    // A client that receives one deletion at a time may have only some of the events of a row.
    const mayBeHalfRead = (this.form & Form.singleDeletions) !== 0 && !isTransient(eventId);
    return Math.max(this.startNumber, numberOf(eventId) - (mayBeHalfRead ? 1 : 0));
  }

  /** Records that the log contains nothing for the queue between an event and a number. */
  noteSearched(afterId: number, upTo: number): void {
    this.searched = { afterId, upTo };
  }

  /** The transient events after an event. */
  transientsAfter(eventId: number): readonly QueueEvent[] {
    return this.transients.filter(({ id }) => id > eventId);
  }

  /**
   * Adds a transient event to the queue, and answers the waiting poll.
   * @param position how far the log was read; if a poll is waiting, the queue has received everything up to there
   * @returns whether the log should grow soon, so that there are IDs for further ones
   */
  addTransient(members: string, position: number, nowMs: number): boolean {
    // A node that has not read as far as the start of the queue assigns no earlier IDs.
    const id = nextTransientId(Math.max(position, this.startNumber), this.highestId);
    if (id === undefined) {
      if (this.unnumbered.length < MAX_TRANSIENTS) this.unnumbered.push(members);
      return true;
    }
    this.highestId = id;
    if (this.transients.length >= MAX_TRANSIENTS) this.transients.shift();
    this.transients.push({ id, members });
    if (this.waiting) this.answer([{ id, members }], position, nowMs);
    return isNearlyUsedUp(id);
  }

  /** Adds the events that had no ID; see {@link addTransient}. */
  addUnnumbered(position: number, nowMs: number): boolean {
    const waiting = this.unnumbered;
    this.unnumbered = [];
    return waiting.map((members) => this.addTransient(members, position, nowMs)).some(Boolean);
  }

  /** Drops the transient events, which were only useful immediately. */
  dropTransients(): void {
    this.transients = [];
    this.unnumbered = [];
  }

  park(poll: ParkedPoll): void {
    this.waiting = poll;
  }

  /**
   * Answers the waiting poll, if any.
   * @param position how far the log was read; it contains nothing more for the queue up to there
   */
  answer(events: readonly QueueEvent[], position: number, nowMs: number): void {
    const poll = this.release(nowMs);
    if (!poll) return;
    this.noteSearched(events.at(-1)?.id ?? poll.afterId, position);
    poll.answer(events);
  }

  /** Restarts the waiting poll, and answers one that is about to wait: their callers' authorization may have ended. */
  checkAgain(nowMs: number): void {
    this.polls += 1;
    this.release(nowMs)?.restart();
  }

  /** Drops the waiting poll without answering it, because its client has disconnected. */
  release(nowMs: number): ParkedPoll | null {
    const poll = this.waiting;
    this.waiting = null;
    if (poll) this.lastSeenMs = nowMs;
    return poll;
  }
}

function formOf({ applyMarkdown, clientGravatar, capabilities }: QueueOptions): number {
  return (
    (applyMarkdown ? 0 : Form.markdown) |
    (clientGravatar ? Form.gravatar : 0) |
    (capabilities.includes('empty_topic_name') ? 0 : Form.shownEmptyTopic) |
    (capabilities.includes('bulk_message_deletion') ? 0 : Form.singleDeletions)
  );
}

/** @param part index of the event within the row */
export function rowEventId(number: number, part: number): number {
  if (part >= FIRST_TRANSIENT) throw new RangeError('A row makes at most 512 events.');
  return number * IDS_PER_NUMBER + part;
}

/** The number of the row to which an ID belongs. */
export function numberOf(id: number): number {
  return Math.floor(id / IDS_PER_NUMBER);
}

/** Whether the ID belongs to a transient event. */
export function isTransient(id: number): boolean {
  return id - numberOf(id) * IDS_PER_NUMBER >= FIRST_TRANSIENT;
}

/**
 * The ID for the next transient event.
 * @param position how far the log was read
 * @param highestId the highest ID used by the queue so far
 * @returns undefined if none is left until the log grows
 */
function nextTransientId(position: number, highestId: number): number | undefined {
  const first = position * IDS_PER_NUMBER + FIRST_TRANSIENT;
  const id = Math.max(first, highestId + 1);
  return numberOf(id) === position ? id : undefined;
}

/** Whether few IDs are left before the log has to grow. */
function isNearlyUsedUp(id: number): boolean {
  return id - numberOf(id) * IDS_PER_NUMBER >= NEARLY_USED_UP;
}
