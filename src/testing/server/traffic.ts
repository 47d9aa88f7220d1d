import { EventEmitter, once } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWithin } from '../../platform/clock';
import { isOwnRequest } from './inner-caller';
import { isTestRoute, TestRequestRefused } from './request-checks';

/** A client that does not poll again within this time is gone. */
const COMES_BACK_MS = 1_000;
/** A request that takes longer will not end by itself. */
const PATIENCE_MS = 15_000;
/** Maximum number of queues whose polling is tracked. */
const MOST_QUEUES = 1_000;

interface Polling {
  waiting: number;
  answeredAt: number;
}

/** Tracks pending requests, and which clients wait for events. Can make all new requests wait. */
export class Traffic {
  private readonly running = new Set<FastifyRequest>();
  private readonly polls = new Map<FastifyRequest, string>();
  private readonly polling = new Map<string, Polling>();
  private readonly changes = new EventEmitter();
  private gate: Promise<void> | null = null;

  constructor(server: FastifyInstance) {
    this.changes.setMaxListeners(0);
    server.addHook('onRequest', async (request, reply) => {
      if (isTestRoute(request) || isOwnRequest(request)) return;
      while (this.gate) await this.gate;
      this.begin(request);
      // The only signal of a connection that ends before its answer.
      reply.raw.once('close', () => this.end(request, isAnswered(reply)));
    });
    server.addHook('onResponse', async (request, reply) => this.end(request, isAnswered(reply)));
  }

  /** Runs work exclusively: new requests wait, and pending ones finish first. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.gate) await this.gate;
    let open: () => void = () => undefined;
    this.gate = new Promise((resolve) => (open = resolve));
    try {
      await this.quiet();
      return await work();
    } finally {
      this.polling.clear();
      this.gate = null;
      open();
    }
  }

  /**
   * Resolves once only waiting polls are pending.
   * @throws {TestRequestRefused} if a request takes too long
   */
  quiet(): Promise<void> {
    const ended = async () => {
      while (this.running.size > 0) await once(this.changes, 'end');
    };
    return answerWithin(
      PATIENCE_MS,
      ended(),
      () => new TestRequestRefused(`A request has been under way for ${PATIENCE_MS / 1_000} seconds.`),
    );
  }

  /** Milliseconds until every client that received events has polled again or timed out; 0 if all have. */
  get awaitedMs(): number {
    const answered = [...this.polling.values()].filter(({ waiting }) => waiting === 0);
    const last = Math.max(0, ...answered.map(({ answeredAt }) => answeredAt));
    return Math.max(0, last + COMES_BACK_MS - performance.now());
  }

  private begin(request: FastifyRequest): void {
    const queueId = queuePolled(request);
    if (queueId === null) {
      this.running.add(request);
      return;
    }
    this.polls.set(request, queueId);
    const known = this.polling.get(queueId) ?? { waiting: 0, answeredAt: 0 };
    known.waiting++;
    this.polling.set(queueId, known);
    for (const [oldest] of this.polling) {
      if (this.polling.size <= MOST_QUEUES) break;
      this.polling.delete(oldest);
    }
  }

  private end(request: FastifyRequest, isAnswer: boolean): void {
    const queueId = this.polls.get(request);
    if (queueId !== undefined) {
      this.polls.delete(request);
      const known = this.polling.get(queueId);
      if (known) known.waiting--;
      if (known && isAnswer) known.answeredAt = performance.now();
      else if (known?.waiting === 0) this.polling.delete(queueId);
    }
    if (this.running.delete(request)) this.changes.emit('end');
  }
}

/** Whether the client received its answer. */
function isAnswered({ raw }: FastifyReply): boolean {
  return raw.writableFinished && raw.statusCode === 200;
}

/** The queue that a request polls; null for any other request. */
function queuePolled({ method, url }: FastifyRequest): string | null {
  const [path, query = ''] = url.split('?');
  if (method !== 'GET' || !/^\/(api|json)\/v1\/events$|^\/json\/events$/.test(path ?? '')) return null;
  const parameters = new URLSearchParams(query);
  return parameters.get('dont_block') === 'true' ? null : parameters.get('queue_id');
}
