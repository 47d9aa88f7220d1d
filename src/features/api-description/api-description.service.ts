import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { LoadedModules } from '../../platform/modules/load-modules';
import { withModules } from './module-operations';
import type { OpenApiDocument } from './openapi';
import { renderPage } from './page';

/** Written by `npm run docs`, and shipped beside this file. */
const DOCUMENT = join(__dirname, 'openapi.json');

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** A long text in a tenth of its length. */
export class Compressed {
  private constructor(readonly bytes: Buffer) {}

  static async of(text: string): Promise<Compressed> {
    return new Compressed(await pack(text));
  }

  async unpacked(): Promise<string> {
    return (await unpack(this.bytes)).toString('utf8');
  }
}

/**
 * Serves the description. Nothing is read until the first request, and the texts are then cached in compressed form:
 * most servers are never asked.
 */
@Injectable()
export class ApiDescriptionService {
  private cachedDocument: Promise<Compressed> | null = null;
  private cachedPage: Promise<Compressed> | null = null;

  constructor(private readonly modules: LoadedModules) {}

  /** The OpenAPI document, as JSON. */
  document(): Promise<Compressed> {
    this.cachedDocument ??= cached(
      async () => Compressed.of(JSON.stringify(await this.read())),
      () => (this.cachedDocument = null),
    );
    return this.cachedDocument;
  }

  /** The same as HTML. */
  page(): Promise<Compressed> {
    this.cachedPage ??= cached(
      () => this.render(),
      () => (this.cachedPage = null),
    );
    return this.cachedPage;
  }

  private async render(): Promise<Compressed> {
    return Compressed.of(renderPage(await this.read()));
  }

  private async read(): Promise<OpenApiDocument> {
    const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApiDocument;
    return withModules(document, this.modules);
  }
}

/** A failure is not cached: the next request tries again. */
function cached(make: () => Promise<Compressed>, forget: () => void): Promise<Compressed> {
  const made = make();
  made.catch(forget);
  return made;
}
