import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { format, resolveConfig } from 'prettier';
import { AppModule } from '../src/app.module';
import { Clock } from '../src/platform/clock';
import { loadConfig } from '../src/platform/config/load-config';
import { withStructure } from './architecture-page';
import { commandLinePage } from './command-line-page';
import { withEventList } from './compatibility-page';
import { configurationPage } from './configuration-page';
import { describeApi } from './api-description/document';
import { integrationsPage } from './integrations-page';
import { moduleApiPage } from './module-api-page';
import { type Route, routesOf, routesTable } from './routes-table';

const root = join(__dirname, '..');

/** The routes, from the modules alone: nothing is connected or started. */
async function currentRoutes(): Promise<Route[]> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(loadConfig({}), new Clock()), {
    preview: true,
    logger: ['error'],
  });
  return routesOf(app);
}

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
  const routes = await currentRoutes();
  writeFileSync(join(root, 'test', 'architecture', 'routes.tsv'), routesTable(routes));
  const description = join(root, 'src/features/web/api-description/openapi.json');
  writeFileSync(description, `${JSON.stringify(describeApi(routes), null, 1)}\n`);
}

void main();
