import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FAULT_SCHEMA, type FaultRequest, type Faults } from './faults';
import type { InnerCaller } from './inner-caller';
import type { Journal, JournalFilter } from './journal';
import { checker, NoSuchTestCall, TEST_ROUTES, TestRequestRefused } from './request-checks';
import type { ServerPeople } from './server-people';
import { WORLD_SCHEMA, type WorldDocument } from './world-document';

const BODY_BYTES = 16 * 1024 * 1024;

/** Host names of this machine. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

const text = { type: 'string', maxLength: 500 };
const number = { type: 'integer', minimum: 0 };
const who = { anyOf: [text, number] };

function object(properties: object, required: readonly string[] = []): object {
  return { type: 'object', additionalProperties: false, required, properties };
}

const JOURNAL_SCHEMA = object({
  kind: { enum: ['request', 'event', 'webhook'] },
  after: number,
  person: text,
  client: text,
  method: text,
  path: text,
  status: number,
  type: text,
  limit: { type: 'integer', minimum: 1, maximum: 10_000 },
});

const CLOCK_SCHEMA = object({
  run: { type: 'boolean' },
  stop: { type: 'boolean' },
  set: { anyOf: [number, text] },
  advance_ms: { type: 'integer', minimum: 0, maximum: 400 * 86_400_000 },
  reset: { type: 'boolean' },
});

const ACT_SCHEMA = object(
  {
    person: who,
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
    path: { type: 'string', pattern: '^/', maxLength: 2_000 },
    parameters: { type: 'object', maxProperties: 200 },
  },
  ['person'],
);

const OUTAGE_SCHEMA = object({ down_ms: { type: 'integer', minimum: 0, maximum: 60_000 } });

/** A change of the server's time. */
export interface ClockRequest {
  readonly run?: boolean;
  readonly stop?: boolean;
  /** ISO 8601 or UNIX milliseconds. */
  readonly set?: string | number;
  readonly advance_ms?: number;
  readonly reset?: boolean;
}

interface ActRequest {
  readonly person: string | number;
  readonly method?: string;
  readonly path?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

const asFault = checker<FaultRequest>(FAULT_SCHEMA);
const asWorld = checker<WorldDocument>(WORLD_SCHEMA);
const asClockRequest = checker<ClockRequest>(CLOCK_SCHEMA);
const asAct = checker<ActRequest>(ACT_SCHEMA);
const asOutage = checker<{ readonly down_ms?: number }>(OUTAGE_SCHEMA);
const asJournalFilter = checker<JournalFilter>(JOURNAL_SCHEMA, true);

/** Calls with input besides their path, and where it is. Each validates it; all others accept none. */
const TAKING: ReadonlyMap<string, 'query' | 'body'> = new Map([
  ['GET /test/journal', 'query'],
  ['POST /test/faults', 'body'],
  ['POST /test/restart', 'body'],
  ['POST /test/clock', 'body'],
  ['POST /test/world', 'body'],
  ['POST /test/act-as', 'body'],
]);

/** The parts of the server that the routes use. */
export interface RoutedServer {
  readonly people: ServerPeople;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly call: InnerCaller;
  reset(): Promise<void>;
  settle(): Promise<void>;
  restart(downMs: number, asking: Socket): Promise<void>;
  time(): object;
  moveTime(change: ClockRequest): Promise<object>;
  makeWorld(document: WorldDocument): Promise<object>;
}

/** The test interface: routes that no other server has. */
export function addTestRoutes(server: FastifyInstance, parts: () => RoutedServer): void {
  void server.register(
    async (routes) => {
      prepare(routes);
      takeNothingElse(routes);
      routes.get('/people', async () => ({ people: parts().people.all() }));
      routes.post('/reset', async () => done(await parts().reset()));
      routes.post('/settle', async () => done(await parts().settle()));
      routes.get('/journal', async ({ query }) => {
        const { people, journal } = parts();
        const { person: who, ...others } = asJournalFilter(query);
        const person = who === undefined ? who : (people.nameOf(people.find(who).id) ?? who);
        return { ...journal.find({ ...others, person }), newest_id: journal.newestId };
      });
      routes.get('/faults', async () => ({ faults: parts().faults.list() }));
      routes.delete('/faults', async () => done(parts().faults.clear()));
      routes.delete('/faults/:id', async ({ params }) => {
        if (parts().faults.remove(Number((params as { id: string }).id))) return done();
        throw new TestRequestRefused('There is no such fault.');
      });
      routes.post('/faults', async (request) => {
        const fault = asFault(request.body);
        if (fault.person !== undefined) parts().people.find(fault.person);
        return { fault: parts().faults.add(fault) };
      });
      routes.post('/restart', async (request) => {
        const { down_ms = 0 } = asOutage(request.body);
        return done(await parts().restart(down_ms, request.raw.socket));
      });
      routes.get('/clock', async () => parts().time());
      routes.post('/clock', async ({ body }) => parts().moveTime(asClockRequest(body)));
      routes.post('/world', async ({ body }) => ({ people: await parts().makeWorld(asWorld(body)) }));
      routes.post('/act-as', async ({ body }) => actAs(parts(), asAct(body)));
    },
    { prefix: TEST_ROUTES },
  );
}

async function actAs(server: RoutedServer, act: ActRequest): Promise<object> {
  const person = server.people.answerFor(server.people.find(act.person));
  const { method = 'GET', path, parameters } = act;
  if (path === undefined) return { person };
  return { person, ...(await server.call(person, { method, path, parameters })) };
}

function done(_result?: unknown): object {
  return {};
}

/**
 * Parses JSON, reports errors in words, including those in the path, and refuses requests from web pages in a local
 * browser.
 */
function prepare(routes: FastifyInstance): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: BODY_BYTES },
    (_request: FastifyRequest, given: string, parsed) => {
      try {
        parsed(null, given === '' ? {} : (JSON.parse(given) as unknown));
      } catch {
        parsed(new TestRequestRefused('The body must be JSON.'));
      }
    },
  );
  routes.addHook('onRequest', async ({ headers }) => {
    const origin = headers.origin?.replace(/^https?:\/\//, '');
    if (OWN_HOST.test(headers.host ?? '') && (origin === undefined || OWN_HOST.test(origin))) return;
    throw new TestRequestRefused('Only this machine may ask that.');
  });
  const calls: string[] = [];
  routes.addHook('onRoute', ({ method, url }) => {
    if (method !== 'HEAD') calls.push(`${String(method)} ${url}`);
  });
  // Passes unknown paths to the handler below; the rest of the server refuses them earlier.
  routes.setNotFoundHandler(() => undefined);
  routes.setErrorHandler((refusal: Error & { statusCode?: number }, request, reply) => {
    const error = request.is404 ? new NoSuchTestCall(request, calls) : refusal;
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error(error);
    return reply.code(status).send({ result: 'error', msg: error.message, code: codeFor(status) });
  });
}

function codeFor(status: number): string {
  if (status === 404) return 'NOT_FOUND';
  return status < 500 ? 'BAD_REQUEST' : 'INTERNAL';
}

/** Refuses input that a call would otherwise ignore. */
function takeNothingElse(routes: FastifyInstance): void {
  routes.addHook('preValidation', async (request) => {
    // The body is optional.
    request.body ??= {};
    const call = `${request.method} ${request.routeOptions.url}`;
    for (const place of ['query', 'body'] as const) {
      const given = JSON.stringify(request[place]);
      if (given === '{}' || TAKING.get(call) === place) continue;
      throw new TestRequestRefused(`${call} takes nothing in its ${place}, but got ${given.slice(0, 200)}.`);
    }
  });
}
