import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ApiError } from '../../errors/api-error';
import { BadRequest } from '../../errors/shared.errors';

const MIB = 1024 * 1024;

/** The file is larger than the route takes. */
export class UploadTooLarge extends BadRequest {
  constructor(maxBytes: number) {
    super(`Uploaded file is larger than the allowed limit of ${Math.floor(maxBytes / MIB)} MiB`);
  }
}

/** The one file of a form, still on its way from the client: it can be read once. */
export class UploadedFile {
  /**
   * @param fileName base name as the client sent it; never a path, but otherwise unchecked
   * @param contentType as the client states it, in lower case, without parameters
   * @param rest fulfils when the whole form was read, rejects when anything in it is wrong
   */
  constructor(
    readonly fileName: string,
    readonly contentType: string,
    private readonly bytes: Readable,
    private readonly rest: Promise<void>,
  ) {}

  /**
   * The content. The stream ends only once the whole form proved valid; it fails with an ApiError when the file is
   * larger than `maxBytes`, the form breaks off, or a second file follows.
   */
  stream(maxBytes: number): Readable {
    return Readable.from(this.checkedBytes(maxBytes), { objectMode: false });
  }

  /**
   * Streams the content into a sink, which is destroyed if that fails; the caller then removes what it wrote.
   * @returns the number of bytes
   * @throws ApiError see {@link stream}
   */
  async saveTo(sink: Writable, { maxBytes }: { maxBytes: number }): Promise<number> {
    let size = 0;
    await pipeline(
      this.checkedBytes(maxBytes),
      async function* (chunks) {
        for await (const chunk of chunks) {
          size += chunk.length;
          yield chunk;
        }
      },
      sink,
    );
    return size;
  }

  /** Ends a reader's wait when the form proves invalid. */
  abort(failure: ApiError): void {
    this.bytes.destroy(failure);
  }

  private async *checkedBytes(maxBytes: number): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of this.sentBytes()) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new UploadTooLarge(maxBytes);
      }
      yield chunk;
    }
    await this.rest;
  }

  /** The bytes. Fails with the problem of the form rather than with the parser's own error. */
  private async *sentBytes(): AsyncGenerator<Buffer> {
    try {
      yield* this.bytes as AsyncIterable<Buffer>;
    } catch (error) {
      await this.rest;
      throw error;
    }
  }
}
