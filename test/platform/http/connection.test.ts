import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get, Post } from '@nestjs/common';
import { Public } from '../../../src/platform/http/decorators';
import { createHttpApp, type HttpApp } from './http-app';

@Controller('api/v1')
@Public()
class ConnectionController {
  release: () => void = () => undefined;

  @Get('ping')
  ping() {
    return;
  }

  @Post('ping')
  postPing() {
    return;
  }

  @Get('slow')
  async slow() {
    await new Promise<void>((resolve) => (this.release = resolve));
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([ConnectionController]);
  await http.app.listen(0, '127.0.0.1');
});

afterAll(() => http.app.close());

function portOf({ app }: HttpApp): number {
  return (app.getHttpServer().address() as AddressInfo).port;
}

/** Sends bytes as they are and returns the last answer on the connection. */
async function send(bytes: string, to = http) {
  const socket = connect(portOf(to), '127.0.0.1');
  socket.write(bytes);
  const received = await text(socket);
  const answer = received.slice(received.lastIndexOf('HTTP/1.1 '));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(lines.map((line) => line.toLowerCase().split(': '))) as Record<
      string,
      string
    >,
    body,
  };
}

const securityHeaders = {
  'x-frame-options': 'deny',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  'content-type': 'application/json; charset=utf-8',
};

describe('broken requests get a whole answer', () => {
  const host = 'Host: localhost\r\nConnection: close\r\n';
  it.each<[string, string, number, string, string]>([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'Malformed HTTP request', 'BAD_REQUEST'],
    [
      'an unknown method',
      `BREW /api/v1/ping HTTP/1.1\r\n${host}\r\n`,
      400,
      'Malformed HTTP request',
      'BAD_REQUEST',
    ],
    [
      'a header without a colon',
      `GET /api/v1/ping HTTP/1.1\r\n${host}broken\r\n\r\n`,
      400,
      'Malformed HTTP request',
      'BAD_REQUEST',
    ],
    [
      'two lengths',
      `POST /api/v1/ping HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'Malformed HTTP request',
      'BAD_REQUEST',
    ],
    [
      'headers that are too large',
      `GET /api/v1/ping HTTP/1.1\r\n${host}X-Large: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request headers are too large',
      'BAD_REQUEST',
    ],
    [
      'a path that is too long',
      `GET /api/v1/${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
      431,
      'Request headers are too large',
      'BAD_REQUEST',
    ],
    [
      'no host',
      'GET /api/v1/ping HTTP/1.1\r\nConnection: close\r\n\r\n',
      400,
      'Missing Host header',
      'BAD_REQUEST',
    ],
    ...['', 'evil.example'].map((name): [string, string, number, string, string] => [
      `the host ${JSON.stringify(name)}`,
      `GET /api/v1/ping HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`,
      421,
      'Unknown host. The operator can add it to ALLOWED_HOSTS.',
      'MISDIRECTED_REQUEST',
    ]),
    [
      'an expectation nobody knows',
      `GET /api/v1/ping HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`,
      417,
      'Unknown expectation',
      'BAD_REQUEST',
    ],
    [
      'a body that is too large',
      `POST /api/v1/ping HTTP/1.1\r\n${host}Content-Type: text/plain\r\nContent-Length: 99999999\r\n\r\nabc`,
      413,
      'Request body is too large',
      'REQUEST_TOO_LARGE',
    ],
    [
      'a chunk that is none',
      `POST /api/v1/ping HTTP/1.1\r\n${host}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n`,
      400,
      'Malformed HTTP request',
      'BAD_REQUEST',
    ],
  ])('%s', async (_what, bytes, status, msg, code) => {
    const answer = await send(bytes);
    expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({
      status,
      body: { result: 'error', msg, code },
    });
    expect(answer.headers).toMatchObject({ ...securityHeaders, connection: 'close' });
    expect(answer.headers['content-length'] ?? String(answer.body.length)).toBe(String(answer.body.length));
  });
});

it.each([
  ['headers', 'POST /api/v1/ping HTTP/1.1\r\nHost: localhost\r\n'],
  [
    'a body',
    'POST /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc',
  ],
])('answers clients that never finish %s', async (_what, bytes) => {
  const impatient = await createHttpApp([ConnectionController], {
    fastify: { requestTimeout: 50, http: { headersTimeout: 50, connectionsCheckingInterval: 10 } },
  });
  await impatient.app.listen(0, '127.0.0.1');
  const answer = await send(bytes, impatient);
  await impatient.app.close();
  expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({
    status: 408,
    body: { result: 'error', msg: 'The request took too long to arrive', code: 'BAD_REQUEST' },
  });
  expect(answer.headers).toMatchObject(securityHeaders);
});

it('asks clients of a trusted proxy to stay with TLS, whatever they expect [HDR-transport]', async () => {
  const proxied = await createHttpApp([ConnectionController], { trustedProxies: ['127.0.0.0/8'] });
  await proxied.app.listen(0, '127.0.0.1');
  const expecting = (proto: string) =>
    send(
      `GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: ${proto}\r\nExpect: miracles\r\nConnection: close\r\n\r\n`,
      proxied,
    );
  const [through, plain] = [await expecting('http, https'), await expecting('https, http')];
  await proxied.app.close();
  expect(through).toMatchObject({
    status: 417,
    headers: { 'strict-transport-security': 'max-age=31536000' },
  });
  expect(plain.status).toBe(417);
  expect(plain.headers).not.toHaveProperty('strict-transport-security');
});

it('takes requests with the whole address in the first line', async () => {
  const answer = await send(
    'GET http://chat.example.com/api/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: '{"result":"success","msg":""}\n',
  });
});

it('takes requests of HTTP 1.0 without a host', async () => {
  expect((await send('GET /api/v1/ping HTTP/1.0\r\n\r\n')).status).toBe(200);
});

it('answers the next request on a connection whose last body was refused unread', async () => {
  const refused =
    'PUT /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello';
  const next = 'GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  expect((await send(refused + next)).status).toBe(200);
});

it('is not disturbed by clients that go away', async () => {
  for (const bytes of [
    '',
    'GET',
    'POST /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nabc',
  ]) {
    const socket = connect(portOf(http), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(bytes);
    socket.resetAndDestroy();
  }
  expect(
    (await send('GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).status,
  ).toBe(200);
});

it('refuses requests that arrive while it stops', async () => {
  const stopping = await createHttpApp([ConnectionController]);
  await stopping.app.listen(0, '127.0.0.1');
  const socket = connect(portOf(stopping), '127.0.0.1');
  const received = text(socket);
  socket.write('GET /api/v1/slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const controller = stopping.app.get(ConnectionController);
  const untouched = controller.release;
  while (controller.release === untouched) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const closed = stopping.app.close();
  await new Promise((resolve) => setImmediate(resolve));
  controller.release();
  socket.write('GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const answers = await received;
  await closed;
  expect(answers).toContain('HTTP/1.1 200 OK');
  expect(answers).toContain('HTTP/1.1 503 Service Unavailable');
  expect(answers).toContain('{"result":"error","msg":"The server is stopping","code":"SERVER_STOPPING"}');
});
