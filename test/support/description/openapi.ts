import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../../src/features/web/api-description/openapi';

/** The built API description, a new copy each time. */
export function readApiDescription(): OpenApiDocument {
  const path = join(__dirname, '../../../dist/api-description/openapi.json');
  return JSON.parse(readFileSync(path, 'utf8')) as OpenApiDocument;
}
