import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { SharedContent } from '../../../platform/http/files/shared-content';
import { LoadedModules } from '../../../platform/modules/load-modules';
import { withModules } from './module-operations';
import type { OpenApiDocument } from './openapi';
import { renderPage } from './page';

/** Where `npm run build` puts the document, seen from the compiled file and from its source alike. */
const DOCUMENT = join(__dirname, '../../../../dist/api-description/openapi.json');

/**
 * Serves the description. Nothing is read until the first request, and the texts are then kept.
 */
@Injectable()
export class ApiDescriptionService {
  private cachedDocument: Promise<SharedContent> | null = null;
  private cachedPage: Promise<SharedContent> | null = null;

  constructor(private readonly modules: LoadedModules) {}

  /** The OpenAPI document, as JSON. */
  document(): Promise<SharedContent> {
    this.cachedDocument ??= cached(
      async () => contentOf(JSON.stringify(await this.read())),
      () => (this.cachedDocument = null),
    );
    return this.cachedDocument;
  }

  /** The same as HTML. */
  page(): Promise<SharedContent> {
    this.cachedPage ??= cached(
      () => this.render(),
      () => (this.cachedPage = null),
    );
    return this.cachedPage;
  }

  private async render(): Promise<SharedContent> {
    return contentOf(renderPage(await this.read()));
  }

  private async read(): Promise<OpenApiDocument> {
    const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApiDocument;
    return withModules(document, this.modules);
  }
}

function contentOf(text: string): SharedContent {
  return new SharedContent(Buffer.from(text));
}

/** A failure is not cached: the next request tries again. */
function cached(make: () => Promise<SharedContent>, forget: () => void): Promise<SharedContent> {
  const made = make();
  made.catch(forget);
  return made;
}
