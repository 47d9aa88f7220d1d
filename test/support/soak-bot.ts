import { setTimeout as pause } from 'node:timers/promises';

/** How to reach the server as one account. */
export interface SoakAccess {
  /** Address of the server; it may be away for a while, and come back there. */
  readonly site: string;
  readonly email: string;
  readonly apiKey: string;
}

interface Answer {
  readonly result: 'success' | 'error';
  readonly code?: string;
  readonly [key: string]: unknown;
}

interface Poll {
  readonly events: readonly { id: number; type: string; message?: SeenMessage }[];
}

/** A message as a bot saw it. */
export interface SeenMessage {
  readonly id: number;
  readonly stream_id: number;
  readonly subject: string;
}

/** Longer than a heartbeat takes, so that a poll which the server lost does not wait for ever. */
const POLL_TIMEOUT_MS = 70_000;

/**
 * A bot as clients are: it polls, repeats whatever got no answer, and notes every message that it is handed. It
 * trusts the server, so a message handed out twice is noted twice.
 */
export class SoakBot {
  /** In the order in which they came. */
  readonly seen: SeenMessage[] = [];
  /** IDs of what it sent and was told about. */
  readonly sent: number[] = [];
  private queueId = '';
  private lastEventId = -1;
  private isPolling = true;
  private polling: Promise<void> = Promise.resolve();

  constructor(private readonly access: SoakAccess) {}

  /** Registers a queue and begins to poll it. */
  async start(): Promise<void> {
    const queue = await this.call('POST', 'register', {
      event_types: '["message"]',
      fetch_event_types: '[]',
    });
    this.queueId = queue.queue_id as string;
    this.lastEventId = queue.last_event_id as number;
    this.polling = this.poll();
  }

  /** Sends under a name of its own, so that a repetition is known as one. */
  async send(channelId: number, topic: string, localId: string): Promise<void> {
    const place = { type: 'channel', to: String(channelId), topic };
    const echo = { queue_id: this.queueId, local_id: localId };
    const { id } = await this.call('POST', 'messages', { ...place, content: localId, ...echo });
    this.sent.push(id as number);
  }

  /** Polls on until it has seen this many messages or the time is up, and ends. */
  async finish(expected: number, timeMs: number): Promise<void> {
    const until = Date.now() + timeMs;
    while (this.seen.length < expected && Date.now() < until) await pause(50);
    this.isPolling = false;
    await this.call('DELETE', 'events', { queue_id: this.queueId });
    await this.polling;
  }

  private async poll(): Promise<void> {
    while (this.isPolling) {
      const parameters = { queue_id: this.queueId, last_event_id: String(this.lastEventId) };
      const answer = await this.call('GET', 'events', parameters).catch((error: unknown) => {
        if (this.isPolling) throw error;
      });
      for (const event of (answer as Poll | undefined)?.events ?? []) {
        if (event.message) this.seen.push(event.message);
        this.lastEventId = event.id;
      }
    }
  }

  /** Repeats until there is an answer. @throws when it is a refusal */
  private async call(method: string, path: string, parameters: Record<string, string>): Promise<Answer> {
    const form = new URLSearchParams(parameters);
    const inQuery = method === 'GET' || method === 'DELETE';
    const url = `${this.access.site}/api/v1/${path}${inQuery ? `?${form.toString()}` : ''}`;
    const credentials = Buffer.from(`${this.access.email}:${this.access.apiKey}`).toString('base64');
    for (;;) {
      try {
        const response = await fetch(url, {
          method,
          headers: { authorization: `Basic ${credentials}` },
          signal: AbortSignal.timeout(POLL_TIMEOUT_MS),
          ...(inQuery ? {} : { body: form }),
        });
        if (response.status < 500) {
          const answer = (await response.json()) as Answer;
          if (answer.result === 'success') return answer;
          throw new Refusal(`${method} ${path}: ${JSON.stringify(answer)}`);
        }
      } catch (error) {
        if (error instanceof Refusal) throw error;
      }
      await pause(50 + Math.random() * 200);
    }
  }
}

class Refusal extends Error {}
