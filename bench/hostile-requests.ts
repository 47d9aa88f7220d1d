import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as raw bytes, which no client would send. */
export interface HostileRequest {
  readonly name: string;
  readonly head: string;
  /** The body as transmitted. */
  readonly body: Buffer;
}

/** Number of incomplete requests held open to measure memory. */
const HELD_AT_ONCE = 20;

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const MIB = 1024 * 1024;
const filled = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length));

function chunked(text: string, size: number): Buffer {
  const head = `${size.toString(16)}\r\n`;
  const whole = Math.floor(text.length / size);
  const bytes = Buffer.alloc(whole * (head.length + size + 2));
  for (let chunk = 0, at = 0; chunk < whole; chunk++) {
    at += bytes.write(`${head}${text.slice(chunk * size, (chunk + 1) * size)}\r\n`, at, 'latin1');
  }
  const rest = text.slice(whole * size);
  const last = rest === '' ? '' : `${rest.length.toString(16)}\r\n${rest}\r\n`;
  return Buffer.concat([bytes, Buffer.from(`${last}0\r\n\r\n`)]);
}

/** A body in chunks of this size. */
function body(name: string, target: string, type: string, text: string, size = 64 * 1024): HostileRequest {
  const head = `${target} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n`;
  return { name, head, body: chunked(text, size) };
}

const methodLines = `--b\r\n${filled('content-disposition: a;name=method\r\n', 66_000)}`;
const fieldStart = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n';
const parts = (length: number) => filled(`${fieldStart}\r\n`, length);
const nested = (length: number) => `{"email":[${filled('{},', length)}0],"password":"a"}`;

/** The same bodies for routes with and without authentication. */
const bodies = (where: string, form: string, json: string): HostileRequest[] => [
  body(`lines of methods, ${where}`, form, MULTIPART, methodLines, 256),
  body(`parts of a byte each, ${where}`, form, MULTIPART, fieldStart + filled('a', 4 * MIB), 1),
  body(`a form of a byte each, ${where}`, form, FORM, filled('a', 4 * MIB), 1),
  body(`4 MB of spaces, ${where}`, form, FORM, `a=${filled('+', 4_000_000)}`),
  body(`4 MB of methods, ${where}`, form, FORM, filled('&method=PUT', 4_000_000)),
  body(`64 KB of spaces, ${where}`, form, FORM, `a=${filled('+', 65_000)}`),
  body(`64 KB of methods, ${where}`, form, FORM, filled('&method=PUT', 65_000)),
  body(`64 KB of parts, ${where}`, form, MULTIPART, parts(65_000)),
  body(`20 MB of parts, ${where}`, form, MULTIPART, parts(20_000_000)),
  body(`64 KB of JSON values, ${where}`, json, 'application/json', nested(65_000)),
  body(`4 MB of JSON values, ${where}`, json, 'application/json', nested(4_000_000)),
  body(`64 KB of deep JSON, ${where}`, json, 'application/json', filled('[', 65_000)),
  body(`4 MB of deep JSON, ${where}`, json, 'application/json', filled('[', 4_000_000)),
  body(`JSON of a byte each, ${where}`, json, 'application/json', filled('[', 4 * MIB), 1),
];

const get = (name: string, path: string, headers = ''): HostileRequest => ({
  name,
  head: `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}`,
  body: Buffer.alloc(0),
});

/** Unauthenticated requests, both refused and allowed ones. */
export const requestsOfStrangers: readonly HostileRequest[] = [
  ...bodies('closed', 'POST /api/v1/messages', 'POST /api/auth/users'),
  ...bodies('open', 'POST /api/v1/fetch_api_key', 'POST /api/auth/login'),
  body('lines of methods, for PATCH', 'POST /api/v1/realm', MULTIPART, methodLines, 256),
  body('a file of a byte each', 'POST /api/v1/user_uploads', MULTIPART, fieldStart + filled('a', 4 * MIB), 1),
  body('a webhook', 'POST /api/v1/external/json', FORM, `a=${filled('+', 4_000_000)}`),
  get('the page of the interface, unread', '/api/docs'),
  get('the description of the interface, unread', '/api/docs-json'),
  get('a long query', `/api/v1/server_settings?${filled('a&', 15_000)}`),
  get('a query of spaces', `/api/v1/server_settings?a=${filled('+', 15_000)}`),
  get('a query of escapes', `/api/v1/server_settings?a=${filled('%41', 15_000)}`),
  get(
    'a query of deep JSON',
    `/api/v1/messages?anchor=1&num_before=1&num_after=1&narrow=${filled('[', 15_000)}`,
  ),
  get('many headers', '/api/v1/server_settings', filled('a:\r\n', 7_800)),
  get('a long header', '/api/v1/server_settings', `cookie: ${filled('a=b;', 15_000)}\r\n`),
  get('long credentials', '/api/v1/users/me', `authorization: Basic ${filled('YTph', 15_000)}\r\n`),
];

/** Responses of an identity provider to a sign-in that was just started, with the name of the provider. */
export async function samlResponses(port: number, provider: string): Promise<HostileRequest[]> {
  const start = `http://127.0.0.1:${port}/accounts/login/social/saml/${provider}`;
  const { headers } = await fetch(start, { redirect: 'manual' });
  const state = new URL(String(headers.get('location'))).searchParams.get('RelayState');
  const response = (name: string, unit: string, length: number) => {
    const text = `<r InResponseTo="_${state}">${filled(unit, length)}</r>`;
    const form = new URLSearchParams({
      RelayState: String(state),
      SAMLResponse: Buffer.from(text).toString('base64'),
    });
    return body(name, `POST /complete/saml/${provider}/`, FORM, form.toString());
  };
  return [
    response('a SAML response of elements', '<a b="c">d</a>', 6_900),
    response('a SAML response of empty elements', '<a/>', 5_900),
    response('a SAML response of comments', '<!---->', 10_300),
    response('a SAML response, nested', '<a>', 2_200),
    response('a SAML response of text', 'a', 95_000),
    response('a SAML response of references', '&#97;', 7_400),
  ];
}

/** The same as a member. */
export const requestsOfMembers: readonly HostileRequest[] = bodies(
  'member',
  'POST /api/v1/messages',
  'POST /api/v1/messages',
);

/** Sends the request and returns the status of the first response; 0 if there was none. */
export async function sendHostile(
  port: number,
  request: HostileRequest,
  authorization = '',
): Promise<number> {
  const socket = open(port, request, authorization);
  let first: Buffer | null = null;
  const answered = new Promise<void>((resolve) =>
    socket.on('data', (bytes) => resolve(void (first ??= bytes))),
  );
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // A client that reads no response before it has sent everything.
  const sent = new Promise((resolve) => socket.write(request.body, resolve));
  await Promise.race([Promise.all([answered, sent]), closed]);
  socket.destroy();
  return Number((first as Buffer | null)?.toString('latin1', 9, 12) ?? 0);
}

/** Runs a measurement while many requests wait for their last bytes. */
export async function whileHeld<T>(
  port: number,
  request: HostileRequest,
  measure: (count: number) => Promise<T>,
): Promise<T> {
  const sockets = Array.from({ length: HELD_AT_ONCE }, () => open(port, request, ''));
  for (const socket of sockets) {
    socket.resume();
    socket.write(request.body.subarray(0, -'a\r\n0\r\n\r\n'.length));
  }
  // Until refused data is discarded.
  await sleep(2_000);
  try {
    return await measure(HELD_AT_ONCE);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function open(port: number, { head }: HostileRequest, authorization: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  socket.write(`${head}${authorization}\r\n`);
  return socket;
}
