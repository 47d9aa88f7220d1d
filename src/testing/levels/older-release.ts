import { clientIn, ClientMemory } from './client-memory';
import type { ChangePart, ClientFacts, Json, LevelChange, LevelContext } from './level-change';
import { changeHtml, isObject, recordsIn } from './records';
import { ZULIP_10 } from './zulip-10';
import { ZULIP_11 } from './zulip-11';
import { ZULIP_12 } from './zulip-12';
import { ZULIP_9 } from './zulip-9';

/** The releases that a test server answers as, by the feature level of each. */
export const RELEASES: Readonly<Record<number, string>> = {
  237: '8.0',
  278: '9.0',
  372: '10.0',
  421: '11.0',
  496: '12.0',
  497: '12.0',
};

/** Every feature level after the oldest release, in order. */
export const LEVEL_CHANGES: readonly LevelChange[] = [...ZULIP_9, ...ZULIP_10, ...ZULIP_11, ...ZULIP_12];

/** A request, as far as changes look at it. */
export interface AskedRoute {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
}

/** What became of a request. */
export interface Reading {
  /** Names of parameters that the release does not know, which are gone. */
  readonly unknown: readonly string[];
  readonly client: ClientFacts | null;
}

const EVENTS = 'GET /events';
const REGISTER = 'POST /register';

/** Makes of requests what they mean today, and of answers and events what an older release would have sent. */
export class OlderRelease {
  /** The oldest change first. */
  private readonly parts: readonly ChangePart[];
  private readonly clients = new ClientMemory();

  constructor(
    readonly level: number,
    private readonly context: LevelContext,
  ) {
    this.parts = LEVEL_CHANGES.filter((change) => change.level > level).flatMap(({ parts }) =>
      parts.filter(({ onlyFrom = 0 }) => level >= onlyFrom),
    );
  }

  /** Whether the release has no such route. */
  lacks({ method, path }: AskedRoute): boolean {
    return this.parts.some(({ routes = [] }) => routes.some((route) => isRoute(route, method, path)));
  }

  /**
   * Makes of parameters what they mean today.
   * @param parameters is changed
   */
  read({ method, path }: AskedRoute, parameters: Map<string, string>): Reading {
    const isRegistering = isRoute(REGISTER, method, path);
    const client = isRegistering ? clientIn(parameters) : this.clients.of(parameters.get('queue_id'));
    const unknown = this.parts
      .flatMap((part) => Object.entries(part.parameters ?? {}))
      .flatMap(([route, names]) => (isRoute(route, method, path) ? names : []))
      .filter((name) => parameters.delete(name));
    for (const { asks = {} } of this.parts) {
      for (const [route, change] of Object.entries(asks)) {
        if (isRoute(route, method, path)) change(parameters, { ...this.context, client });
      }
    }
    if (isRegistering) this.forgetCapabilities(parameters);
    return { unknown, client };
  }

  /**
   * Makes of an answer what the release would have sent.
   * @param answer is changed
   * @param asker ID of the person who gets it
   * @param client as it was read of the request
   */
  async answer(
    { method, path }: AskedRoute,
    answer: Json,
    asker: number | null,
    client: ClientFacts | null,
  ): Promise<void> {
    if (answer['result'] !== 'success') return;
    const context = { ...this.context, asker, client };
    const isState = isRoute(REGISTER, method, path);
    if (isState && client) this.clients.remember(String(answer['queue_id']), client);
    for (const part of this.parts.toReversed()) {
      await this.changeCommon(part, answer, context);
      if (isState) part.state?.(answer, context);
      for (const [route, change] of Object.entries(part.answers ?? {})) {
        if (isRoute(route, method, path)) change(answer, context);
      }
    }
    if (isRoute(EVENTS, method, path) && Array.isArray(answer['events'])) {
      answer['events'] = await this.events(answer['events'] as Json[], context);
    }
    this.nameRelease(answer);
  }

  private async events(events: readonly Json[], context: LevelContext): Promise<Json[]> {
    const sent: Json[] = [];
    for (const event of events) sent.push(...(await this.event(event, context)));
    const last = events.at(-1);
    // A client that gets nothing would ask for the same again at once.
    return sent.length === 0 && last ? [{ type: 'heartbeat', id: last['id'] }] : sent;
  }

  /** @returns what was sent instead: nothing, one event, or several with the same number */
  private async event(event: Json, context: LevelContext): Promise<Json[]> {
    let told = [event];
    for (const part of this.parts.toReversed()) {
      for (const each of told) await this.changeCommon(part, each, context);
      told = told.flatMap((each) => {
        const more = part.moreEvents?.(each, context) ?? [];
        const changed = part.event ? part.event(each, context) : each;
        return changed === null ? more : [changed, ...more];
      });
    }
    for (const each of told) this.nameRelease(each);
    return told;
  }

  private async changeCommon(
    { records = {}, html }: ChangePart,
    holder: Json,
    context: LevelContext,
  ): Promise<void> {
    for (const [kind, change] of Object.entries(records)) {
      for (const record of recordsIn(holder, kind as keyof typeof records)) await change(record, context);
    }
    if (html) changeHtml(holder, html);
  }

  private forgetCapabilities(parameters: Map<string, string>): void {
    const unknown = new Set(this.parts.flatMap(({ capabilities = [] }) => capabilities));
    try {
      const declared = JSON.parse(parameters.get('client_capabilities') ?? '{}') as unknown;
      if (!isObject(declared) || unknown.size === 0) return;
      const known = Object.entries(declared).filter(([name]) => !unknown.has(name));
      if (parameters.has('client_capabilities'))
        parameters.set('client_capabilities', JSON.stringify(Object.fromEntries(known)));
    } catch {
      // It is refused for what it is.
    }
  }

  private nameRelease(holder: Json): void {
    if (!('zulip_feature_level' in holder)) return;
    holder['zulip_feature_level'] = this.level;
    holder['zulip_version'] = holder['zulip_merge_base'] = RELEASES[this.level];
  }
}

const PREFIX = '/api/v1';

/**
 * Whether a request is for a route, such as `GET /users/{user_id}`: `{…_id}` stands for a number,
 * `{email}` for an address, anything else in braces for one part of the path.
 */
function isRoute(route: string, method: string, path: string): boolean {
  const [verb = '', pattern = ''] = route.split(' ');
  if (verb !== method || !path.startsWith(PREFIX)) return false;
  const parts = pattern.split('/');
  const asked = path.slice(PREFIX.length).split('/');
  return (
    parts.length === asked.length &&
    parts.every((part, at) => {
      const value = asked[at] ?? '';
      if (part.endsWith('_id}')) return /^\d+$/.test(value);
      if (part === '{email}') return /@|%40/.test(value);
      return part.startsWith('{') ? value.length > 0 : part === value;
    })
  );
}
