import { clientIn, ClientMemory, isSourceAlone } from './client-memory';
import type { RequestValues, ChangePart, ClientFacts, Json, LevelChange, LevelContext } from './level-change';
import { changeHtml, isObject, recordsIn } from './records';
import { ZULIP_10 } from './zulip-10';
import { ZULIP_11 } from './zulip-11';
import { ZULIP_12 } from './zulip-12';
import { ZULIP_9 } from './zulip-9';
import { ZULIP_ITSELF } from './zulip-itself';

/** The releases that a test server can emulate, by feature level. */
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

/** The parts of a request that changes use. */
export interface RequestedRoute {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
}

/** A converted request. */
export interface Reading {
  /** Names of parameters that the release does not know, which were removed. */
  readonly unknown: readonly string[];
  readonly client: ClientFacts | null;
  /** Parameters in their current form. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A request that was refused before its parameters were read. */
const UNREAD: Reading = { unknown: [], client: null, parameters: new Map() };

const EVENTS = 'GET /events';
const REGISTER = 'POST /register';

/** Converts requests to their current form, and answers and events to those of an older release. */
export class OlderRelease {
  /** Oldest change first. */
  private readonly parts: readonly ChangePart[];
  private readonly clients = new ClientMemory();

  constructor(
    readonly level: number,
    private readonly context: LevelContext,
  ) {
    const later = LEVEL_CHANGES.filter((change) => change.level > level).flatMap(({ parts }) => parts);
    const own = ZULIP_ITSELF.filter(({ onlyTo = Infinity }) => level <= onlyTo);
    // Differences of Zulip itself apply to answers as of the level.
    this.parts = [...own, ...later].filter(({ onlyFrom = 0 }) => level >= onlyFrom);
  }

  /** Whether the route does not exist in the release. */
  lacks({ method, path }: RequestedRoute): boolean {
    return this.parts.some(({ routes = [] }) => routes.some((route) => isRoute(route, method, path)));
  }

  /**
   * Converts parameters to their current form.
   * @param parameters is modified
   */
  read({ method, path }: RequestedRoute, parameters: Map<string, string>): Reading {
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
    return { unknown, client, parameters };
  }

  /**
   * Why the release would have refused a request that is allowed today, or null.
   * @param reading undefined if the request was not read
   */
  refusalOf({ method, path }: RequestedRoute, asker: number | null, reading = UNREAD): string | null {
    const context = { ...this.context, asker, client: reading.client };
    for (const { refuses = {} } of this.parts) {
      for (const [refuse, ids] of ofRoute(refuses, method, path)) {
        const reason = refuse({ parameters: reading.parameters, ids }, context);
        if (reason !== null) return reason;
      }
    }
    return null;
  }

  /**
   * Converts an answer to that of the release.
   * @param answer may be modified
   * @param asker ID of the recipient
   * @param reading undefined if the request was not read
   */
  async answer(
    { method, path }: RequestedRoute,
    answer: Json,
    asker: number | null,
    reading = UNREAD,
  ): Promise<Json> {
    const { client, parameters } = reading;
    const context = { ...this.context, asker, client };
    const isState = isRoute(REGISTER, method, path);
    if (isState && client && isSuccess(answer)) this.clients.remember(String(answer['queue_id']), client);
    let told = answer;
    for (const part of this.parts.toReversed()) {
      if (!isSuccess(told)) {
        for (const [change, ids] of ofRoute(part.refusals, method, path))
          told = (await change(told, context, { parameters, ids })) ?? told;
      }
      if (!isSuccess(told)) continue;
      await this.changeCommon(part, told, context);
      if (isState) part.state?.(told, context);
      for (const [change, ids] of ofRoute(part.answers, method, path))
        change(told, context, { parameters, ids });
      for (const [follow, ids] of ofRoute(part.follows, method, path))
        await follow(told, context, { parameters, ids });
    }
    if (!isSuccess(told)) return told;
    if (isRoute(EVENTS, method, path) && Array.isArray(told['events'])) {
      told['events'] = await this.events(told['events'] as Json[], context);
    }
    this.nameRelease(told);
    return told;
  }

  private async events(events: readonly Json[], context: LevelContext): Promise<Json[]> {
    const sent: Json[] = [];
    for (const event of events) sent.push(...(await this.event(event, context)));
    const last = events.at(-1);
    // A client without events would immediately repeat the request.
    return sent.length === 0 && last ? [{ type: 'heartbeat', id: last['id'] }] : sent;
  }

  /** @returns the former events: none, one, or several with the same number */
  private async event(event: Json, context: LevelContext): Promise<Json[]> {
    let told = [event];
    for (const part of this.parts.toReversed()) {
      for (const each of told) await this.changeCommon(part, each, context);
      told = told.flatMap((each) => {
        const earlier = part.earlierEvents?.(each, context) ?? [];
        const more = part.moreEvents?.(each, context) ?? [];
        const changed = part.event ? part.event(each, context) : each;
        return [...earlier, ...(changed === null ? [] : [changed]), ...more];
      });
    }
    const sent = told.filter((each) => !isSourceAlone(each, context.client));
    for (const each of sent) this.nameRelease(each);
    return sent;
  }

  private async changeCommon(
    { records = {}, html }: ChangePart,
    holder: Json,
    context: LevelContext,
  ): Promise<void> {
    for (const [kind, change] of Object.entries(records)) {
      for (const record of recordsIn(holder, kind as keyof typeof records)) await change(record, context);
    }
    if (html) await changeHtml(holder, (text) => html(text, context));
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
      // Left for the server to refuse.
    }
  }

  private nameRelease(holder: Json): void {
    if (!('zulip_feature_level' in holder)) return;
    holder['zulip_feature_level'] = this.level;
    holder['zulip_version'] = holder['zulip_merge_base'] = RELEASES[this.level];
  }
}

const PREFIX = '/api/v1';

/** The declarations for the route of a request, with the numbers in its path. */
function ofRoute<T>(
  declared: Readonly<Record<string, T>> = {},
  method: string,
  path: string,
): [T, RequestValues['ids']][] {
  return Object.entries(declared).flatMap(([route, value]): [T, RequestValues['ids']][] => {
    const ids = idsIn(route, method, path);
    return ids === null ? [] : [[value, ids]];
  });
}

function isSuccess(answer: Json): boolean {
  return answer['result'] === 'success';
}

function isRoute(route: string, method: string, path: string): boolean {
  return idsIn(route, method, path) !== null;
}

/**
 * The numbers in the path of a request for a route such as `GET /users/{user_id}`: `{…_id}` matches a number, `{email}`
 * an address, any other placeholder one part of the path. Null for other requests.
 */
function idsIn(route: string, method: string, path: string): RequestValues['ids'] | null {
  const [verb = '', pattern = ''] = route.split(' ');
  if (verb !== method || !path.startsWith(PREFIX)) return null;
  const parts = pattern.split('/');
  const asked = path.slice(PREFIX.length).split('/');
  const isAlike = parts.every((part, at) => {
    const value = asked[at] ?? '';
    if (part.endsWith('_id}')) return /^\d+$/.test(value);
    if (part === '{email}') return /@|%40/.test(value);
    return part.startsWith('{') ? value.length > 0 : part === value;
  });
  if (parts.length !== asked.length || !isAlike) return null;
  return asked.filter((_, at) => parts[at]?.endsWith('_id}')).map(Number);
}
