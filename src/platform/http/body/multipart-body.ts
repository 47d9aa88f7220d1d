import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { type ApiError } from '../../errors/api-error';
import { RequestTooLarge, UnsupportedBody } from '../../errors/request.errors';
import { BadRequest } from '../../errors/shared.errors';
import { UploadedFile, UploadTooLarge } from './uploaded-file';
import type { RequestLimits } from './request-limits';
import { checkParameterName, GrowingForm, parameterTooLong, tooManyParameters } from './sent-parameters';

/** The body is no multipart form, or ends too early. */
class MalformedMultipart extends BadRequest {
  constructor() {
    super('Malformed multipart body');
  }
}

/** What a file route expects of the form. */
export interface UploadForm {
  /** The error text for a second file. */
  readonly several: string;
  /** Parameters the route reads; one that follows a file that is not buffered cannot be read in time and is refused. */
  readonly parameters: ReadonlySet<string>;
  /** Largest file, in bytes, where it is read into memory with the form. */
  readonly bufferedBytes?: number;
}

/**
 * A multipart form that is not read yet. Reading starts only once the caller is known, so that strangers cannot make
 * the server swallow uploads.
 */
export class MultipartBody extends GrowingForm {
  readonly fields = new Map<string, string>();
  private readonly fieldsRead: Promise<void>[] = [];
  private parser: BusboyInstance | null = null;
  private upload: UploadForm | null = null;
  private required: { readonly method: string; readonly refusal: ApiError } | null = null;
  private file: UploadedFile | null = null;
  private fileStream: BusboyFileStream | null = null;
  private bytes = 0;
  private failure: ApiError | null = null;
  private fileSeen: () => void = () => undefined;
  private settle: (failure: ApiError | null) => void = () => undefined;
  /** Fulfils when everything was read and fits, rejects with the first failure. */
  private readonly done: Promise<void>;

  constructor(
    private readonly request: IncomingMessage | Readable,
    private readonly contentType: string,
    private readonly contentLength: number | null,
    private readonly limits: RequestLimits,
  ) {
    super();
    this.done = new Promise((resolve, reject) => {
      this.settle = (failure) => (failure === null ? resolve() : reject(failure));
    });
    this.done.catch(() => undefined); // each reader gets its own rejection; there may be no reader
  }

  /**
   * Has the form name a method in its field `method`, which then is no parameter: one that does not is no valid form.
   * The field may follow the file. Call it before the form is read.
   */
  requireMethod(method: string, refusal: ApiError): void {
    this.required = { method, refusal };
  }

  /** Reads the form of an ordinary route; a file in it is refused. */
  async readFields(): Promise<void> {
    this.start();
    await this.done;
  }

  /**
   * Reads the form of a file route as far as the file begins, or all of it where the file is buffered.
   * @returns null when the form has no file.
   */
  async openFile(upload: UploadForm): Promise<UploadedFile | null> {
    this.upload = upload;
    const fileSeen = new Promise<void>((resolve) => (this.fileSeen = resolve));
    this.start();
    await (upload.bufferedBytes === undefined ? Promise.race([fileSeen, this.done]) : this.done);
    await Promise.race([Promise.all(this.fieldsRead), this.done]);
    if (this.failure !== null) {
      throw this.failure;
    }
    return this.file;
  }

  private start(): void {
    if (this.contentLength === 0) {
      this.finish();
    } else if (this.upload === null && (this.contentLength ?? 0) > this.limits.bodyBytes) {
      this.fail(new RequestTooLarge());
    } else {
      this.parse();
    }
  }

  private parse(): void {
    const parser = createParser(this.contentType, this.limits);
    if (parser === null) {
      this.fail(new MalformedMultipart());
      return;
    }
    this.parser = parser;
    parser.on('file', (name: string | undefined, stream, fileName: string | undefined, _, type) => {
      stream.on('error', () => undefined); // the parser reports what is wrong
      this.attempt(() => this.takePart(stream, name, fileName, type));
    });
    parser.on('partsLimit', () => this.fail(tooManyParameters(this.limits)));
    parser.on('error', () => this.fail(new MalformedMultipart()));
    parser.on('finish', () => void Promise.all(this.fieldsRead).then(() => this.finish()));
    this.request.on('error', () => this.fail(new MalformedMultipart()));
    this.request.pipe(parser);
    this.request.on('data', this.countBytes); // once the parser has seen them
  }

  /** Limits everything but the file: fields, and any other content of a form of unknown length. */
  private readonly countBytes = (chunk: Buffer): void => {
    this.bytes += chunk.length;
    const unread = this.parser?.writableLength ?? 0;
    const ofFile = this.fileStream?.bytesRead ?? 0;
    if (this.bytes - unread - ofFile > this.limits.bodyBytes) this.fail(new RequestTooLarge());
  };

  private takePart(
    stream: BusboyFileStream,
    name: string | undefined,
    fileName: string | undefined,
    type: string,
  ): void {
    if (this.failure !== null || !name) {
      stream.resume();
      return;
    }
    if (fileName === undefined) {
      this.takeField(name, stream);
    } else {
      this.takeFile(fileName, type, stream);
    }
  }

  private takeFile(fileName: string, type: string, stream: BusboyFileStream): void {
    if (this.upload === null) {
      throw new UnsupportedBody('This endpoint does not accept files');
    }
    if (this.file !== null) {
      throw new BadRequest(this.upload.several);
    }
    this.fileStream = stream;
    const { bufferedBytes } = this.upload;
    const bytes = bufferedBytes === undefined ? stream : this.inMemory(stream, bufferedBytes);
    this.file = new UploadedFile(fileName, type, bytes, this.done);
    this.fileSeen();
  }

  /** Reads the file into memory. @returns what gives it again */
  private inMemory(stream: BusboyFileStream, maxBytes: number): Readable {
    const file = new PassThrough({ highWaterMark: maxBytes + 1 });
    file.on('error', () => undefined); // whoever reads it hears of it
    stream.on('data', (chunk: Buffer) => {
      if (stream.bytesRead > maxBytes) this.fail(new UploadTooLarge(maxBytes));
      else file.write(chunk);
    });
    stream.on('end', () => file.end());
    return file;
  }

  private takeField(name: string, stream: BusboyFileStream): void {
    checkParameterName(name);
    if (this.file !== null && this.upload?.bufferedBytes === undefined && this.upload?.parameters.has(name)) {
      throw new BadRequest(`${name} must be sent before the file`);
    }
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) =>
      this.attempt(() => {
        size += chunk.length;
        if (size > this.limits.parameterBytes) throw parameterTooLong(name, this.limits);
        chunks.push(chunk);
      }),
    );
    const read = new Promise<void>((resolve) => stream.on('end', resolve));
    this.fieldsRead.push(read.then(() => this.attempt(() => this.takeValue(name, Buffer.concat(chunks)))));
  }

  private takeValue(name: string, value: Buffer): void {
    if (!isUtf8(value)) {
      throw new BadRequest(`${name} is not valid UTF-8`);
    }
    this.fields.set(name, value.toString('utf8'));
  }

  private finish(): void {
    if (this.required !== null && this.fields.get('method') !== this.required.method) {
      this.fail(this.required.refusal);
    } else {
      if (this.required !== null) this.fields.delete('method');
      this.settle(null);
    }
  }

  /** An error thrown in a listener of a stream would reach no caller: it ends the reading instead. */
  private attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.fail(error as ApiError);
    }
  }

  /** Stops reading; the rest of the body is discarded once the answer is sent. */
  private fail(failure: ApiError): void {
    if (this.failure === null) {
      this.failure = failure;
      if (this.parser !== null) {
        this.request.off('data', this.countBytes);
        this.request.unpipe(this.parser);
      }
      this.file?.abort(failure);
      this.settle(failure);
    }
  }
}

/** @returns null when the content type names no boundary. */
function createParser(contentType: string, { parameters }: RequestLimits): BusboyInstance | null {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // Fields as bytes too: once the parser had decoded them, broken UTF-8 could no longer be told from text.
      isPartAFile: () => true,
      // Parts without a name or a header are counted, too: they cost as much.
      limits: { parts: parameters, headerPairs: 32, headerSize: 16 * 1024 },
    });
  } catch {
    return null;
  }
}
