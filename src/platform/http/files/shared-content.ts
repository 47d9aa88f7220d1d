import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { acceptsGzip } from '../accepts-gzip';

const pack = promisify(gzip);

/** Bytes that one connection is given at a time. */
const PIECE = 64 * 1024;

/**
 * Sends bytes that are in memory anyway, piece by piece and no faster than the client takes them. The pieces are parts of
 * the one buffer, so clients that read nothing hold no copy of it, not even an encrypted one.
 */
export function sharedBytes(bytes: Buffer): Readable {
  let sent = 0;
  return new Readable({
    highWaterMark: PIECE,
    read() {
      const piece = bytes.subarray(sent, sent + PIECE);
      sent += piece.length;
      this.push(piece.length === 0 ? null : piece);
    },
  });
}

/** Content that is the same for everybody: kept once, plain and compressed. */
export class SharedContent {
  private packed: Promise<Buffer> | null = null;

  constructor(readonly plain: Buffer) {}

  /**
   * Answers with the content, compressed if the client accepts that.
   * @param accepted the header `Accept-Encoding`
   */
  async send(accepted: string | undefined, reply: FastifyReply): Promise<StreamableFile> {
    void reply.header('vary', 'Accept-Encoding');
    const isPacked = acceptsGzip(accepted);
    // Compressed for the first client that accepts it: a start does not wait for it.
    const bytes = isPacked ? await (this.packed ??= pack(this.plain, { level: 9 })) : this.plain;
    if (isPacked) void reply.header('content-encoding', 'gzip');
    return new StreamableFile(sharedBytes(bytes), { length: bytes.length });
  }
}
