import { setTimeout as pause } from 'node:timers/promises';

/** URL and credentials of one account. */
export interface SoakAccess {
  /** URL of the server, which may be temporarily unavailable. */
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

/** A message as received by a bot. */
export interface SeenMessage {
  readonly id: number;
  readonly stream_id: number;
  readonly subject: string;
}

/** Longer than the interval of heartbeats, so that a poll lost by the server ends. */
const POLL_TIMEOUT_MS = 70_000;

/**
 * A bot that behaves like real clients: it polls, repeats unanswered requests, and records every received message. It
 * trusts the server, so a message delivered twice is recorded twice.
 */
export class SoakBot {
  /** In order of arrival. */
  readonly seen: SeenMessage[] = [];
  /** IDs of acknowledged messages. */
  readonly sent: number[] = [];
  private queueId = '';
  private lastEventId = -1;
  private isPolling = true;
  private polling: Promise<void> = Promise.resolve();

  constructor(private readonly access: SoakAccess) {}

  /** Registers a queue and starts polling it. */
  async start(): Promise<void> {
    const queue = await this.call('POST', 'register', {
      event_types: '["message"]',
      fetch_event_types: '[]',
    });
    this.queueId = queue.queue_id as string;
    this.lastEventId = queue.last_event_id as number;
    this.polling = this.poll();
  }

  /** Sends a message with a unique local ID, so that the server recognizes a retry. */
  async send(channelId: number, topic: string, localId: string): Promise<void> {
    const place = { type: 'channel', to: String(channelId), topic };
    const echo = { queue_id: this.queueId, local_id: localId };
    const { id } = await this.call('POST', 'messages', { ...place, content: localId, ...echo });
    this.sent.push(id as number);
  }

  /** Continues polling until it has received this many messages or the time is up, then ends. */
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

  /** Retries until there is an answer. @throws if it is a refusal */
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
