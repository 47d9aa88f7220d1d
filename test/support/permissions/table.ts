import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACTOR_NAMES, type ActorName } from './actors';

/** A row of the table: the outcome of an action, by actor. */
export interface Row {
  readonly route: string;
  readonly about: string;
  readonly outcomes: Readonly<Record<ActorName, string>>;
}

/** Contents of an endpoint's first row. */
export interface EndpointFacts {
  /** The callers that its decorators allow. */
  readonly serves: string;
  readonly isRateLimited: boolean;
  /** The required scope of named API keys, or why there is none. */
  readonly keyScope: string;
  /** Its audit log actions, or after a hyphen why there are none; empty for read-only endpoints. */
  readonly recorded: string;
}

/** The permission matrix: rows in order, and the facts of each endpoint. */
export interface PermissionTable {
  readonly rows: readonly Row[];
  readonly endpoints: ReadonlyMap<string, EndpointFacts>;
}

/** Path of the committed table. */
export const PERMISSION_MATRIX = join(__dirname, '../../spec/permission-matrix.tsv');

const EXPLANATION = `
# Who may do what: every endpoint, tried by every role and kind of bot on everything that makes a difference.
#   yes     it is done
#   no      it is refused
#   hidden  the answer is the same as for something that does not exist
#   closed  whoever this is may not call the endpoint at all
# Nobody but people can sign in to the interface under {site}/api; bots try it with their API key.
# Channels and messages are another member's, unless it says otherwise; bots belong to the member. Of several outcomes,
# the first is for subscribers of the channel, the second for whoever has left it, and the third for whoever never was
# subscribed; where the last ones are the same, they stand there once. Of direct messages, the first is for those who
# take part, the second for everybody else.
# On the first row of an endpoint also stand whom its decorators let in, whether it counts against the rate limit, the scope that
# named API keys need ("own key": no named one will do), and what it leaves in the audit log: actions, in brackets those that nothing
# here brings about, or after a hyphen why there is nothing to record.
`.trimStart();

/** The permission matrix as tab-separated text. */
export function formatTable({ rows, endpoints }: PermissionTable): string {
  const shown = new Set<string>();
  const lines = rows.map(({ route, about, outcomes }) => {
    const facts = shown.has(route) ? undefined : endpoints.get(route);
    shown.add(route);
    return [
      route,
      about,
      ...ACTOR_NAMES.map((name) => outcomes[name]),
      ...(facts
        ? [facts.serves, facts.isRateLimited ? 'yes' : 'no', facts.keyScope, facts.recorded]
        : ['', '', '', '']),
    ];
  });
  const heading = ['endpoint', 'on', ...ACTOR_NAMES, 'serves', 'rate limited', 'key scope', 'recorded'];
  return EXPLANATION + [heading, ...lines].map((cells) => `${cells.join('\t')}\n`).join('');
}

/** Parses the output of {@link formatTable}. */
export function readTable(): PermissionTable {
  const lines = readFileSync(PERMISSION_MATRIX, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const endpoints = new Map<string, EndpointFacts>();
  const rows = lines.slice(1).map((line): Row => {
    const [route = '', about = '', ...cells] = line.split('\t');
    const [serves = '', limited = '', keyScope = '', recorded = ''] = cells.slice(ACTOR_NAMES.length);
    const facts = { serves, isRateLimited: limited === 'yes', keyScope, recorded };
    if (!endpoints.has(route)) endpoints.set(route, facts);
    const outcomes = Object.fromEntries(ACTOR_NAMES.map((name, at) => [name, cells[at]]));
    return { route, about, outcomes: outcomes as Row['outcomes'] };
  });
  return { rows, endpoints };
}

/**
 * The name of an endpoint in tables and `docs/compatibility.md`: the main interface without `/api/v1`, all others below
 * `{site}`.
 */
export function endpointOf(verb: string, path: string): string {
  const [, inInterface] = /^\/api\/v1(\/.*)$/.exec(path) ?? [];
  return `${verb} ${inInterface ?? `{site}${path}`}`;
}
