import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { withStructure } from './architecture-page';
import { commandLinePage } from './command-line-page';
import { withEventList } from './compatibility-page';
import { configurationPage } from './configuration-page';
import { integrationsPage } from './integrations-page';
import { moduleTypes } from './module-types';

const root = join(__dirname, '..');

function rewrite(document: string, change: (text: string) => string): void {
  const path = join(root, document);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/** Writes the documents, or parts of them, that are generated from code, as `npm run docs`. */
async function main(): Promise<void> {
  rewrite('ARCHITECTURE.md', withStructure);
  rewrite('docs/compatibility.md', withEventList);
  writeFileSync(join(root, 'docs', 'configuration.md'), configurationPage());
  writeFileSync(join(root, 'docs', 'command-line.md'), commandLinePage());
  writeFileSync(join(root, 'docs', 'integrations.md'), integrationsPage());
  const style = await resolveConfig(__filename);
  writeFileSync(
    join(root, 'test/architecture/module-types.txt'),
    await format(moduleTypes(), { ...style, parser: 'typescript' }),
  );
}

void main();
