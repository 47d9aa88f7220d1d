import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as connectPlainly } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type SecureVersion, type TLSSocket } from 'node:tls';
import { compiledServer } from '../support/compiled-server';
import { ServerProcess } from '../support/server-process';
import { FIRST, SECOND } from '../support/tls/identities';

/** A TLS connection to the server, made by a client that trusts both certificates. */
async function connectTo(url: URL, maxVersion: SecureVersion = 'TLSv1.3'): Promise<TLSSocket> {
  const minVersion = maxVersion === 'TLSv1.3' ? 'TLSv1.2' : maxVersion;
  const ciphers = 'DEFAULT:@SECLEVEL=0'; // or this side would refuse old versions before the server can
  const ca = [FIRST.cert, SECOND.cert];
  const socket = connect({ host: url.hostname, port: Number(url.port), ca, minVersion, maxVersion, ciphers });
  await once(socket, 'secureConnect');
  return socket;
}

async function nameOf(url: URL): Promise<unknown> {
  const socket = await connectTo(url);
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return CN;
}

describe('a server with a certificate', () => {
  let folder: string;
  let certPath: string;
  let keyPath: string;
  let server: ServerProcess;
  let url: URL;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-tls-'));
    [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    use(FIRST);
    const env = { DATA_DIR: join(folder, 'data'), TLS_CERT: certPath, TLS_KEY: keyPath, PORT: '0' };
    server = new ServerProcess([compiledServer()], { env });
    url = await server.ready();
  });

  afterAll(async () => {
    server.signal('SIGKILL');
    await server.exitCode();
    rmSync(folder, { recursive: true, force: true });
  });

  function use(identity: typeof FIRST): void {
    copyFileSync(identity.certPath, certPath);
    copyFileSync(identity.keyPath, keyPath);
  }

  /** Sends the signal, and waits until the server has written what it made of it. */
  async function hangUp(said: string): Promise<void> {
    const before = server.output.length;
    server.signal('SIGHUP');
    while (!server.output.slice(before).includes(said)) {
      expect(server.isRunning).toBe(true);
      await pause(10);
    }
  }

  async function fetchTrusting(path: string): Promise<IncomingMessage> {
    const [answer] = (await once(get(new URL(path, url), { ca: FIRST.cert }), 'response')) as [
      IncomingMessage,
    ];
    answer.resume();
    return answer;
  }

  it('serves TLS alone, says so at start, and asks clients to stay with it [HDR-transport]', async () => {
    expect(url.protocol).toBe('https:');
    for (const path of ['/health/live', '/api/v1/users', '/unknown', '/api/v1/%zz']) {
      const { headers } = await fetchTrusting(path);
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('names itself by https in its answers', async () => {
    const answer = get(new URL('/api/v1/server_settings', url), { ca: FIRST.cert });
    const [response] = (await once(answer, 'response')) as [IncomingMessage];
    expect(JSON.parse(await text(response))).toMatchObject({ realm_url: expect.stringMatching(/^https:/) });
  });

  it('answers what is no HTTP inside of TLS with all headers [HDR-frame, HDR-nosniff, HDR-transport]', async () => {
    const socket = await connectTo(url);
    socket.write('hello\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('strict-transport-security: max-age=31536000\r\n');
    expect(answer).toContain('x-frame-options: DENY\r\n');
    expect(answer).toContain('x-content-type-options: nosniff\r\n');
  });

  it('closes the connection of who does not speak TLS, or an old one', async () => {
    const plain = connectPlainly(Number(url.port), url.hostname);
    plain.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await text(plain)).not.toContain('HTTP/1.1');
    await expect(connectTo(url, 'TLSv1.1')).rejects.toThrow(/alert protocol version/);
    const current = await connectTo(url, 'TLSv1.2');
    expect(current.getProtocol()).toBe('TLSv1.2');
    current.destroy();
  });

  it('takes up a renewed certificate on SIGHUP, and keeps the old one where the new cannot be used', async () => {
    expect(await nameOf(url)).toBe('first.example.com');
    const open = await connectTo(url);
    copyFileSync(SECOND.certPath, certPath);
    await hangUp('does not match the certificate');
    expect(await nameOf(url)).toBe('first.example.com');
    use(SECOND);
    await hangUp('Reloaded the TLS certificate');
    expect(await nameOf(url)).toBe('second.example.com');
    open.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await text(open)).toMatch(/^HTTP\/1\.1 200 /);
    use(FIRST);
    await hangUp('Reloaded the TLS certificate');
  });
});

describe('a certificate that cannot be used stops the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-tls-'));
  const noPem = join(folder, 'no.pem');
  writeFileSync(noPem, 'no PEM');

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['alone', { TLS_CERT: FIRST.certPath }, 'TLS_CERT is set but TLS_KEY is not'],
    [
      'missing',
      { TLS_CERT: '/nowhere/cert.pem', TLS_KEY: FIRST.keyPath },
      'Cannot read /nowhere/cert.pem named by TLS_CERT (ENOENT)',
    ],
    [
      'no PEM',
      { TLS_CERT: noPem, TLS_KEY: FIRST.keyPath },
      `TLS_CERT names ${noPem}, which does not contain a PEM certificate`,
    ],
    [
      'without a key',
      { TLS_CERT: FIRST.certPath, TLS_KEY: noPem },
      `TLS_KEY names ${noPem}, which does not contain an unencrypted PEM private key`,
    ],
    [
      'of another key',
      { TLS_CERT: FIRST.certPath, TLS_KEY: SECOND.keyPath },
      'does not match the certificate',
    ],
  ])('%s', async (_, tls, sentence) => {
    const server = new ServerProcess([compiledServer()], { env: { DATA_DIR: folder, ...tls } });
    await expect(server.exitCode()).resolves.toBe(1);
    expect(server.errors).toMatch(/^Parley cannot start\.\n/);
    expect(server.errors).toContain(sentence);
    expect(server.errors).not.toContain('    at ');
  });
});
