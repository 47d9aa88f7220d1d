import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { INestApplicationContext } from '@nestjs/common';
import { EventLogReader } from '../../platform/events/event-log-reader';
import { isNodeRow } from '../../platform/events/server-event';
import { TransientEvents } from '../../platform/events/transient-events';
import { Hooks } from '../../platform/hooks/hooks';
import { sentParameters } from '../../platform/http/body/sent-parameters';
import { webhookCalled } from '../../features/integrations/integrations.module';
import type { MovableClock } from './movable-clock';
import { isOwnRequest } from './inner-caller';
import type { ServerPeople } from './server-people';
import { isTestRoute } from './request-checks';

/** Limits of entries and of their characters, above which the oldest are dropped. */
const MOST_ENTRIES = 10_000;
const MOST_CHARACTERS = 32_000_000;
/** Longer answers and bodies are truncated. */
const LONGEST_TEXT = 100_000;

/** Common keys of all entries. */
interface EntryFrame {
  /** Increases with each entry. */
  readonly id: number;
  /** Time by the server's clock, UNIX milliseconds. */
  readonly at: number;
}

/** An entry, whose other keys depend on its kind. */
type JournalEntry = EntryFrame & {
  readonly kind: 'request' | 'event' | 'webhook';
  readonly [key: string]: unknown;
};

/** A fault that affected a request. */
interface MetFault {
  readonly id: number;
  readonly cut?: 'before' | 'after';
}

/** Filter for entries; omitted keys match anything. */
export interface JournalFilter {
  readonly kind?: JournalEntry['kind'];
  readonly after?: number;
  readonly person?: string;
  readonly client?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly type?: string;
  readonly limit?: number;
}

/** What happened on the server: every request with its answer, every event, every webhook call. */
export class Journal {
  private entries: { readonly entry: JournalEntry; readonly length: number }[] = [];
  private characters = 0;
  private lastId = 0;
  private readonly answers = new WeakMap<FastifyRequest, string>();
  private readonly noted = new WeakSet<FastifyRequest>();
  private readonly faults = new WeakMap<FastifyRequest, MetFault>();

  constructor(
    private readonly clock: MovableClock,
    private readonly people: ServerPeople,
  ) {}

  /** Call it before the application has its routes. */
  listenToRequests(server: FastifyInstance): void {
    server.addHook('onRequest', async (request, reply) => {
      // The only signal of a connection that ends before its answer.
      reply.raw.once('close', () => this.addRequest(request, reply));
    });
    server.addHook('onSend', async (request, _reply, payload) => {
      if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
        this.answers.set(request, payload.toString('utf8').slice(0, LONGEST_TEXT));
      }
      return payload;
    });
    server.addHook('onResponse', async (request, reply) => this.addRequest(request, reply));
  }

  listenTo(app: INestApplicationContext): void {
    app.get(EventLogReader, { strict: false }).onRows((rows) => {
      for (const row of rows) {
        if (isNodeRow(row)) continue;
        const { event, options, number } = row;
        const markdown = options.alternatives?.['markdown'] as { content?: string } | undefined;
        const shown = { event, number, audience: this.people.namesOf(row.audience.ids()) };
        this.add('event', { type: event.type, op: event.op, ...shown, markdown: markdown?.content });
      }
    });
    app.get(TransientEvents, { strict: false }).onPublished(({ event, audience }) =>
      this.add('event', {
        type: event.type,
        op: event.op,
        event,
        number: null,
        audience: this.people.namesOf(audience.ids()),
      }),
    );
    app.get(Hooks, { strict: false }).on(webhookCalled, ({ botId, messageId, url, body, answer, failure }) =>
      this.add('webhook', {
        person: this.people.nameOf(botId),
        message_id: messageId,
        url,
        body: parsed(body),
        status: answer?.status ?? null,
        answer: answer && parsed(answer.body),
        failure,
      }),
    );
  }

  /** Records that a fault affected a request. */
  noteFault(request: FastifyRequest, fault: MetFault): void {
    this.faults.set(request, fault);
  }

  clear(): void {
    this.entries = [];
    this.characters = 0;
  }

  get newestId(): number {
    return this.lastId;
  }

  /** The oldest matching entries, and whether there are more. */
  find({ limit = 1_000, ...filter }: JournalFilter): { entries: JournalEntry[]; is_more: boolean } {
    const fitting = this.entries.map(({ entry }) => entry).filter((entry) => fits(entry, filter));
    return { entries: fitting.slice(0, limit), is_more: fitting.length > limit };
  }

  private addRequest(request: FastifyRequest, { raw, elapsedTime }: FastifyReply): void {
    if (this.noted.has(request) || isTestRoute(request) || isOwnRequest(request)) return;
    this.noted.add(request);
    const [path = ''] = request.url.split('?');
    this.add('request', {
      person: this.people.nameOf(request.actor?.userId),
      client: String(request.headers['user-agent'] ?? '').slice(0, 300),
      method: request.method,
      path,
      parameters: parametersOf(request),
      // Null if the connection ended without an answer.
      status: raw.writableFinished ? raw.statusCode : null,
      answer: parsed(this.answers.get(request) ?? ''),
      fault: this.faults.get(request)?.id ?? null,
      // With `after`, the recorded answer never arrived.
      cut: this.faults.get(request)?.cut ?? null,
      duration_ms: Math.round(elapsedTime),
    });
  }

  private add(kind: JournalEntry['kind'], rest: Readonly<Record<string, unknown>>): void {
    const entry = { id: ++this.lastId, at: this.clock.nowMs(), kind, ...rest };
    const { length } = JSON.stringify(entry);
    this.entries.push({ entry, length });
    this.characters += length;
    if (this.entries.length > MOST_ENTRIES || this.characters > MOST_CHARACTERS) this.forgetOldest();
  }

  /** Drops a quarter at a time, because moving the remaining entries costs time. */
  private forgetOldest(): void {
    let gone = 0;
    while (
      this.entries.length - gone > MOST_ENTRIES * 0.75 ||
      (this.characters > MOST_CHARACTERS * 0.75 && gone < this.entries.length)
    ) {
      this.characters -= this.entries[gone++]?.length ?? 0;
    }
    this.entries = this.entries.slice(gone);
  }
}

function fits(entry: JournalEntry, filter: Omit<JournalFilter, 'limit'>): boolean {
  const { after = 0, client, path, ...exact } = filter;
  if (entry.id <= after) return false;
  if (client !== undefined && !textOf(entry['client']).includes(client)) return false;
  if (path !== undefined && !pathMatches(path, textOf(entry['path']))) return false;
  return Object.entries(exact).every(([key, value]) => value === undefined || entry[key] === value);
}

/** @param pattern a path, with or without `/api/v1`, in which `*` matches anything */
export function pathMatches(pattern: string, path: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  return [path, path.replace(/^\/api\/v1(?=\/)/, '')].some(
    (each) => each.startsWith(first) && endsLike(each, first.length, parts),
  );
}

/** Whether the path from this position contains the parts in order and ends with the last one. */
function endsLike(path: string, from: number, parts: readonly string[]): boolean {
  const last = parts.at(-1);
  if (last === undefined) return path.length === from;
  let at = from;
  // The first match of each part leaves the most room for the rest, so no backtracking is needed.
  for (const part of parts.slice(0, -1)) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parametersOf(request: FastifyRequest): Record<string, string> {
  try {
    const pairs = [...sentParameters(request)];
    return Object.fromEntries(pairs.map(([name, value]) => [name, value.slice(0, LONGEST_TEXT)]));
  } catch {
    // A malformed body was refused.
    return {};
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.slice(0, LONGEST_TEXT);
  }
}
