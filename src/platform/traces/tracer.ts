// eslint-disable-next-line no-restricted-imports -- what a request does stays in its arguments; this only watches it
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error';
import type { OutboundAnswer, OutboundRequest } from '../outbound/outbound-request';
import { type CollectorOptions, type EndedSpan, type SpanAttributes, SpanExporter } from './span-exporter';

/** A span that has started. */
interface Span extends Pick<EndedSpan, 'traceId' | 'spanId' | 'parentId' | 'startMs'> {
  isOver: boolean;
}

/** What is known of a span from its start. */
type Started = Pick<EndedSpan, 'name' | 'kind' | 'attributes'>;

/** Outcome of a span. */
type Ended = Started & Pick<EndedSpan, 'hasFailed'>;

/** The format of W3C Trace Context. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Slower requests are always recorded, like failed ones, but without their parts. */
const SLOW_MS = 1_000;

const now = () => performance.timeOrigin + performance.now();

/** Records how a share of the requests and jobs spend their time. */
export class Tracer {
  private readonly current = new AsyncLocalStorage<Span>();
  private readonly requests = new WeakMap<object, Span>();
  private readonly exporter: SpanExporter;
  private open = 0;

  /** @param ratio the share of requests and jobs that is recorded, from 0 to 1 */
  constructor(
    collector: CollectorOptions,
    private readonly ratio: number,
  ) {
    this.exporter = new SpanExporter(collector);
  }

  /** Records requests; those from trusted proxies continue the traces that they name. */
  watchRequests(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply, done) => {
      const span = this.beginRequest(
        server.transport.trusts(request.raw.socket.remoteAddress) && request.headers.traceparent,
      );
      if (!span) return done();
      this.requests.set(request, span);
      // Long polls must not keep the context in use.
      if (isPoll(request)) return done();
      this.enter();
      reply.raw.once('close', () => this.leave());
      this.current.run(span, done);
    });
    // The body arrived in another context.
    server.addHook('preValidation', (request, _reply, done) => {
      const span = this.requests.get(request);
      if (span && !isPoll(request)) this.current.run(span, done);
      else done();
    });
    server.addHook('onResponse', (request, reply, done) => {
      const { elapsedTime, statusCode } = reply;
      const hasFailed = statusCode >= 500;
      const recorded = this.requests.get(request);
      const isRemarkable = hasFailed || (elapsedTime >= SLOW_MS && !isPoll(request));
      const span = recorded ?? (isRemarkable ? begin(undefined, now() - elapsedTime) : undefined);
      if (span) {
        const route = request.is404 ? undefined : request.routeOptions.url;
        const attributes = {
          'http.request.method': request.method,
          'http.response.status_code': statusCode,
          'parley.request_id': request.id,
          ...(route !== undefined && { 'http.route': route }),
        };
        const name = route === undefined ? request.method : `${request.method} ${route}`;
        this.end(span, { name, kind: 'server', attributes, hasFailed });
      }
      done();
    });
  }

  /** Work within a request or job that may be recorded. */
  part<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    const parent = this.currentSpan;
    return parent ? this.record(begin(parent), { name, kind: 'internal', attributes }, work) : work();
  }

  /** Work that starts a trace; always recorded if it fails. */
  async root<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    if (this.isChosen()) {
      this.enter();
      try {
        return await this.record(begin(undefined), { name, kind: 'internal', attributes }, work);
      } finally {
        this.leave();
      }
    }
    const startMs = now();
    try {
      return await work();
    } catch (error) {
      if (isFault(error))
        this.end(begin(undefined, startMs), failedSpan({ name, kind: 'internal', attributes }, error));
      throw error;
    }
  }

  /** A request to another server, which receives the trace ID. */
  async call<Request extends Pick<OutboundRequest, 'url' | 'headers'>>(
    name: string,
    request: Request,
    send: (request: Request) => Promise<OutboundAnswer>,
  ): Promise<OutboundAnswer> {
    const parent = this.currentSpan;
    if (!parent) return send(request);
    const span = begin(parent);
    const host = URL.canParse(request.url) ? new URL(request.url).hostname : '';
    const attributes = { 'http.request.method': 'POST', 'server.address': host };
    const started = { name, kind: 'client', attributes } as const;
    const traceparent = `00-${span.traceId}-${span.spanId}-01`;
    try {
      const answer = await send({ ...request, headers: { ...request.headers, traceparent } });
      const known = { ...attributes, 'http.response.status_code': answer.status };
      this.end(span, { ...started, attributes: known, hasFailed: answer.status >= 400 });
      return answer;
    } catch (error) {
      this.end(span, failedSpan(started, error));
      throw error;
    }
  }

  close(): Promise<void> {
    return this.exporter.close();
  }

  private get currentSpan(): Span | undefined {
    const span = this.current.getStore();
    return span?.isOver === false ? span : undefined;
  }

  private beginRequest(traceparent: unknown): Span | undefined {
    const [, traceId, parentId, flags] = TRACEPARENT.exec(String(traceparent)) ?? [];
    if (traceId === undefined) return this.isChosen() ? begin(undefined) : undefined;
    const isRecorded = (Number.parseInt(flags ?? '', 16) & 1) === 1;
    return isRecorded ? begin({ traceId, spanId: parentId ?? '' }) : undefined;
  }

  private isChosen(): boolean {
    return Math.random() < this.ratio;
  }

  private async record<T>(span: Span, started: Started, work: () => Promise<T>): Promise<T> {
    try {
      const value = await this.current.run(span, work);
      this.end(span, { ...started, hasFailed: false });
      return value;
    } catch (error) {
      this.end(span, failedSpan(started, error));
      throw error;
    }
  }

  private enter(): void {
    this.open += 1;
  }

  /** Before Node.js 24, an active context slows down every promise, including those of other requests. */
  private leave(): void {
    this.open -= 1;
    if (this.open === 0) this.current.disable();
  }

  private end(span: Span, ended: Ended): void {
    span.isOver = true;
    this.exporter.add({ ...span, ...ended, endMs: now() });
  }
}

function begin(parent: Pick<Span, 'traceId' | 'spanId'> | undefined, startMs = now()): Span {
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentId: parent?.spanId,
    startMs,
    isOver: false,
  };
}

/** A refusal is a normal answer. Only the class name is recorded: messages may contain texts of people. */
const isFault = (error: unknown) => !(error instanceof ApiError);

function failedSpan(started: Started, error: unknown): Ended {
  const type = error instanceof Error ? error.constructor.name : typeof error;
  return { ...started, attributes: { ...started.attributes, 'error.type': type }, hasFailed: isFault(error) };
}

function isPoll({ routeOptions }: { readonly routeOptions: { readonly config: object } }): boolean {
  return (routeOptions.config as { readonly answersLater?: boolean }).answersLater === true;
}
