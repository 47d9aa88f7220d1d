import { randomUUID } from 'node:crypto';
import type { Counter } from '../metrics/metrics';
import { PROGRAM_VERSION } from '../version';

/** Attributes of a span: never texts, names or addresses of people. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Span kinds by their numbers in the protocol. */
const KINDS = { internal: 1, server: 2, client: 3 } as const;

/** A finished span. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly hasFailed: boolean;
}

/** The collector that receives spans. */
export interface CollectorOptions {
  /** Without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly spans: Counter<'outcome'>;
}

const FAILED = 2;

const MOST_WAITING = 2_048;
const MOST_AT_ONCE = 512;
const SEND_EVERY_MS = 5_000;
const SEND_PATIENCE_MS = 10_000;
const CLOSE_PATIENCE_MS = 2_000;

/** Sends spans to a collector, as OTLP in JSON over HTTP. Spans that it does not accept are dropped and counted. */
export class SpanExporter {
  private readonly url: string;
  private readonly resource = {
    attributes: attributesOf({
      'service.name': 'parley',
      'service.version': PROGRAM_VERSION,
      'service.instance.id': randomUUID(),
    }),
  };
  private waiting: object[] = [];
  private sending: Promise<void> | null = null;
  private readonly giveUp = new AbortController();
  private readonly timer = setInterval(() => void this.send(), SEND_EVERY_MS).unref();

  constructor(private readonly options: CollectorOptions) {
    this.url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
    for (const outcome of ['sent', 'dropped']) options.spans.inc({ outcome }, 0);
  }

  add({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, hasFailed }: EndedSpan): void {
    if (this.waiting.length >= MOST_WAITING) {
      this.options.spans.inc({ outcome: 'dropped' });
      return;
    }
    this.waiting.push({
      traceId,
      spanId,
      parentSpanId: parentId,
      name,
      kind: KINDS[kind],
      startTimeUnixNano: nanoseconds(startMs),
      endTimeUnixNano: nanoseconds(endMs),
      attributes: attributesOf(attributes),
      status: hasFailed ? { code: FAILED } : {},
    });
    if (this.waiting.length >= MOST_AT_ONCE) void this.send();
  }

  /** Sends pending spans, unless the collector takes too long. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    setTimeout(() => this.giveUp.abort(), CLOSE_PATIENCE_MS).unref();
    await this.sending;
    await this.send();
  }

  /** Sequential, so that a slow collector costs one connection. */
  private send(): Promise<void> {
    if (this.waiting.length > 0)
      this.sending ??= this.post().finally(() => {
        this.sending = null;
      });
    return this.sending ?? Promise.resolve();
  }

  private async post(): Promise<void> {
    const spans = this.waiting;
    this.waiting = [];
    const scopeSpans = [{ scope: { name: 'parley', version: PROGRAM_VERSION }, spans }];
    const isTaken = await fetch(this.url, {
      method: 'POST',
      headers: { ...this.options.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ resource: this.resource, scopeSpans }] }),
      redirect: 'error',
      signal: AbortSignal.any([this.giveUp.signal, AbortSignal.timeout(SEND_PATIENCE_MS)]),
    })
      .then(async ({ ok, body }) => {
        await body?.cancel();
        return ok;
      })
      .catch(() => false);
    this.options.spans.inc({ outcome: isTaken ? 'sent' : 'dropped' }, spans.length);
  }
}

function attributesOf(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).map(([key, value]) => {
    if (typeof value === 'number') return { key, value: { intValue: String(value) } };
    return { key, value: typeof value === 'boolean' ? { boolValue: value } : { stringValue: value } };
  });
}

/** As text, because it has more digits than a number can represent. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}
