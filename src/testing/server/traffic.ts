import { EventEmitter, once } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWithin } from '../../platform/clock';
import { isOwnRequest } from './inner-caller';
import { isTestRoute, TestRequestRefused } from './request-checks';

/** A client that does not come back within this time has gone, or does not mean to. */
const COMES_BACK_MS = 1_000;
/** A request that is under way for longer does not end by itself. */
const PATIENCE_MS = 15_000;
/** Queues of which it is remembered how they are polled. */
const MOST_QUEUES = 1_000;

interface Polling {
  waiting: number;
  answeredAt: number;
}

/** Which requests are under way, and which clients wait for events. Can make all that come wait. */
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
      // The one sign of a connection that ends before its answer.
      reply.raw.once('close', () => this.end(request, isAnswered(reply)));
    });
    server.addHook('onResponse', async (request, reply) => this.end(request, isAnswered(reply)));
  }

  /** Runs work while nothing else does: what comes waits, and what is under way ends first. */
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
   * Resolves once no request is under way but polls that wait.
   * @throws {TestRequestRefused} where one takes too long
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

  /** Milliseconds until every client that got events has come back for more, or has had the time to; 0 if they have. */
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

/** Whether the client got what it asked for. */
function isAnswered({ raw }: FastifyReply): boolean {
  return raw.writableFinished && raw.statusCode === 200;
}

/** The queue at which a request waits for events; null for any other request. */
function queuePolled({ method, url }: FastifyRequest): string | null {
  const [path, query = ''] = url.split('?');
  if (method !== 'GET' || !/^\/(api|json)\/v1\/events$|^\/json\/events$/.test(path ?? '')) return null;
  const parameters = new URLSearchParams(query);
  return parameters.get('dont_block') === 'true' ? null : parameters.get('queue_id');
}
