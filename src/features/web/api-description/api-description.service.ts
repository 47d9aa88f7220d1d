import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { SharedContent } from '../../../platform/http/files/shared-content';
import { LoadedModules } from '../../../platform/modules/load-modules';
import { withModules } from './module-operations';
import type { OpenApiDocument } from './openapi';
import { renderPage } from './page';

/** Where `npm run build` puts the document and the page's script, seen from the compiled file and from its source alike. */
const FOLDER = join(__dirname, '../../../../dist/api-description');

/**
 * Serves the description. Nothing is read until the first request, and the texts are then kept.
 */
@Injectable()
export class ApiDescriptionService {
  private readonly cached = new Map<string, Promise<SharedContent>>();

  constructor(private readonly modules: LoadedModules) {}

  /** The OpenAPI document, as JSON. */
  document(): Promise<SharedContent> {
    return this.once('document', async () => JSON.stringify(await this.read()));
  }

  /** The same as HTML. */
  page(): Promise<SharedContent> {
    return this.once('page', async () => renderPage(await this.read()));
  }

  /** What the page can do where scripts run: find operations, and try them. */
  script(): Promise<SharedContent> {
    return this.once('script', () => readFile(join(FOLDER, 'page.js'), 'utf8'));
  }

  /** A failure is not cached: the next request tries again. */
  private once(name: string, make: () => Promise<string>): Promise<SharedContent> {
    const known = this.cached.get(name);
    if (known) return known;
    const made = make().then((text) => new SharedContent(Buffer.from(text)));
    this.cached.set(name, made);
    made.catch(() => this.cached.delete(name));
    return made;
  }

  private async read(): Promise<OpenApiDocument> {
    const document = JSON.parse(await readFile(join(FOLDER, 'openapi.json'), 'utf8')) as OpenApiDocument;
    return withModules(document, this.modules);
  }
}
