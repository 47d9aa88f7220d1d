import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, ApiClient } from './api-client';
import type { Member } from './cast';
import type { TestApp } from './test-app';

/** The header of every request of the protocol. */
export const TUS = { 'tus-resumable': '1.0.0' };

/** Pairs of key and value, in the protocol's encoding. */
export function metadata(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Starts an upload. */
export function begin(
  app: TestApp,
  owner: Pick<Member, 'id'>,
  length: number,
  pairs: Readonly<Record<string, string>> = { filename: 'notes.txt', filetype: 'text/plain' },
): Promise<Answer> {
  return app.as(owner).send({
    method: 'POST',
    url: '/api/v1/tus/',
    headers: { ...TUS, 'upload-length': String(length), 'upload-metadata': metadata(pairs) },
  });
}

/** Starts an upload, which must succeed. @returns the URL for its pieces */
export async function begun(
  app: TestApp,
  owner: Pick<Member, 'id'>,
  length: number,
  name = 'notes.txt',
): Promise<string> {
  const { status, headers } = await begin(app, owner, length, { filename: name });
  expect(status).toBe(201);
  return String(headers.location);
}

/** Sends a piece. */
export function sendPiece(
  client: ApiClient,
  url: string,
  offset: number,
  piece: Buffer | string,
): Promise<Answer> {
  return client.send({
    method: 'PATCH',
    url,
    headers: {
      ...TUS,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    payload: piece,
  });
}

/** Requests the progress of an upload. */
export function progressOf(app: TestApp, owner: Pick<Member, 'id'>, url: string): Promise<Answer> {
  return app.as(owner).send({ method: 'HEAD', url, headers: TUS });
}

/**
 * Sends a part of a piece over a separate connection, which stays open. @returns a function that closes it, and the
 * answer
 */
export async function sendPart(
  app: TestApp,
  owner: Pick<Member, 'id'>,
  url: string,
  offset: number,
  part: string,
  announced: number,
): Promise<{ breakOff(): void; answered(): string }> {
  if (!app.nest.getHttpServer().listening) await app.nest.listen(0, '127.0.0.1');
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  const { email, apiKey } = app.credentialsOf(owner);
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined).on('data', (bytes) => (answer += bytes.toString()));
  await once(socket, 'connect');
  const lines = [
    `PATCH ${url} HTTP/1.1`,
    'host: chat.example.com',
    `authorization: Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
    'tus-resumable: 1.0.0',
    `upload-offset: ${offset}`,
    'content-type: application/offset+octet-stream',
    `content-length: ${announced}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${part}`);
  return { breakOff: () => socket.destroy(), answered: () => answer };
}

/** Waits until a condition holds. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5);
}
