import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { RequestTooLarge } from '../../errors/request.errors';
import { GrowingBuffer } from './growing-buffer';
import { isShredded } from './joined-message';
import type { RawBody } from './raw-body';
import type { RequestLimits } from './request-limits';
import { GrowingForm, type UrlEncodedBody } from './sent-parameters';

/** What a body becomes once it is read; undefined where nothing reads it. */
export type ReadBody = UrlEncodedBody | RawBody | undefined;

/** What kind of body it is. */
export interface BodyKind {
  /** The limit that holds for its length. */
  readonly limit: 'bodyBytes' | 'jsonBytes';
  readonly make: (bytes: Buffer, limits: RequestLimits) => ReadBody;
}

const NO_FIELDS: ReadonlyMap<string, string> = new Map();

/** A body that is not read yet: how much of it is read depends on who sends it, which the guards find out first. */
export class UnreadBody extends GrowingForm {
  readonly fields = NO_FIELDS;
  private reading: Promise<ReadBody> | null = null;

  /** @param length in bytes; null if only its end will tell */
  constructor(
    private readonly stream: Readable,
    private readonly length: number | null,
    private readonly kind: BodyKind,
  ) {
    super();
  }

  /** Reads it, once. @throws RequestTooLarge, or the error of a connection that ends before the body does */
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

/** Limits of this request's body: strangers may send little. */
export function bodyLimits({ actor, server }: FastifyRequest): RequestLimits {
  return actor === null ? server.strangerLimits : server.requestLimits;
}

/** Reads the body, unless it was read already or is a form with files, which its route reads. */
export async function readBody(request: FastifyRequest, limits = bodyLimits(request)): Promise<void> {
  const { body } = request;
  if (body instanceof UnreadBody) request.body = await body.read(limits);
}

function bytesOf(stream: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // One that has ended in the meantime says nothing more.
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

/** The client has left in the middle of the body. */
class BrokenOff extends Error {
  constructor() {
    super('The connection ended before the body did.');
  }
}
