import { CHANGES } from './changes';
import type { ChangePart, Json, LevelContext } from './level-change';
import { changeHtml, isObject, recordsIn } from './records';
import { isRoute } from './routes';

/** The releases that a test server answers as, by the feature level of each. */
export const RELEASES: Readonly<Record<number, string>> = {
  237: '8.0',
  278: '9.0',
  372: '10.0',
  421: '11.0',
  496: '12.0',
};

/** A request, as far as changes look at it. */
export interface AskedRoute {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
}

const EVENTS = 'GET /events';
const REGISTER = 'POST /register';

/** Makes of requests what they mean today, and of answers and events what an older release would have sent. */
export class OlderRelease {
  /** The oldest change first. */
  private readonly parts: readonly ChangePart[];

  constructor(
    readonly level: number,
    private readonly context: LevelContext,
  ) {
    this.parts = CHANGES.filter((change) => change.level > level)
      .toSorted((a, b) => a.level - b.level)
      .flatMap(({ parts }) => parts);
  }

  /** Whether the release has no such route. */
  lacks({ method, path }: AskedRoute): boolean {
    return this.parts.some(({ routes = [] }) => routes.some((route) => isRoute(route, method, path)));
  }

  /**
   * Makes of parameters what they mean today.
   * @param parameters is changed
   * @returns names of those that the release does not know, which are gone
   */
  read({ method, path }: AskedRoute, parameters: Map<string, string>): string[] {
    const unknown = this.parts
      .flatMap((part) => Object.entries(part.parameters ?? {}))
      .flatMap(([route, names]) => (isRoute(route, method, path) ? names : []))
      .filter((name) => parameters.delete(name));
    for (const { asks = {} } of this.parts) {
      for (const [route, change] of Object.entries(asks)) {
        if (isRoute(route, method, path)) change(parameters, this.context);
      }
    }
    if (isRoute(REGISTER, method, path)) this.forgetCapabilities(parameters);
    return unknown;
  }

  /** Makes of an answer what the release would have sent. It is changed. */
  answer({ method, path }: AskedRoute, answer: Json): void {
    if (answer['result'] !== 'success') return;
    const isState = isRoute(REGISTER, method, path);
    for (const part of this.parts.toReversed()) {
      this.changeCommon(part, answer);
      if (isState) part.state?.(answer, this.context);
      for (const [route, change] of Object.entries(part.answers ?? {})) {
        if (isRoute(route, method, path)) change(answer, this.context);
      }
    }
    if (isRoute(EVENTS, method, path) && Array.isArray(answer['events'])) {
      answer['events'] = this.events(answer['events'] as Json[]);
    }
    this.nameRelease(answer);
  }

  private events(events: readonly Json[]): Json[] {
    const sent = events.map((event) => this.event(event)).filter((event) => event !== null);
    const last = events.at(-1);
    // A client that gets nothing would ask for the same again at once.
    return sent.length === 0 && last ? [{ type: 'heartbeat', id: last['id'] }] : sent;
  }

  private event(event: Json): Json | null {
    let changed: Json | null = event;
    for (const part of this.parts.toReversed()) {
      this.changeCommon(part, changed);
      if (part.event) changed = part.event(changed, this.context);
      if (changed === null) return null;
    }
    this.nameRelease(changed);
    return changed;
  }

  private changeCommon({ records = {}, html }: ChangePart, holder: Json): void {
    for (const [kind, change] of Object.entries(records)) {
      for (const record of recordsIn(holder, kind as keyof typeof records)) change(record, this.context);
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
