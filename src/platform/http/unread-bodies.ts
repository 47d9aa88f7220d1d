import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { StreamedBody } from './body/streamed-body';
import { isShredded, JoinedMessage } from './body/unread-body';

/** A partly read body up to this length is received to its end, so that the connection can be reused. */
const RECEIVED_BYTES = 64 * 1024;

/** Of longer ones, this much is received before the connection is closed, so that the client can read the answer. */
const LINGERING_BYTES = 32 * 1024 * 1024;
/** The same for unauthenticated callers. */
const STRANGERS_BYTES = 9 * 1024 * 1024;
/** The same if the body arrives in more pieces than any client sends. */
const SHREDDED_BYTES = 512 * 1024;
const LINGERING_MS = 30_000;

/** The start of a chunk of at most 255 bytes. */
const SMALL_CHUNK = /\r\n[\da-f]{1,2}\r\n/gi;

/** This many of them in this many bytes are more pieces than any client sends. */
const SMALL_CHUNKS = 64;
const LOOKED_AT_BYTES = 4096;

/**
 * Handles bodies that are not read to their end, such as those of refused requests. A client that is still sending
 * would miss the answer if the connection were closed at once. So only the sending direction is closed, and further
 * data is discarded without parsing it, at the same cost however it is split into pieces.
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

/** Whether to receive the rest: it is short, and the client has not switched to another connection. */
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

/** Makes the connection linger when it is closed after an answer. */
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

/** Discards further data, in place of the HTTP parser. */
function discard(socket: Socket, bytes: number): void {
  // Node's server resumes reading with a listener of the event that this emits in the next tick, and which is removed
  // with the parser.
  socket.resume();
  process.nextTick(() => {
    if (socket.destroyed) return;
    let left: number | null = null;
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      // A request is often refused after the first piece of its body, before it is recognizably shredded.
      left ??= bytes === STRANGERS_BYTES && hasSmallChunks(chunk) ? SHREDDED_BYTES : bytes;
      left -= chunk.length;
      release(chunk);
      if (left < 0) socket.destroy();
    });
  });
}

/** Data posted to a closed port is freed. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/**
 * Frees memory immediately: megabytes awaiting garbage collection trigger one, which takes about 100 ms of CPU time.
 */
function release({ buffer, length }: Buffer): void {
  if (buffer.byteLength === length) nowhere.postMessage(null, [buffer as ArrayBuffer]);
}

function hasSmallChunks(body: Buffer): boolean {
  const start = body.toString('latin1', 0, LOOKED_AT_BYTES);
  return (start.match(SMALL_CHUNK)?.length ?? 0) > SMALL_CHUNKS;
}
