import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { StreamedBody } from './body/streamed-body';
import { isShredded, JoinedMessage } from './body/unread-body';

/** A body of this length, of which something was not read, is received to its end: the connection can be used again. */
const RECEIVED_BYTES = 64 * 1024;

/** Of longer ones, so much is received before the connection is cut, so that the client can read the answer. */
const LINGERING_BYTES = 32 * 1024 * 1024;
/** The same for a caller who is not known. */
const STRANGERS_BYTES = 9 * 1024 * 1024;
/** The same where the body comes in more pieces than any client makes. */
const SHREDDED_BYTES = 512 * 1024;
const LINGERING_MS = 30_000;

/** The start of a chunk of at most 255 bytes. */
const SMALL_CHUNK = /\r\n[\da-f]{1,2}\r\n/gi;

/** So many of them in so many bytes are more pieces than any client makes. */
const SMALL_CHUNKS = 64;
const LOOKED_AT_BYTES = 4096;

/**
 * Deals with bodies that are not read to their end, as of requests that were refused. A client that is still sending would
 * miss the answer if the connection were cut at once. So it is closed in the direction of the client only, and what
 * still comes is thrown away, without taking it apart: that costs the same however it is cut into pieces.
 */
export function registerUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (hasUnreadBody(request) && !request.raw.complete) {
      if (!isAwaited(request)) void reply.header('connection', 'close');
      closeSlowly(request.raw, lingeringBytes(request));
    }
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    if (hasUnreadBody(request)) ignoreRest(request.raw);
    done();
  });
}

function lingeringBytes({ raw, actor }: FastifyRequest): number {
  if (actor !== null) return LINGERING_BYTES;
  return isShredded(raw) ? SHREDDED_BYTES : STRANGERS_BYTES;
}

function hasUnreadBody({ headers, raw }: FastifyRequest): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasBody && !raw.readableEnded;
}

/** Whether the rest will be received: it is short, and its client has not gone on by another connection. */
function isAwaited({ headers, body }: FastifyRequest): boolean {
  if (body instanceof StreamedBody && body.isStopped) return false;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length']) <= RECEIVED_BYTES;
}

function ignoreRest(request: IncomingMessage): void {
  if (request instanceof JoinedMessage) request.ignoreRest();
  request
    .unpipe()
    .on('error', () => undefined)
    .resume();
}

/** Has the connection linger when it is closed after an answer. */
function closeSlowly(request: IncomingMessage, bytes: number): void {
  const { socket } = request;
  socket.destroySoon = () => {
    const timeout = setTimeout(() => socket.destroy(), LINGERING_MS).unref();
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timeout));
    socket.end();
    ignoreRest(request);
    discard(socket, bytes);
  };
}

/** Throws away what still comes, in the place of the HTTP parser. */
function discard(socket: Socket, bytes: number): void {
  // Node's server starts reading again by a listener of what this emits in the next tick, and which goes with the parser.
  socket.resume();
  process.nextTick(() => {
    if (socket.destroyed) return;
    let left: number | null = null;
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      // A request is often refused after the first piece of its body, before one can see that it is shredded.
      left ??= bytes === STRANGERS_BYTES && hasSmallChunks(chunk) ? SHREDDED_BYTES : bytes;
      left -= chunk.length;
      release(chunk);
      if (left < 0) socket.destroy();
    });
  });
}

/** What is handed to a closed port is gone. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/** Gives memory back at once: megabytes that wait for a collection start one, which takes some 100 ms of the processor. */
function release({ buffer, length }: Buffer): void {
  if (buffer.byteLength === length) nowhere.postMessage(null, [buffer as ArrayBuffer]);
}

function hasSmallChunks(body: Buffer): boolean {
  const start = body.toString('latin1', 0, LOOKED_AT_BYTES);
  return (start.match(SMALL_CHUNK)?.length ?? 0) > SMALL_CHUNKS;
}
