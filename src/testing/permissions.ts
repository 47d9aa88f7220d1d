import { ask, ParleyError, type Parameters, type TestPerson } from './person';

/** One member of the cast per role, a member's bot, and an anonymous caller. */
const CALLERS = {
  anonymous: null,
  guest: 'gus',
  bot: 'helper',
  member: 'alice',
  moderator: 'mona',
  administrator: 'adam',
  owner: 'olivia',
} as const satisfies Readonly<Record<string, string | null>>;

/** The role of a caller. */
export type TriedRole = keyof typeof CALLERS;

/** All roles with an account. */
export const ACCOUNTS: readonly TriedRole[] = [
  'guest',
  'bot',
  'member',
  'moderator',
  'administrator',
  'owner',
];

/** A request, and the roles that may send it. */
export interface PermissionCase {
  /** Method and path under `/api/v1`, as in the API description: `DELETE /modules/rooms/{id}`. */
  readonly request: string;
  readonly parameters?: Parameters;
  /** Creates the objects of the request, before each attempt. Its result replaces the placeholders in the path. */
  readonly prepare?: () => Promise<Readonly<Record<string, unknown>>>;
  readonly allowed: readonly TriedRole[];
}

/** The parts of a test server that a case needs. */
export interface TriedServer {
  readonly url: string;
  reset(): Promise<void>;
  as(name: string): TestPerson;
}

/** The permissions of a role differ from its case. */
export class PermissionsDiffer extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Errors for requests that are malformed for every caller. */
const UNREADABLE: readonly string[] = [
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_VARIABLE_INVALID',
  'INVALID_JSON',
];

/**
 * Tries every case in every role, each on a freshly reset server.
 * @throws {PermissionsDiffer} also if a route of a loaded module has no case
 */
export async function tryPermissions(server: TriedServer, cases: readonly PermissionCase[]): Promise<void> {
  const problems = await uncovered(server, cases);
  for (const each of cases) {
    for (const caller of Object.keys(CALLERS) as TriedRole[]) {
      const problem = await problemOf(server, each, caller);
      if (problem !== null) problems.push(`${each.request}: ${caller} ${problem}`);
    }
  }
  await server.reset();
  if (problems.length > 0) throw new PermissionsDiffer(problems);
}

async function problemOf(
  server: TriedServer,
  tried: PermissionCase,
  caller: TriedRole,
): Promise<string | null> {
  await server.reset();
  const [method = '', template = ''] = tried.request.split(' ');
  const found = (await tried.prepare?.()) ?? {};
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(found[name])));
  const refusal = await refusalOf(server, CALLERS[caller], method, path, tried.parameters);
  const mayAsk = tried.allowed.includes(caller);
  if (refusal === null) return mayAsk ? null : 'may, and should not';
  if (mayAsk) return `may not, and should: ${refusal.message}`;
  const isAnswered = refusal.status < 500 && !UNREADABLE.includes(refusal.code);
  return isAnswered ? null : `is refused for something else: ${refusal.message}`;
}

async function refusalOf(
  server: TriedServer,
  name: string | null,
  method: string,
  path: string,
  parameters?: Parameters,
): Promise<ParleyError | null> {
  try {
    if (name === null) await ask(server.url, null, method, path, parameters);
    else await server.as(name).request(method, path, parameters);
    return null;
  } catch (error) {
    if (error instanceof ParleyError) return error;
    throw error;
  }
}

/** Routes of modules without a case, and cases of modules without a route. */
async function uncovered({ url }: TriedServer, cases: readonly PermissionCase[]): Promise<string[]> {
  const answer = await fetch(`${url}/api/docs-json`);
  const { paths } = (await answer.json()) as { paths: Record<string, object> };
  const routes = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/modules/'))
    .flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path.slice('/api/v1'.length)}`),
    );
  const tried = cases.map(({ request }) => request);
  return [
    ...routes.filter((route) => !tried.includes(route)).map((route) => `${route}: there is no case for it`),
    ...tried
      .filter((request) => request.includes(' /modules/') && !routes.includes(request))
      .map((request) => `${request}: there is no such route`),
  ];
}
