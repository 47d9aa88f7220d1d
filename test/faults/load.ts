import { setTimeout as pause } from 'node:timers/promises';

/** A request is given up by its client after this long, and counts as one that took too long. */
const PATIENCE_MS = 60_000;

/** Who asks, and where the server is: each request goes to the next address. */
export interface Site {
  readonly addresses: readonly string[];
  readonly authorization: string;
}

/** What came of a request. */
export interface Outcome {
  /** Null where the connection broke. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any answer of the interface
  readonly body: any;
  readonly tookMs: number;
}

/** A message that the server said it has. */
interface Acknowledged {
  readonly id: number;
  readonly content: string;
}

/** Talks to a server as a client does that goes to another node when one does not answer. */
export class Caller {
  private next = 0;

  constructor(private readonly site: Site) {}

  async call(path: string, form?: Record<string, string>): Promise<Outcome> {
    const since = performance.now();
    const address = this.site.addresses[this.next++ % this.site.addresses.length];
    const tookMs = () => Math.round(performance.now() - since);
    try {
      const answer = await fetch(`${address}/api/v1${path}`, {
        headers: { authorization: this.site.authorization },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
      const body: unknown = await answer.json().catch(() => null);
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body, tookMs: tookMs() };
    } catch {
      return { status: null, retryAfter: null, body: null, tookMs: tookMs() };
    }
  }
}

/** Sends one message after the other into a topic of its own, and never one twice. */
export class Writer {
  readonly acknowledged: Acknowledged[] = [];
  readonly answers = { refused: 0, broken: 0, wrong: [] as string[], slowestMs: 0 };
  /** When the last message was acknowledged, by `performance.now()`. */
  lastAcknowledgedMs = 0;
  private sent = 0;
  private readonly caller: Caller;

  constructor(
    site: Site,
    private readonly name: string,
  ) {
    this.caller = new Caller(site);
  }

  async writeUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const content = `${this.name} ${++this.sent}`;
      const form = { type: 'channel', to: 'faults', topic: this.name, content };
      const { status, retryAfter, body, tookMs } = await this.caller.call('/messages', form);
      this.answers.slowestMs = Math.max(this.answers.slowestMs, tookMs);
      if (status === 200) {
        this.acknowledged.push({ id: body.id, content });
        this.lastAcknowledgedMs = performance.now();
      } else if (status === null || status === 502 || status === 504) {
        this.answers.broken++;
        await pause(20);
      } else {
        this.answers.refused++;
        if (status !== 503 || retryAfter === null)
          this.answers.wrong.push(`${status} ${JSON.stringify(body)}`);
        await pause(50);
      }
    }
  }
}

/** Follows its event queue, and registers anew when it is gone. */
export class Reader {
  registrations = 0;
  /** Since it registered last: what it was told, in this order. */
  told: Acknowledged[] = [];
  /** The newest message when it registered last. */
  knownTo = 0;
  private queueId: string | null = null;
  private lastEventId = -1;
  private readonly caller: Caller;

  constructor(site: Site) {
    this.caller = new Caller(site);
  }

  async register(): Promise<boolean> {
    const form = { event_types: '["message"]', fetch_event_types: '["message"]' };
    const { status, body } = await this.caller.call('/register', form);
    if (status !== 200) return false;
    this.queueId = body.queue_id;
    this.lastEventId = body.last_event_id;
    this.knownTo = body.max_message_id;
    this.told = [];
    this.registrations++;
    return true;
  }

  /** @param isOver asked between two polls, which wait a moment at most */
  async followUntil(isOver: () => boolean): Promise<void> {
    for (;;) {
      const isLast = isOver();
      const query = `queue_id=${this.queueId}&last_event_id=${this.lastEventId}&dont_block=true`;
      const { status, body } = await this.caller.call(`/events?${query}`);
      if (status === 200) {
        this.take(body.events);
        if (isLast && body.events.length === 0) return;
        if (body.events.length === 0) await pause(50);
      } else if (body?.code === 'BAD_EVENT_QUEUE_ID') {
        if (!(await this.register())) await pause(100);
      } else {
        await pause(100);
      }
    }
  }

  private take(events: readonly { id: number; type: string; message?: Acknowledged }[]): void {
    for (const { id, type, message } of events) {
      this.lastEventId = id;
      if (type === 'message' && message) this.told.push({ id: message.id, content: message.content });
    }
  }
}
