import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors/api-error';
import { RateLimitHit } from '../../platform/errors/request.errors';
import { isOwnRequest } from './inner-caller';
import { type Journal, pathMatches } from './journal';
import type { ServerPeople } from './server-people';
import { isTestRoute, TestRequestRefused } from './request-checks';

/** An injected failure: which requests it affects, and what happens to them. */
export interface FaultRequest {
  /** Path with or without `/api/v1`; `*` matches anything. All paths if omitted. */
  readonly path?: string;
  readonly method?: string;
  /** Short name, address or ID of the caller. */
  readonly person?: string | number;
  /** Part of the `User-Agent` header. */
  readonly client?: string;
  /** How many requests to affect; all until it is removed if omitted. */
  readonly times?: number;
  /** Delay in milliseconds before anything else happens. */
  readonly delay_ms?: number;
  /** Status of an answer that replaces the request's processing. */
  readonly status?: number;
  /** The code in that answer; without a status, the server's status for the code. */
  readonly code?: string;
  readonly msg?: string;
  /** Seconds in the `Retry-After` header of the refusal. */
  readonly retry_after?: number;
  /** When to close the connection: before processing, or after it, instead of the answer. */
  readonly cut?: 'before' | 'after';
}

/** JSON Schema of a fault. */
export const FAULT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: { type: 'string', pattern: '^[/*]', maxLength: 500 },
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    person: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    client: { type: 'string', maxLength: 300 },
    times: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    delay_ms: { type: 'integer', minimum: 1, maximum: 600_000 },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    code: { type: 'string', minLength: 1, maxLength: 100 },
    msg: { type: 'string', maxLength: 1_000 },
    retry_after: { type: 'number', minimum: 0, maximum: 86_400 },
    cut: { enum: ['before', 'after'] },
  },
};

/** Effects of a fault, which must have at least one. */
const OUTCOMES = ['delay_ms', 'status', 'code', 'cut'] as const;

/** More faults at a time would be a mistake. */
const MOST_FAULTS = 1_000;

interface SetFault extends FaultRequest {
  readonly id: number;
  /** Number of affected requests. */
  met: number;
}

/** Makes chosen requests fail. */
export class Faults {
  private readonly known = new Map<number, SetFault>();
  private lastId = 0;
  private readonly toCut = new WeakSet<FastifyRequest>();

  constructor(
    private readonly people: ServerPeople,
    private readonly journal: Journal,
  ) {}

  /** Call it before the application has its routes. */
  listenTo(server: FastifyInstance): void {
    server.addHook('onRequest', async (request, reply) => this.meet(request, reply));
    // By now, the request is processed and its changes are stored.
    server.addHook('onSend', async (request, reply, payload) => {
      if (this.toCut.has(request)) reply.raw.destroy();
      return payload;
    });
  }

  /** @throws {TestRequestRefused} for an ambiguous fault, or too many of them */
  add(fault: FaultRequest): SetFault {
    if (OUTCOMES.every((key) => fault[key] === undefined))
      throw new TestRequestRefused(
        `It must say what becomes of the request, with one of ${OUTCOMES.join(', ')}.`,
      );
    if (fault.cut !== undefined && (fault.status !== undefined || fault.code !== undefined))
      throw new TestRequestRefused(
        'A request is either cut or refused: leave out "cut", or "status" and "code".',
      );
    if (
      (fault.msg ?? fault.retry_after) !== undefined &&
      fault.status === undefined &&
      fault.code === undefined
    )
      throw new TestRequestRefused('"msg" and "retry_after" are of a refusal: it needs "status" or "code".');
    if (this.known.size >= MOST_FAULTS) throw new TestRequestRefused('There are too many faults.');
    const added = { ...fault, id: ++this.lastId, met: 0 };
    this.known.set(added.id, added);
    return added;
  }

  list(): readonly SetFault[] {
    return [...this.known.values()];
  }

  remove(id: number): boolean {
    return this.known.delete(id);
  }

  clear(): void {
    this.known.clear();
  }

  private async meet(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.known.size === 0 || isTestRoute(request) || isOwnRequest(request)) return;
    const fault = this.list().find((each) => this.concerns(each, request));
    if (!fault) return;
    fault.met++;
    if (fault.met === fault.times) this.known.delete(fault.id);
    this.journal.noteFault(request, fault);
    if (fault.delay_ms !== undefined) {
      // An idle connection would be closed in the meantime.
      request.raw.setTimeout(0);
      await pause(fault.delay_ms);
    }
    if (fault.cut === 'before') {
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    if (fault.cut === 'after') this.toCut.add(request);
    if (fault.status !== undefined || fault.code !== undefined) throw answerOf(fault, request);
  }

  private concerns({ path, method, person, client }: SetFault, request: FastifyRequest): boolean {
    const [asked = ''] = request.url.split('?');
    return (
      (path === undefined || pathMatches(path, asked)) &&
      (method === undefined || method === request.method) &&
      (client === undefined || String(request.headers['user-agent'] ?? '').includes(client)) &&
      (person === undefined || this.isFrom(person, request))
    );
  }

  private isFrom(person: string | number, { headers }: FastifyRequest): boolean {
    const { email } = this.people.answerFor(this.people.find(person));
    const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'basic') return false;
    const given = Buffer.from(credentials, 'base64').toString('utf8').split(':')[0] ?? '';
    return given.toLowerCase() === email.toLowerCase();
  }
}

/** Uses the server's own message for the code, if it has one. */
function answerOf({ status, code, msg, retry_after }: FaultRequest, request: FastifyRequest): ApiError {
  if (code === 'RATE_LIMIT_HIT' && [undefined, 429].includes(status))
    return new RateLimitHit(retry_after ?? 1);
  if (code === 'BAD_EVENT_QUEUE_ID' && status === undefined) {
    const queueId = new URL(request.url, 'http://localhost').searchParams.get('queue_id') ?? '';
    return new ApiError(msg ?? `Bad event queue ID: ${queueId}`, { code, data: { queue_id: queueId } });
  }
  const headers: Record<string, string> =
    retry_after === undefined ? {} : { 'retry-after': String(retry_after) };
  return new ApiError(msg ?? 'This fault was asked for', { status, code, headers });
}
