import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Content codings of answers with their compressors, smallest result first. */
const CODINGS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const;

type Coding = keyof typeof CODINGS;

/** Out of 11: the two highest take 7 to 18 times as long and save 8 %. */
const BROTLI_QUALITY = 9;

/** Bytes passed to a connection at a time. */
const PIECE = 64 * 1024;

/**
 * Sends bytes that are already in memory, in pieces and no faster than the client reads them. The pieces are slices of
 * the one buffer, so stalled clients hold no copy of it, not even an encrypted one.
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

/**
 * Whether a client accepts a content coding.
 * @param accepted the header `Accept-Encoding`
 */
export function accepts(coding: Coding, accepted: string | undefined): boolean {
  return new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, 'i').test(accepted ?? '');
}

/** Content that is the same for all clients: cached in each coding that a client has accepted. */
export class SharedContent {
  private readonly packed = new Map<Coding, Promise<Buffer>>();

  constructor(readonly plain: Buffer) {}

  /**
   * Sends the content in the smallest coding that the client accepts.
   * @param accepted the header `Accept-Encoding`
   */
  async send(accepted: string | undefined, reply: FastifyReply): Promise<StreamableFile> {
    void reply.header('vary', 'Accept-Encoding');
    const coding = (Object.keys(CODINGS) as Coding[]).find((candidate) => accepts(candidate, accepted));
    const bytes = coding ? await this.pack(coding) : this.plain;
    if (coding) void reply.header('content-encoding', coding);
    return new StreamableFile(sharedBytes(bytes), { length: bytes.length });
  }

  /** Compressed for the first client that accepts it, so that it does not delay the start. */
  private pack(coding: Coding): Promise<Buffer> {
    const known = this.packed.get(coding);
    if (known) return known;
    const made = CODINGS[coding](this.plain);
    this.packed.set(coding, made);
    return made;
  }
}
