import { setTimeout as pause } from 'node:timers/promises';
import { Answers, Caller, type Site } from './caller';

/** A message that the server said it has. */
interface Acknowledged {
  readonly id: number;
  readonly content: string;
  /** When, by `performance.now()`. */
  readonly atMs: number;
}

/** Sends one message after the other into a topic of its own, and never one twice. */
export class Writer {
  readonly acknowledged: Acknowledged[] = [];
  readonly answers = new Answers();
  private sent = 0;
  private readonly caller: Caller;

  constructor(
    site: Site,
    private readonly name: string,
  ) {
    this.caller = new Caller(site);
  }

  /** When the last message was acknowledged. */
  get lastAcknowledgedMs(): number {
    return this.acknowledged.at(-1)?.atMs ?? 0;
  }

  async writeUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const content = `${this.name} ${++this.sent}`;
      const form = { type: 'channel', to: 'faults', topic: this.name, content };
      const outcome = await this.caller.call('/messages', form);
      if (this.answers.note(outcome))
        this.acknowledged.push({ id: outcome.body.id, content, atMs: performance.now() });
      else await pause(outcome.status === 503 ? 50 : 20);
    }
  }
}

/** How long a poll that waits does so, before its client goes away and asks anew. */
const WAITS_MS = 2_000;

/** Follows its event queue, and registers anew when it is gone. */
export class Reader {
  registrations = 0;
  /** Since it registered last: what it was told, in this order. */
  told: Acknowledged[] = [];
  /** The newest message when it registered last. */
  knownTo = 0;
  readonly answers = new Answers();
  private queueId: string | null = null;
  private lastEventId = -1;
  private readonly caller: Caller;

  /** @param waits whether its polls wait for what comes, and are left without an answer now and then */
  constructor(
    site: Site,
    private readonly waits: boolean,
  ) {
    this.caller = new Caller(site);
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
    for (;;) {
      const isLast = isOver();
      const waits = this.waits && !isLast;
      const path = `/events?${this.position}&dont_block=${!waits}`;
      const outcome = await this.caller.call(path, undefined, waits ? WAITS_MS : undefined);
      if (outcome.body?.code === 'BAD_EVENT_QUEUE_ID') {
        if (!(await this.register())) await pause(100);
        continue;
      }
      const hasGoneAway = outcome.status === null && waits && outcome.tookMs >= WAITS_MS;
      if (hasGoneAway) continue;
      if (!this.answers.note(outcome)) await pause(100);
      else {
        const { events } = outcome.body;
        this.take(events);
        if (isLast && events.length === 0) return;
        if (events.length === 0) await pause(50);
      }
    }
  }

  private take(events: readonly { id: number; type: string; message?: Acknowledged }[]): void {
    const atMs = performance.now();
    for (const { id, type, message } of events) {
      this.lastEventId = id;
      if (type === 'message' && message) this.told.push({ id: message.id, content: message.content, atMs });
    }
  }
}
