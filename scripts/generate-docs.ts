import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './configuration-page';
import { withImportTable } from './architecture-page';

/** Writes the documents, or parts of them, that are generated from code, as `npm run docs`. */
const root = join(__dirname, '..');
const architecture = join(root, 'ARCHITECTURE.md');

writeFileSync(join(root, 'docs', 'configuration.md'), configurationPage());
writeFileSync(architecture, withImportTable(readFileSync(architecture, 'utf8')));
