import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { OpenApiDocument } from './openapi';
import { renderPage } from './page';

/** Written by `npm run docs`, and shipped beside this file. */
const DOCUMENT = join(__dirname, 'openapi.json');

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** A long text, a tenth of its length. */
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
 * Gives out the description. Nothing is read before somebody asks, and what is kept from then on is compressed: most
 * servers are never asked.
 */
@Injectable()
export class ApiDescriptionService {
  private keptDocument: Promise<Compressed> | null = null;
  private keptPage: Promise<Compressed> | null = null;

  /** The OpenAPI document, as JSON. */
  document(): Promise<Compressed> {
    this.keptDocument ??= kept(
      async () => Compressed.of(JSON.stringify(await read())),
      () => (this.keptDocument = null),
    );
    return this.keptDocument;
  }

  /** The same as HTML. */
  page(): Promise<Compressed> {
    this.keptPage ??= kept(
      () => this.render(),
      () => (this.keptPage = null),
    );
    return this.keptPage;
  }

  private async render(): Promise<Compressed> {
    return Compressed.of(renderPage(await read()));
  }
}

async function read(): Promise<OpenApiDocument> {
  return JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApiDocument;
}

/** What fails is tried again by whoever asks next. */
function kept(make: () => Promise<Compressed>, forget: () => void): Promise<Compressed> {
  const made = make();
  made.catch(forget);
  return made;
}
