import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { RequestTooLarge } from '../../errors/request.errors';
import type { RawBody } from './raw-body';
import type { FormLimits, RequestLimits } from './request-limits';
import { GrowingForm, type UrlEncodedBody } from './sent-parameters';

const NOTHING = Buffer.alloc(0);

/** Collects bytes that arrive in pieces in one growing buffer: an array of small chunks takes many times their size. */
export class GrowingBuffer {
  private buffer: Buffer = NOTHING;
  private filled = 0;

  /** @param maxBytes maximum number of bytes ever appended */
  constructor(private readonly maxBytes: number) {}

  /** Number of bytes so far. */
  get length(): number {
    return this.filled;
  }

  append(chunk: Buffer): void {
    const length = this.filled + chunk.length;
    if (this.filled === 0) {
      this.buffer = chunk; // most contents arrive in one piece, which need not be copied
    } else {
      if (length > this.buffer.length) this.grow(length);
      chunk.copy(this.buffer, this.filled);
    }
    this.filled = length;
  }

  /** All bytes so far; valid until the next ones are appended. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.filled);
  }

  private grow(atLeast: number): void {
    const size = Math.max(atLeast, Math.min(2 * this.buffer.length, this.maxBytes));
    const larger = Buffer.allocUnsafe(size);
    this.buffer.copy(larger, 0, 0, this.filled);
    this.buffer = larger;
  }
}

/** Number of pieces passed on unchanged; ordinary bodies have no more. */
const LOOSE_PIECES = 64;

/** Later pieces smaller than this are joined. */
const SMALL_BYTES = 1024;

/** Size of the joined pieces. */
const JOINED_BYTES = 16 * 1024;

/** A body may have this many pieces, plus one per {@link BYTES_A_PIECE} bytes. */
const FREE_PIECES = 1_000;
const BYTES_A_PIECE = 64;

/**
 * A request that joins small pieces of its body. Node creates a buffer for every chunk, however small, and keeps all of
 * them until they are read: chunks of one byte take a hundred times the memory of their content.
 */
export class JoinedMessage extends IncomingMessage {
  private pieces = 0;
  private received = 0;
  private joined: Buffer | null = null;
  private filled = 0;
  private hasTooMany = false;
  private isIgnored = false;
  private resumeParser: (() => void) | null = null;

  /** Whether the body arrives in so many pieces that it can only be meant to cost time: the rest is ignored. */
  get isShredded(): boolean {
    return this.hasTooMany;
  }

  /** Discards the rest of the body. */
  ignoreRest(): void {
    this.isIgnored = true;
    super._read(0);
  }

  /** Continues receiving, unless the body is shredded: its reader then refuses it. */
  override _read(size: number): void {
    if (this.isIgnored || !this.hasTooMany) super._read(size);
  }

  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.resumeParser?.();
      this.passOn();
      return super.push(null);
    }
    // Data received before may still be parsed. Reading has stopped; repeating that for each piece would cost time.
    if (this.isIgnored || this.hasTooMany) return true;
    this.pieces++;
    this.received += chunk.length;
    if (this.pieces <= LOOSE_PIECES || chunk.length >= SMALL_BYTES) {
      this.passOn();
      return super.push(chunk);
    }
    this.join(chunk);
    this.hasTooMany = this.pieces > FREE_PIECES + this.received / BYTES_A_PIECE;
    if (this.hasTooMany) this.silenceParser();
    return !this.hasTooMany && this.readableLength + this.filled < this.readableHighWaterMark;
  }

  /**
   * Stops Node's parser from reporting this body. For data received at once, it would create a buffer per piece, which
   * is most of the cost; without the callback it creates none.
   */
  private silenceParser(): void {
    const parser = (this.socket as { parser?: Record<string, unknown> | null }).parser ?? {};
    const name = Object.keys(parser).find(
      (key) => (parser[key] as { name?: unknown } | null)?.name === 'parserOnBody',
    );
    if (name === undefined) return;
    const tell = parser[name];
    parser[name] = null;
    // Parsers are reused for further requests, on this connection and others.
    this.resumeParser = () => (parser[name] = tell);
    this.socket.once('close', this.resumeParser);
  }

  private join(chunk: Buffer): void {
    if (this.filled + chunk.length > JOINED_BYTES) this.passOn();
    if (this.joined === null) {
      this.joined = Buffer.allocUnsafe(JOINED_BYTES);
      // By then, all data received at once has been parsed.
      setImmediate(() => this.passOn());
    }
    chunk.copy(this.joined, this.filled);
    this.filled += chunk.length;
  }

  private passOn(): void {
    const { joined, filled } = this;
    if (joined === null) return;
    this.joined = null;
    this.filled = 0;
    // A slow sender may have sent a single byte, which must not retain the whole buffer.
    super.push(
      filled > JOINED_BYTES / 2 ? joined.subarray(0, filled) : Buffer.from(joined.subarray(0, filled)),
    );
  }
}

/** Whether a body arrives in more pieces than the server accepts. */
export function isShredded(body: Readable): boolean {
  return body instanceof JoinedMessage && body.isShredded;
}

/** A body once read; undefined if nothing reads it. */
export type ReadBody = UrlEncodedBody | RawBody | undefined;

/** How to read a type of body. */
export interface BodyKind {
  /** The limit for its length. */
  readonly limit: 'bodyBytes' | 'jsonBytes';
  readonly make: (bytes: Buffer, limits: RequestLimits) => ReadBody;
}

const NO_FIELDS: ReadonlyMap<string, string> = new Map();

/** A body that is not read yet: how much of it is read depends on the sender, whom the guards identify first. */
export class UnreadBody extends GrowingForm {
  readonly fields = NO_FIELDS;
  private reading: Promise<ReadBody> | null = null;

  /** @param length in bytes; null if unknown before its end */
  constructor(
    private readonly stream: Readable,
    private readonly length: number | null,
    private readonly kind: BodyKind,
  ) {
    super();
  }

  /** Reads it once. @throws RequestTooLarge, or the error of a connection that ends before the body does */
  read(limits: RequestLimits): Promise<ReadBody> {
    this.reading ??= this.readWithin(limits);
    return this.reading;
  }

  private async readWithin(limits: RequestLimits): Promise<ReadBody> {
    const maxBytes = limits[this.kind.limit];
    if ((this.length ?? 0) > maxBytes) throw new RequestTooLarge();
    const bytes = this.length === 0 ? Buffer.alloc(0) : await bytesOf(this.stream, maxBytes);
    return this.kind.make(bytes, limits);
  }
}

/** Limits of this request's body; lower for callers without credentials. */
export function bodyLimits({ actor, server, routeOptions }: FastifyRequest): RequestLimits {
  if (actor !== null) return server.requestLimits;
  const { formBytes }: FormLimits = routeOptions.config as object;
  const { strangerLimits } = server;
  return formBytes === undefined
    ? strangerLimits
    : { ...strangerLimits, bodyBytes: formBytes, parameterBytes: formBytes };
}

/** Reads the body, unless it was already read or is a form with files, which its route reads. */
export async function readBody(request: FastifyRequest, limits = bodyLimits(request)): Promise<void> {
  const { body } = request;
  if (body instanceof UnreadBody) request.body = await body.read(limits);
}

function bytesOf(stream: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A stream that has ended in the meantime emits nothing more.
    if (stream.destroyed) return void reject(stream.errored ?? new BrokenOff());
    const content = new GrowingBuffer(maxBytes);
    const stop = () => stream.off('data', take).off('end', finish).off('error', fail).off('close', breakOff);
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    const breakOff = () => fail(new BrokenOff());
    const refuse = () => {
      stream.pause();
      fail(new RequestTooLarge());
    };
    const take = (chunk: Buffer) => {
      if (content.length + chunk.length > maxBytes || isShredded(stream)) return refuse();
      content.append(chunk);
    };
    const finish = () => {
      stop();
      if (isShredded(stream)) reject(new RequestTooLarge());
      else resolve(content.bytes);
    };
    stream.on('data', take).on('end', finish).on('error', fail).on('close', breakOff);
  });
}

/** The client disconnected in the middle of the body. */
class BrokenOff extends Error {
  constructor() {
    super('The connection ended before the body did.');
  }
}
