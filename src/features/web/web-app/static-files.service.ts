import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { contentType } from 'mime-types';
import { NotFound } from '../../../platform/errors/request.errors';
import { sharedBytes } from '../../../platform/http/files/shared-content';
import type { StaticFile } from './build/read-build';
import { WebApp } from './web-app-page.service';

const pack = promisify(gzip);

const A_YEAR = 31_536_000;
const AN_HOUR = 3_600;

/** Maximum size of a file to compress; bundles are a few megabytes at most. */
const MOST_PACKED_BYTES = 16 * 1024 * 1024;

/** Bundles, which are compressed at the first request and cached. */
const PACKED = /^webpack-bundles\/[^/]+\.(js|css)$/;

/** A file as it is sent. */
export interface StaticAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
  /** Opens the content; not called if the client has it already. */
  open(): Readable;
}

/** Hands the files of the web app out, under the paths that were there when the server started. */
@Injectable()
export class StaticFiles {
  private readonly packed = new Map<string, Promise<Buffer>>();

  constructor(private readonly app: WebApp) {}

  /**
   * @param acceptsGzip whether the client takes a compressed form
   * @throws NotFound
   */
  async find(path: string, acceptsGzip: boolean): Promise<StaticAnswer> {
    const file = this.app.build?.files.get(path);
    if (!file) throw new NotFound();
    const headers = headersOf(path, file);
    if (acceptsGzip) {
      const ready = this.app.build?.files.get(`${path}.gz`);
      if (ready) return { headers: packedHeaders(headers), length: ready.size, open: () => streamOf(ready) };
      if (PACKED.test(path) && file.size <= MOST_PACKED_BYTES) {
        const bytes = await this.pack(path, file);
        return { headers: packedHeaders(headers), length: bytes.length, open: () => sharedBytes(bytes) };
      }
    }
    return { headers, length: file.size, open: () => streamOf(file) };
  }

  private pack(path: string, { file }: StaticFile): Promise<Buffer> {
    const known = this.packed.get(path);
    if (known) return known;
    const made = readFile(file).then((bytes) => pack(bytes));
    this.packed.set(path, made);
    made.catch(() => this.packed.delete(path));
    return made;
  }
}

/** These files need no credentials, so any site may load them; the app's scripts request fonts this way. */
function headersOf(path: string, { version, isImmutable }: StaticFile): Record<string, string> {
  return {
    'content-type': contentType(path.split('/').at(-1) ?? '') || 'application/octet-stream',
    'cache-control': isImmutable ? `public, max-age=${A_YEAR}, immutable` : `public, max-age=${AN_HOUR}`,
    'access-control-allow-origin': '*',
    etag: `"${version}"`,
    vary: 'Accept-Encoding',
    // Opened directly, pages and pictures may run nothing.
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  };
}

function packedHeaders(headers: Record<string, string>): Record<string, string> {
  return { ...headers, etag: headers.etag!.replace(/"$/, '-gz"'), 'content-encoding': 'gzip' };
}

/** A file that was removed since the start ends the answer halfway, as its loss was not announced. */
function streamOf({ file, size }: StaticFile): Readable {
  return createReadStream(file, size === 0 ? {} : { end: size - 1 });
}
