import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { type ApiError } from '../../errors/api-error';
import { RequestTooLarge, UnsupportedBody } from '../../errors/request.errors';
import { BadRequest } from '../../errors/shared.errors';
import type { RequestLimits } from '../request-limits';
import { UploadedFile } from './uploaded-file';
import { parameterTooLong, tooManyParameters } from './url-encoded';

/** The body is no multipart form, or ends too early. */
class MalformedMultipart extends BadRequest {
  constructor() {
    super('Malformed multipart body');
  }
}

/** What a file route expects of the form. */
export interface UploadForm {
  /** The sentence for a second file. */
  readonly several: string;
  /** Parameters the route reads; one that follows the file cannot be read in time and is refused. */
  readonly parameters: ReadonlySet<string>;
}

/**
 * A multipart form that nobody has read yet. Reading starts only once the caller is known, so that
 * strangers cannot make the server swallow uploads.
 */
export class MultipartBody {
  /** The fields read so far; of a repeated name the last. */
  readonly fields = new Map<string, string>();
  private readonly pending: Promise<void>[] = [];
  private upload: UploadForm | null = null;
  private file: UploadedFile | null = null;
  private parts = 0;
  private bytes = 0;
  private failure: ApiError | null = null;
  private fileSeen: () => void = () => undefined;
  private settle: (failure: ApiError | null) => void = () => undefined;
  /** Fulfils when everything was read, rejects with the first failure. */
  private readonly done: Promise<void>;

  constructor(
    private readonly request: IncomingMessage | Readable,
    private readonly contentType: string,
    private readonly contentLength: number | null,
    private readonly limits: RequestLimits,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.settle = (failure) => (failure === null ? resolve() : reject(failure));
    });
    this.done.catch(() => undefined); // whoever waits gets its own rejection; nobody may be waiting
  }

  /** Reads the form of an ordinary route; a file in it is refused. */
  async readFields(): Promise<void> {
    this.start();
    await this.done;
  }

  /**
   * Reads the form of a file route as far as the file begins.
   * @returns null when the form has no file.
   */
  async openFile(upload: UploadForm): Promise<UploadedFile | null> {
    this.upload = upload;
    const fileSeen = new Promise<void>((resolve) => (this.fileSeen = resolve));
    this.start();
    await Promise.race([fileSeen, this.done]);
    await Promise.all(this.pending);
    return this.file;
  }

  private start(): void {
    if (this.contentLength === 0) {
      this.settle(null);
      return;
    }
    if (this.upload === null && (this.contentLength ?? 0) > this.limits.bodyBytes) {
      this.fail(new RequestTooLarge());
      return;
    }
    const parser = this.createParser();
    if (parser === null) {
      this.fail(new MalformedMultipart());
      return;
    }
    this.request.once('error', () => this.fail(new MalformedMultipart()));
    this.request.once('aborted', () => this.fail(new MalformedMultipart()));
    this.request.pipe(parser);
  }

  private createParser(): BusboyInstance | null {
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { 'content-type': this.contentType },
        // Fields as bytes too: decoded by the parser, broken UTF-8 could no longer be told from text.
        isPartAFile: () => true,
        limits: { headerPairs: 32, headerSize: 16 * 1024 },
      });
    } catch {
      return null;
    }
    parser.on('file', (name: string | undefined, stream, fileName: string | undefined, _, type) => {
      stream.on('error', () => undefined); // the parser reports what is wrong
      this.takePart(parser, name, stream, fileName, type);
    });
    parser.on('error', () => this.fail(new MalformedMultipart(), parser));
    parser.on('finish', () => this.settle(null));
    return parser;
  }

  private takePart(
    parser: BusboyInstance,
    name: string | undefined,
    stream: BusboyFileStream,
    fileName: string | undefined,
    type: string,
  ): void {
    if (this.failure !== null || !name) {
      stream.resume();
    } else if (++this.parts > this.limits.parameters) {
      this.fail(tooManyParameters(this.limits), parser);
    } else if (fileName === undefined) {
      this.takeField(parser, name, stream);
    } else {
      this.takeFile(parser, stream, fileName, type);
    }
  }

  private takeFile(parser: BusboyInstance, stream: BusboyFileStream, fileName: string, type: string): void {
    if (this.upload === null) {
      this.fail(new UnsupportedBody('This endpoint does not accept files'), parser);
    } else if (this.file !== null) {
      this.fail(new BadRequest(this.upload.several), parser);
    } else {
      this.file = new UploadedFile(fileName, type, stream, this.done);
      this.fileSeen();
    }
  }

  private takeField(parser: BusboyInstance, name: string, stream: BusboyFileStream): void {
    if (this.file !== null && this.upload?.parameters.has(name)) {
      this.fail(new BadRequest(`${name} must be sent before the file`), parser);
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      this.bytes += chunk.length;
      if (size > this.limits.parameterBytes) {
        this.fail(parameterTooLong(name, this.limits), parser);
      } else if (this.bytes > this.limits.bodyBytes) {
        this.fail(new RequestTooLarge(), parser);
      } else {
        chunks.push(chunk);
      }
    });
    this.pending.push(
      new Promise((resolve) => {
        stream.on('end', () => {
          this.takeValue(parser, name, Buffer.concat(chunks));
          resolve();
        });
      }),
    );
  }

  private takeValue(parser: BusboyInstance, name: string, value: Buffer): void {
    if (!isUtf8(value)) {
      this.fail(new BadRequest(`${name} is not valid UTF-8`), parser);
    } else {
      this.fields.delete(name);
      this.fields.set(name, value.toString('utf8'));
    }
  }

  /** Stops reading; what is left of the body is thrown away once the answer is sent. */
  private fail(failure: ApiError, parser?: BusboyInstance): void {
    if (this.failure !== null) {
      return;
    }
    this.failure = failure;
    if (parser !== undefined) {
      this.request.unpipe(parser);
    }
    this.file?.abort(failure);
    this.settle(failure);
  }
}
