import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import type { FastifyRequest } from 'fastify';
import { doorOf, foreignReason, isApi, isMainInterface, throughDoor } from './door';
import { accessPolicy } from '../access.guard';
import { Transport } from '../transport-security';

class Anything {
  call(): void {}
}
const policy = accessPolicy({ getHandler: () => Anything.prototype.call, getClass: () => Anything as never });

const cameThroughDoor = (raw: IncomingMessage) =>
  doorOf({ raw, headers: {}, method: 'GET' } as FastifyRequest, policy) === 'json';

const through = (url: string) => {
  const request = { url } as IncomingMessage;
  const path = throughDoor(request);
  return { path, isMarked: cameThroughDoor(request) };
};

describe('The door for browsers', () => {
  it.each([
    ['/json/messages?a=1', '/api/v1/messages?a=1'],
    ['/json/', '/api/v1/'],
    ['/json//messages', '/api/v1//messages'],
    ['/json/companion', '/api/v1/companion'],
    ['/json/companion/auth/me?a=1', '/api/auth/me?a=1'],
    ['/json/%63ompanion/auth/me', '/api/v1/%63ompanion/auth/me'],
    ['/json/companion/v1/messages', '/api/v1/messages'],
  ])('leads from %s to %s', (url, path) => {
    expect(through(url)).toEqual({ path, isMarked: true });
  });

  it.each([
    '/',
    '/json',
    '/json?/json/messages',
    '//json/messages',
    '/JSON/messages',
    '/%6ason/messages',
    '/./json/messages',
    '/api/../json/messages',
    '/api/v1/messages?next=/json/',
    'http://chat.example.com/json/messages',
    '*',
  ])('is not %s', (url) => {
    expect(through(url)).toEqual({ path: url, isMarked: false });
  });

  it.each([
    ['/accounts/login', '/login'],
    ['/accounts/login/?next=/a', '/login/?next=/a'],
    ['/accounts/login/social', '/accounts/login/social'],
    ['/accounts/logins', '/accounts/logins'],
    ['/accounts/logout/', '/accounts/logout/'],
  ])('has the sign-in page under both of its addresses: %s is %s', (url, path) => {
    expect(through(url)).toEqual({ path, isMarked: false });
  });

  it('keeps its mark when a request is rerouted', () => {
    const request = { url: '/json/settings' } as IncomingMessage;
    request.url = throughDoor(request);
    expect(throughDoor(request)).toBe('/api/v1/settings');
    expect(cameThroughDoor(request)).toBe(true);
  });
});

it.each<[string, boolean, boolean]>([
  ['/api/v1/users/me', true, true],
  ['/api/v1/users?next=/elsewhere', true, true],
  ['//api///v1//users', true, true],
  ['/api/v1', true, true],
  ['/api/v1?x=1', true, true],
  ['/%61pi/v%31/users', true, true],
  ['http://chat.example.com/api/v1/users', true, true],
  ['/api/v10/users', false, true],
  ['/api/auth/login', false, true],
  ['/api', false, true],
  ['/apiary', false, false],
  ['/user_uploads/1/api/v1/x', false, false],
  ['/?x=/api/v1/', false, false],
  ['/%zz/api/v1/', false, false],
  ['*', false, false],
  ['', false, false],
])('Which interface %s belongs to', (url, main, api) => {
  expect([isMainInterface(url), isApi(url)]).toEqual([main, api]);
});

type Headers = Readonly<Record<string, string>>;

const EXTERNAL = 'https://chat.example.com';
const FOR_ANOTHER = 'The browser sent this for another site.';
const OTHER_ORIGIN = 'Origin is not this server.';

describe('A request from a browser', () => {
  const transport = new Transport({ trustedProxies: ['10.0.0.1'] });
  let server: FastifyInstance;

  beforeAll(() => {
    server = fastify({ trustProxy: (address) => transport.trusts(address) });
    server.decorate('transport', transport);
    server.post('/', (request) => ({ reason: foreignReason(request, EXTERNAL) }));
  });

  afterAll(() => server.close());

  const reason = async (headers: Headers, remoteAddress: string): Promise<string | null> => {
    const answer = await server.inject({ method: 'POST', url: '/', headers, remoteAddress });
    return answer.json<{ reason: string | null }>().reason;
  };

  const host = 'localhost:9991';

  it.each<[Headers, string | null]>([
    [{ host }, null],
    [{ host, origin: 'http://localhost:9991' }, null],
    [{ host, origin: EXTERNAL }, null],
    [{ host: 'LOCALHOST:9991', origin: 'http://localhost:9991' }, null],
    [{ host: 'localhost:80', origin: 'http://localhost' }, null],
    [{ host: 'localhost', origin: 'https://localhost' }, null],
    [{ host, 'sec-fetch-site': 'same-origin' }, null],
    [{ host, 'sec-fetch-site': 'none' }, null],
    [{ host, 'sec-fetch-site': 'same-site' }, FOR_ANOTHER],
    [{ host, 'sec-fetch-site': 'cross-site' }, FOR_ANOTHER],
    [{ host, 'sec-fetch-site': 'cross-site', origin: 'http://localhost:9991' }, FOR_ANOTHER],
    [{ host, origin: 'null' }, OTHER_ORIGIN],
    [{ host, origin: '' }, OTHER_ORIGIN],
    [{ host, origin: 'localhost:9991' }, OTHER_ORIGIN],
    [{ host, origin: 'http://localhost' }, OTHER_ORIGIN],
    [{ host, origin: 'http://localhost:9992' }, OTHER_ORIGIN],
    [{ host, origin: 'http://localhost:9991.evil.example' }, OTHER_ORIGIN],
    [{ host, origin: 'http://localhost:9991@evil.example' }, OTHER_ORIGIN],
    [{ host, origin: `${EXTERNAL}.evil.example` }, OTHER_ORIGIN],
    [{ host, origin: 'ftp://localhost:9991' }, OTHER_ORIGIN],
    // Only a trusted proxy may name the host.
    [{ host, 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' }, OTHER_ORIGIN],
  ])('with %j: %s', async (headers, expected) => {
    expect(await reason(headers, '192.0.2.1')).toBe(expected);
  });

  it.each<[Headers, string | null]>([
    [{ 'x-forwarded-host': 'team.example', origin: 'http://team.example' }, null],
    [{ 'x-forwarded-host': 'team.example', origin: 'https://team.example' }, null],
    [{ 'x-forwarded-host': 'team.example', origin: 'http://localhost:9991' }, OTHER_ORIGIN],
    // A server with TLS does not accept pages without it as its own.
    [
      { 'x-forwarded-host': 'team.example', 'x-forwarded-proto': 'https', origin: 'http://team.example' },
      OTHER_ORIGIN,
    ],
    [
      { 'x-forwarded-host': 'team.example', 'x-forwarded-proto': 'https', origin: 'https://team.example' },
      null,
    ],
  ])('through a trusted proxy, with %j: %s', async (headers, expected) => {
    expect(await reason({ host, ...headers }, '10.0.0.1')).toBe(expected);
  });
});
