import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../errors/api-error';
import { BadRequest } from '../../errors/shared.errors';

const MIB = 1024 * 1024;

/** The file exceeds the route's limit. */
export class UploadTooLarge extends BadRequest {
  constructor(maxBytes: number) {
    super(`Uploaded file is larger than the allowed limit of ${Math.floor(maxBytes / MIB)} MiB`);
  }
}

/** The only file of a form, still arriving from the client: it can be read once. */
export class UploadedFile {
  /**
   * @param fileName base name as the client sent it; never a path, but otherwise unchecked
   * @param contentType as the client states it, in lower case, without parameters
   * @param rest fulfills when the whole form was read, rejects when anything in it is invalid
   */
  constructor(
    readonly fileName: string,
    readonly contentType: string,
    private readonly bytes: Readable,
    private readonly rest: Promise<void>,
  ) {}

  /**
   * The content. The stream ends only once the whole form has proved valid; it fails with an ApiError when the file is
   * larger than `maxBytes`, the form ends early, or a second file follows.
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

  /** The bytes. Fails with the form's error rather than the parser's. */
  private async *sentBytes(): AsyncGenerator<Buffer> {
    try {
      yield* this.bytes as AsyncIterable<Buffer>;
    } catch (error) {
      await this.rest;
      throw error;
    }
  }
}

/** The error texts with which a file route refuses a form that does not have exactly one file. */
export interface UploadMessages {
  /** Null if the file may be omitted; the handler then receives null. */
  readonly missing: string | null;
  readonly several: string;
  /**
   * Maximum size in bytes of a file that is read into memory before the handler is called, so that parameters may
   * follow it. If omitted, the file is streamed, and parameters must precede it.
   */
  readonly bufferedBytes?: number;
}

const DEFAULT_MESSAGES: UploadMessages = {
  missing: 'You must specify a file to upload',
  several: 'You may only upload one file at a time',
};

const MESSAGES = 'parley:upload';

/** The file of each request, from the opening of its form until its handler is called. */
export const openUploads = new WeakMap<FastifyRequest, UploadedFile>();

const UploadArgument = createParamDecorator((messages: UploadMessages, context: ExecutionContext) => {
  const file = openUploads.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (file === undefined && messages.missing !== null) {
    throw new BadRequest(messages.missing);
  }
  return file ?? null;
});

/** The file of the form, as an argument of a handler. Makes the route accept one file. */
export function Upload(messages: Partial<UploadMessages> = {}): ParameterDecorator {
  const complete = { ...DEFAULT_MESSAGES, ...messages };
  return (prototype, key, index) => {
    Reflect.defineMetadata(MESSAGES, complete, prototype, key!);
    UploadArgument(complete)(prototype, key, index);
  };
}

/** The file declaration of a route, or null if it takes none. */
export function uploadMessagesOf(prototype: object, handlerName: string): UploadMessages | null {
  return (Reflect.getMetadata(MESSAGES, prototype, handlerName) as UploadMessages | undefined) ?? null;
}
