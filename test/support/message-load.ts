import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Content of the last message. */
const END = 'the end';

const PAUSE_BETWEEN_MESSAGES_MS = 20;

/** Messages that people sent and bots received. */
export interface LoadOutcome {
  /** Content of each acknowledged message, by its ID. */
  readonly sent: ReadonlyMap<number, string>;
  /** Number of acknowledged requests, including duplicates. */
  readonly acknowledged: number;
  /** The messages of `sent` that each bot received, in order of arrival. */
  readonly seen: readonly (readonly number[])[];
  /** Maximum duration of a request, except polls. */
  readonly longestMs: number;
}

/** Sends messages to #general, with bots that follow them, while a server restarts. Any failed request ends it. */
export class MessageLoad {
  private isOver = false;
  private acknowledged = 0;
  private longestMs = 0;
  private readonly sent = new Map<number, string>();
  private readonly failed = new AbortController();
  private senders: Promise<unknown> = Promise.resolve();
  private bots: Promise<number[][]> = Promise.resolve([]);

  /** @param zuliprc credentials of the person who sends, and whose bots follow */
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

  /** @throws the error of the first failed request */
  async end(): Promise<LoadOutcome> {
    this.isOver = true;
    await this.senders;
    await this.say(END);
    const { sent, acknowledged, longestMs } = this;
    const seen = (await this.bots).map((ids) => ids.filter((id) => sent.has(id)));
    return { sent, acknowledged, seen, longestMs };
  }

  /** Uses a new connection for each request, so that the server must accept each. */
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

  /** Polls like a bot, up to the final message. @returns the earlier messages, in order of arrival */
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

/** Asserts that nothing was lost, duplicated or reordered. */
export function expectNothingLost({ sent, acknowledged, seen }: LoadOutcome): void {
  expect(sent.size).toBe(acknowledged);
  const ids = [...sent.keys()].sort((one, other) => one - other);
  for (const messages of seen) expect(messages).toEqual(ids);
}
