import { randomBytes } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { FileStore } from '../../../platform/files/file-store';
import type { StreamedBody } from '../../../platform/http/body/streamed-body';
import { storedPath } from '../upload-path';
import { PieceElsewhere, PieceTooLong, TooManyPieces } from '../uploads.api';
import { piecePath, piecePaths } from './unfinished-rows.service';
import type { UnfinishedUpload } from './unfinished-upload.entity';

/** Each is a file, and named in a row that is written anew with the next. */
const MOST_PIECES = 1000;

/** The pieces of files on the disk. */
@Injectable()
export class UnfinishedFilesService {
  constructor(
    private readonly files: FileStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a piece, as much of it as comes.
   * @returns the upload with it; the same where nothing came
   * @throws PieceTooLong, TooManyPieces
   */
  async receive(
    upload: UnfinishedUpload,
    body: StreamedBody,
    stopped: AbortSignal,
  ): Promise<UnfinishedUpload> {
    if (piecePaths(upload).length >= MOST_PIECES) throw new TooManyPieces(MOST_PIECES);
    const piece = randomBytes(18).toString('hex');
    const room = upload.length - upload.received;
    const size = await this.files.write(piecePath(piece), (sink) =>
      writeAll(body.bytes(stopped), sink, room),
    );
    if (size === 0) {
      await this.files.delete(piecePath(piece));
      return upload;
    }
    const pieces = upload.pieces === '' ? piece : `${upload.pieces},${piece}`;
    return { ...upload, pieces, received: upload.received + size, touchedAt: this.clock.nowMs() };
  }

  /** Makes one file of all pieces, which stay. @returns its size */
  async join(upload: UnfinishedUpload, path: string): Promise<number> {
    await this.files.write(storedPath(path), (sink) => pipeline(this.contentOf(upload), sink));
    return upload.length;
  }

  private async *contentOf(upload: UnfinishedUpload): AsyncGenerator<Buffer> {
    for (const path of piecePaths(upload)) {
      const file = await this.files.open(path);
      if (!file) throw new PieceElsewhere();
      yield* file.content as AsyncIterable<Buffer>;
    }
  }

  /** Removes all pieces. */
  async discard(upload: UnfinishedUpload): Promise<void> {
    for (const path of piecePaths(upload)) await this.files.delete(path);
  }

  /** Removes the pieces that are new since then. */
  async discardNew(before: UnfinishedUpload, after: UnfinishedUpload): Promise<void> {
    const kept = new Set(piecePaths(before));
    for (const path of piecePaths(after)) if (!kept.has(path)) await this.files.delete(path);
  }
}

/** @returns how many bytes there were. @throws PieceTooLong */
async function writeAll(bytes: AsyncIterable<Buffer>, sink: Writable, room: number): Promise<number> {
  let size = 0;
  const measured = async function* () {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > room) throw new PieceTooLong();
      yield chunk;
    }
  };
  await pipeline(Readable.from(measured(), { objectMode: false }), sink);
  return size;
}
