import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** What the last message says. */
const END = 'the end';

const PAUSE_BETWEEN_MESSAGES_MS = 20;

/** What people sent and bots received. */
export interface LoadOutcome {
  /** Content of each acknowledged message, by its ID. */
  readonly sent: ReadonlyMap<number, string>;
  /** How many were acknowledged, doubles included. */
  readonly acknowledged: number;
  /** Those of `sent` that each bot received, in the order in which they came. */
  readonly seen: readonly (readonly number[])[];
  /** The longest that a request took, polls aside. */
  readonly longestMs: number;
}

/** Messages sent to #general, and bots that follow them, while a server restarts. Any failed request ends it. */
export class MessageLoad {
  private isOver = false;
  private acknowledged = 0;
  private longestMs = 0;
  private readonly sent = new Map<number, string>();
  private readonly failed = new AbortController();
  private senders: Promise<unknown> = Promise.resolve();
  private bots: Promise<number[][]> = Promise.resolve([]);

  /** @param zuliprc content of the file of the person who sends and whose bots follow */
  constructor(
    private readonly site: string,
    private readonly zuliprc: string,
  ) {}

  get hasFailed(): boolean {
    return this.failed.signal.aborted;
  }

  async start(count: { readonly senders: number; readonly bots: number }): Promise<void> {
    const register = () => this.ask('POST', '/register', { event_types: '["message"]' });
    const queues = await Promise.all(Array.from({ length: count.bots }, register));
    this.bots = Promise.all(queues.map((queue) => this.follow(queue)));
    this.senders = Promise.all(Array.from({ length: count.senders }, (_, at) => this.send(`sender ${at}`)));
    Promise.all([this.senders, this.bots]).catch((reason: unknown) => this.failed.abort(reason));
  }

  /** Resolves after twenty more messages. */
  async untilMore(): Promise<void> {
    for (const before = this.acknowledged; this.acknowledged < before + 20;)
      await pause(20, null, { signal: this.failed.signal });
  }

  /** @throws what the first failed request said */
  async end(): Promise<LoadOutcome> {
    this.isOver = true;
    await this.senders;
    await this.say(END);
    const { sent, acknowledged, longestMs } = this;
    const seen = (await this.bots).map((ids) => ids.filter((id) => sent.has(id)));
    return { sent, acknowledged, seen, longestMs };
  }

  /** Each on a connection of its own, so that every one has to be let in. */
  ask(method: string, path: string, form: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const began = performance.now();
    const body = new URLSearchParams(form).toString();
    const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(this.zuliprc)?.[1] ?? '';
    const authorization = `Basic ${btoa(`${valueOf('email')}:${valueOf('key')}`)}`;
    return new Promise((resolve, reject) => {
      const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
      const url = `${this.site}/api/v1${path}${method === 'GET' ? `?${body}` : ''}`;
      const sent = request(url, { method, headers, agent: false }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          if (!path.startsWith('/events'))
            this.longestMs = Math.max(this.longestMs, performance.now() - began);
          if (answer.statusCode === 200) resolve(JSON.parse(text) as Record<string, unknown>);
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
        });
      });
      sent.on('error', reject).end(method === 'GET' ? '' : body);
    });
  }

  /** @returns the ID of the message */
  private async say(content: string): Promise<number> {
    const place = { type: 'stream', to: '"general"', topic: 'load' };
    return Number((await this.ask('POST', '/messages', { ...place, content })).id);
  }

  private async send(name: string): Promise<void> {
    for (let count = 0; !this.isOver; count += 1) {
      const content = `${name} ${count}`;
      this.sent.set(await this.say(content), content);
      this.acknowledged += 1;
      await pause(PAUSE_BETWEEN_MESSAGES_MS);
    }
  }

  /** Polls as bots do, up to the message that says the end. @returns the messages before it, as they came */
  private async follow(registered: Record<string, unknown>): Promise<number[]> {
    const seen: number[] = [];
    let last = Number(registered.last_event_id);
    for (;;) {
      const poll = { queue_id: String(registered.queue_id), last_event_id: String(last) };
      const { events } = await this.ask('GET', '/events', poll);
      for (const event of events as { id: number; message?: { id: number; content: string } }[]) {
        last = event.id;
        if (event.message?.content === END) return seen;
        if (event.message) seen.push(event.message.id);
      }
    }
  }
}

/** Nothing was lost, and nothing came twice or in another order. */
export function expectNothingLost({ sent, acknowledged, seen }: LoadOutcome): void {
  expect(sent.size).toBe(acknowledged);
  const ids = [...sent.keys()].sort((one, other) => one - other);
  for (const messages of seen) expect(messages).toEqual(ids);
}
