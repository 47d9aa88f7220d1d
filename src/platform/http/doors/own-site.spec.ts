import fastify, { type FastifyInstance } from 'fastify';
import { Transport } from '../transport-security';
import { foreignReason } from './own-site';

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
    // A page without TLS is none of a server that has it.
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
