import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledServer } from '../support/compiled-server';
import { freePort } from '../support/free-port';
import { hasNginx, Nginx, type Change } from '../support/nginx';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const TLS = join(__dirname, '../support/tls');
if (!hasNginx()) test.todo('docs/operations.md, nginx: nginx is not installed here');

// The server is a process of its own, beside other tests.
const { site, upstream } = Nginx.documented();

interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers as they are
  readonly body: any;
}

(hasNginx() ? describe : describe.skip)('nginx in front of the server, as docs/operations.md has it', () => {
  let folder: string;
  let database: TestDatabase;
  let server: ServerProcess;
  let port: string;
  let nginx: Nginx;
  let client: ClientHttp2Session;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-nginx-'));
    database = await createTestDatabase();
    port = await freePort();
    server = new ServerProcess([compiledServer()], {
      env: {
        DATA_DIR: join(folder, 'data'),
        ...database.env,
        EXTERNAL_URL: `https://127.0.0.1:${port}`,
        TRUSTED_PROXIES: '127.0.0.1',
      },
    });
  });

  afterAll(async () => {
    server.signal('SIGTERM');
    await server.exitCode();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    client.destroy();
    await nginx.stop();
  });

  /** Runs nginx with blocks of the document, and connects to it. */
  async function start(blocks: string, changes: readonly Change[]): Promise<void> {
    nginx = await Nginx.start(folder, port, blocks, [
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      ['/etc/letsencrypt/live/chat.example.com/fullchain.pem', join(TLS, 'first-cert.pem')],
      ['/etc/letsencrypt/live/chat.example.com/privkey.pem', join(TLS, 'first-key.pem')],
      ...changes,
    ]);
    client = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    await once(client, 'connect');
    expect(nginx.said).toBe('');
  }

  /** One request, as the owner unless the path is for everybody. */
  async function call(method: string, path: string, parameters: object = {}): Promise<Answer> {
    const zuliprc = readFileSync(join(dataDir(), 'zuliprc'), 'utf8');
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1];
    const form = new URLSearchParams(parameters as Record<string, string>).toString();
    const stream = client.request({
      ':method': method,
      ':path': method === 'GET' && form ? `${path}?${form}` : path,
      authorization: `Basic ${Buffer.from(`${value('email')}:${value('key')}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    stream.setEncoding('utf8');
    // A GET is at its end as it begins.
    if (method !== 'GET') stream.end(form);
    let text = '';
    stream.on('data', (chunk: string) => (text += chunk));
    let status = 0;
    stream.on('response', (headers) => (status = Number(headers[':status'])));
    await once(stream, 'end');
    return { status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  const dataDir = () => database.env.DATA_DIR ?? join(folder, 'data');

  it('serves clients, hands on waiting polls at once, and keeps the metrics to itself', async () => {
    const { host } = await server.ready();
    await start(site, [['127.0.0.1:9991', host]]);
    const { body: registered } = await call('POST', '/api/v1/register', { event_types: '["message"]' });
    expect(registered).toMatchObject({ result: 'success' });
    const { queue_id, last_event_id } = registered;
    const polled = call('GET', '/api/v1/events', { queue_id, last_event_id });
    const { body: me } = await call('GET', '/api/v1/users/me');
    const message = { type: 'direct', to: JSON.stringify([me.user_id]), content: 'a'.repeat(9_000) };
    expect(await call('POST', '/api/v1/messages', message)).toMatchObject({ status: 200 });
    expect((await polled).body.events).toMatchObject([{ type: 'message' }]);
    expect((await call('GET', '/metrics')).status).toBe(403);
    expect((await call('GET', '/health/ready')).status).toBe(200);
    await server.wrote(/"path":"\/api\/v1\/messages","status":200,.*"address":"127\.0\.0\.1"/);
  });

  it('goes to the nodes that answer', async () => {
    const { host } = await server.ready();
    await start(upstream + site, [
      ['10.0.0.11:9991', host],
      ['10.0.0.12:9991', `127.0.0.1:${await freePort()}`],
      ['http://127.0.0.1:9991', 'http://parley'],
    ]);
    for (let request = 0; request < 6; request++) {
      expect((await call('GET', '/api/v1/users/me')).status).toBe(200);
    }
  });
});
