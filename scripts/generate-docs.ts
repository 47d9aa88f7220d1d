import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { withStructure } from './architecture-page';
import { commandLinePage } from './command-line-page';
import { withEventList } from './compatibility-page';
import { configurationPage } from './configuration-page';
import { integrationsPage } from './integrations-page';
import { moduleApiPage } from './module-api-page';
import { currentRoutes, routesTable } from './routes-table';

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
  const style = await resolveConfig(join(root, 'docs', 'module-api.md'));
  writeFileSync(
    join(root, 'docs', 'module-api.md'),
    await format(moduleApiPage(), { ...style, parser: 'markdown' }),
  );
  writeFileSync(join(root, 'test', 'architecture', 'routes.tsv'), routesTable(await currentRoutes()));
}

void main();
