import { setTimeout as pause } from 'node:timers/promises';
import { Answers, Caller, type Outcome, type Site } from './caller';

/** When something was asked for and done, by `performance.now()` of the client. */
export interface Done {
  readonly sentMs: number;
  readonly atMs: number;
}

/** A message that somebody knows to be there, and since when. */
interface Known {
  readonly id: number;
  readonly content: string;
  readonly atMs: number;
}

/** A message that the server said it has. */
export type Acknowledged = Known & Done;

/** Where messages go, as the interface has it. */
export type Place = Readonly<Record<string, string>>;

/** A topic of the channel that `Installation` makes. */
export const inTopic = (topic: string): Place => ({ type: 'channel', to: 'faults', topic });

/** The conversation with somebody. */
export const direct = ({ partnerId }: Site): Place => ({ type: 'direct', to: `[${partnerId}]` });

/** Sends one message after the other to one place, and never one twice. */
export class Writer {
  readonly acknowledged: Acknowledged[] = [];
  readonly answers: Answers;
  private sent = 0;
  protected readonly caller: Caller;

  /** @param name with which its messages begin, and nobody else's */
  constructor(
    site: Site,
    readonly name: string,
    private readonly place = inTopic(name),
  ) {
    this.caller = new Caller(site);
    this.answers = new Answers(site);
  }

  async writeUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.write();
  }

  /** @returns what was stored; null where nobody knows */
  protected async write(): Promise<Acknowledged | null> {
    const content = `${this.name} ${++this.sent}`;
    const sentMs = performance.now();
    const outcome = await this.caller.call('/messages', { ...this.place, content });
    if (!(await this.isDone(outcome))) return null;
    const message = { id: outcome.body.id as number, content, sentMs, atMs: performance.now() };
    this.acknowledged.push(message);
    return message;
  }

  /** Waits a moment where it is not. */
  protected async isDone(outcome: Outcome): Promise<boolean> {
    const isDone = this.answers.note(outcome);
    if (!isDone) await pause(outcome.status === 503 ? 50 : 20);
    return isDone;
  }
}

/** How long a poll that waits does so, before its client goes away and asks anew. */
const WAITS_MS = 2_000;

/** Once there is nothing more to hear, a reader tries as often to make sure of it. */
const MAX_FAILURES = 10;

/** Follows its event queue, and registers anew when it is gone. */
export class Reader {
  registrations = 0;
  /** Since it registered last: what it was told, in this order. */
  told: Known[] = [];
  /** The newest message when it registered last. */
  knownTo = 0;
  readonly answers: Answers;
  private queueId: string | null = null;
  private lastEventId = -1;
  private readonly caller: Caller;

  /** @param waits whether its polls wait for what comes, and are left without an answer now and then */
  constructor(
    site: Site,
    private readonly waits: boolean,
  ) {
    this.caller = new Caller(site);
    this.answers = new Answers(site);
  }

  /** What a poll names: its queue, and the last event that it knows. */
  get position(): string {
    return `queue_id=${this.queueId}&last_event_id=${this.lastEventId}`;
  }

  /** @param eventTypes what it wants to hear of, as JSON */
  async register(eventTypes = '["message"]'): Promise<boolean> {
    const form = { event_types: eventTypes, fetch_event_types: '["message"]' };
    const outcome = await this.caller.call('/register', form);
    if (!this.answers.note(outcome)) return false;
    this.queueId = outcome.body.queue_id;
    this.lastEventId = outcome.body.last_event_id;
    this.knownTo = outcome.body.max_message_id;
    this.told = [];
    this.registrations++;
    return true;
  }

  /** @param isOver asked between two polls, which wait a moment at most */
  async followUntil(isOver: () => boolean): Promise<void> {
    for (let failures = 0; failures < MAX_FAILURES;) {
      const isLast = isOver();
      const count = await this.poll(this.waits && !isLast);
      if (isLast && count === 0) return;
      if (isLast && count === null) failures++;
      if (count === null) await pause(100);
      else if (count === 0) await pause(50);
    }
  }

  /** @returns how many events came; null where nobody said */
  private async poll(waits: boolean): Promise<number | null> {
    const path = `/events?${this.position}&dont_block=${!waits}`;
    const outcome = await this.caller.call(path, undefined, waits ? WAITS_MS : undefined);
    if (outcome.body?.code === 'BAD_EVENT_QUEUE_ID') return (await this.register()) ? 0 : null;
    const hasGoneAway = waits && outcome.failure === 'TimeoutError';
    if (hasGoneAway) return 0;
    if (!this.answers.note(outcome)) return null;
    const { events } = outcome.body;
    this.take(events);
    return events.length;
  }

  private take(events: readonly { id: number; type: string; message?: Known }[]): void {
    const atMs = performance.now();
    for (const { id, type, message } of events) {
      this.lastEventId = id;
      if (type === 'message' && message) this.told.push({ id: message.id, content: message.content, atMs });
    }
  }
}
