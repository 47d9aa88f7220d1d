import { isUtf8 } from 'node:buffer';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { type ApiError, refusal } from '../../errors/api-error';
import { RequestTooLarge, UnsupportedBody } from '../../errors/request.errors';
import { BadRequest } from '../../errors/shared.errors';
import { GrowingBuffer, isShredded } from './unread-body';
import { UploadedFile, UploadTooLarge } from './uploaded-file';
import type { RequestLimits } from './request-limits';
import { checkParameterName, GrowingForm, parameterTooLong, tooManyParameters } from './sent-parameters';

/** The body is not a multipart form, or ends too early. */
class MalformedMultipart extends refusal('Malformed multipart body') {}

/** What a file route expects in the form. */
export interface UploadForm {
  /** The error text for a second file. */
  readonly several: string;
  /** Parameters that the route reads; one after an unbuffered file cannot be read in time and is refused. */
  readonly parameters: ReadonlySet<string>;
  /** Maximum size in bytes of a file that is read into memory with the form. */
  readonly bufferedBytes?: number;
}

/**
 * A multipart form that is not read yet. Reading starts only once the caller is known, so that unauthenticated clients
 * cannot make the server receive uploads.
 */
export class MultipartBody extends GrowingForm {
  readonly fields = new Map<string, string>();
  private readonly fieldsRead: Promise<void>[] = [];
  private readonly slices = new Slices();
  private parser: BusboyInstance | null = null;
  private upload: UploadForm | null = null;
  private opened: Promise<UploadedFile | null> | null = null;
  private required: { readonly method: string; readonly refusal: ApiError } | null = null;
  private file: UploadedFile | null = null;
  private fileStream: BusboyFileStream | null = null;
  private bytes = 0;
  private count: (chunk: Buffer) => void = () => undefined;
  private isComplete = false;
  private failure: ApiError | null = null;
  private fileSeen: () => void = () => undefined;
  private settle: (failure: ApiError | null) => void = () => undefined;
  /** Fulfills when everything was read within the limits; rejects with the first failure. */
  private readonly done: Promise<void>;

  constructor(
    private readonly request: Readable,
    private readonly contentType: string,
    private readonly contentLength: number | null,
  ) {
    super();
    this.done = new Promise((resolve, reject) => {
      this.settle = (failure) => (failure === null ? resolve() : reject(failure));
    });
    this.done.catch(() => undefined); // each reader gets its own rejection; there may be no reader
  }

  /**
   * Requires the form to name a method in its field `method`, which is then not a parameter. The field may follow the
   * file. Call it once the form is open.
   * @throws refusal while the form is read, if the field is missing
   */
  requireMethod(method: string, refusal: ApiError): void {
    this.required = { method, refusal };
    if (this.isComplete && !this.namesMethod()) throw refusal;
  }

  /**
   * Reads the form up to its file, or all of it if there is none or the file is buffered. It is read once, however
   * often it is opened.
   * @param upload null for a route that takes no files
   * @returns null when the form has no file
   */
  async open(upload: UploadForm | null, limits: RequestLimits): Promise<UploadedFile | null> {
    this.opened ??= this.read(upload, limits);
    const file = await this.opened;
    if (file === null || upload !== null) return file;
    const refusal = new UnsupportedBody('This endpoint does not accept files');
    this.fail(refusal);
    throw refusal;
  }

  private async read(upload: UploadForm | null, limits: RequestLimits): Promise<UploadedFile | null> {
    this.upload = upload;
    const fileSeen = new Promise<void>((resolve) => (this.fileSeen = resolve));
    this.start(limits);
    const isStreamed = upload !== null && upload.bufferedBytes === undefined;
    await (isStreamed ? Promise.race([fileSeen, this.done]) : this.done);
    await Promise.race([Promise.all(this.fieldsRead), this.done]);
    if (this.failure !== null) {
      throw this.failure;
    }
    return this.file;
  }

  private start(limits: RequestLimits): void {
    if (this.contentLength === 0) {
      this.finish();
    } else if (this.upload === null && (this.contentLength ?? 0) > limits.bodyBytes) {
      this.fail(new RequestTooLarge());
    } else {
      this.parse(limits);
    }
  }

  private parse(limits: RequestLimits): void {
    const parser = this.request.destroyed ? null : createParser(this.contentType, limits);
    if (parser === null) {
      this.fail(new MalformedMultipart());
      return;
    }
    this.parser = parser;
    parser.on('file', (name: string | undefined, stream, fileName: string | undefined, _, type) => {
      stream.on('error', () => undefined); // the parser reports what is wrong
      this.attempt(() => this.readPart(stream, name, fileName, type, limits));
    });
    parser.on('partsLimit', () => this.fail(tooManyParameters(limits)));
    parser.on('error', () => this.fail(new MalformedMultipart()));
    parser.on('finish', () => void Promise.all(this.fieldsRead).then(() => this.finish()));
    this.request.on('error', () => this.fail(new MalformedMultipart()));
    this.slices.size = Math.min(SLICE, limits.parameters * BYTES_PER_PARAMETER);
    this.request.pipe(this.slices).pipe(parser);
    // Once the parser has seen them.
    this.slices.on('data', (this.count = (slice: Buffer) => this.countBytes(slice, limits)));
  }

  /** Limits everything but the file: fields, and any other content of a form of unknown length. */
  private countBytes(chunk: Buffer, { bodyBytes }: RequestLimits): void {
    this.bytes += chunk.length;
    const unread = this.parser?.writableLength ?? 0;
    const ofFile = this.fileStream?.bytesRead ?? 0;
    const isTooLarge = this.bytes - unread - ofFile > bodyBytes || isShredded(this.request);
    if (isTooLarge) this.fail(new RequestTooLarge());
  }

  private readPart(
    stream: BusboyFileStream,
    name: string | undefined,
    fileName: string | undefined,
    type: string,
    limits: RequestLimits,
  ): void {
    if (this.failure !== null || !name) {
      stream.resume();
      return;
    }
    if (fileName === undefined) {
      this.takeField(name, stream, limits);
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

  /** Reads the file into memory. @returns a stream of it */
  private inMemory(stream: BusboyFileStream, maxBytes: number): Readable {
    const file = new PassThrough({ highWaterMark: maxBytes + 1 });
    file.on('error', () => undefined); // reported to the reader
    stream.on('data', (chunk: Buffer) => {
      if (stream.bytesRead > maxBytes) this.fail(new UploadTooLarge(maxBytes));
      else file.write(chunk);
    });
    stream.on('end', () => file.end());
    return file;
  }

  private takeField(name: string, stream: BusboyFileStream, limits: RequestLimits): void {
    checkParameterName(name);
    if (this.file !== null && this.upload?.bufferedBytes === undefined && this.upload?.parameters.has(name)) {
      throw new BadRequest(`${name} must be sent before the file`);
    }
    const { parameterBytes } = limits;
    const value = new GrowingBuffer(parameterBytes);
    stream.on('data', (chunk: Buffer) => {
      if (value.length + chunk.length > parameterBytes) this.fail(parameterTooLong(name, limits));
      else value.append(chunk);
    });
    const read = new Promise<void>((resolve) => stream.on('end', resolve));
    this.fieldsRead.push(read.then(() => this.attempt(() => this.takeValue(name, value.bytes))));
  }

  private takeValue(name: string, value: Buffer): void {
    if (!isUtf8(value)) {
      throw new BadRequest(`${name} is not valid UTF-8`);
    }
    this.fields.set(name, value.toString('utf8'));
  }

  private finish(): void {
    if (isShredded(this.request)) this.fail(new RequestTooLarge());
    if (this.failure !== null) return;
    this.isComplete = true;
    if (this.required !== null && !this.namesMethod()) this.fail(this.required.refusal);
    else this.settle(null);
  }

  /** Whether the form names the required method; removes the field from the form. */
  private namesMethod(): boolean {
    const named = this.fields.get('method');
    this.fields.delete('method');
    return named === this.required?.method;
  }

  /** An error thrown in a stream listener would reach no caller: it ends the reading instead. */
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
        this.slices.off('data', this.count).unpipe(this.parser);
        this.request.unpipe(this.slices);
      }
      this.file?.abort(failure);
      this.settle(failure);
    }
  }
}

/** Maximum number of bytes parsed at a time. */
const SLICE = 4 * 1024;

/** Slice size per parameter; about half of the smallest part with a name. */
const BYTES_PER_PARAMETER = 25;

/** Splits a body into slices: the parser processes all parts of a slice, even if the first one breaks a limit. */
class Slices extends Transform {
  /** Bytes. */
  size = SLICE;

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    for (let at = 0; at < chunk.length; at += this.size) this.push(chunk.subarray(at, at + this.size));
    done();
  }
}

/** @returns null when the content type has no boundary */
function createParser(contentType: string, { parameters }: RequestLimits): BusboyInstance | null {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // Fields as bytes too: after decoding, broken UTF-8 would look like text.
      isPartAFile: () => true,
      // Parts without a name or a header count too: they cost as much.
      limits: { parts: parameters, headerPairs: 32, headerSize: 16 * 1024 },
    });
  } catch {
    return null;
  }
}
