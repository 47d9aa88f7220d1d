import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './configuration-page';

/** Writes the documents that are generated from code, as `npm run docs`. */
writeFileSync(join(__dirname, '..', 'docs', 'configuration.md'), configurationPage());
