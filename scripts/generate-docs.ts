import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../src/app.module';
import { Clock } from '../src/platform/clock';
import { loadConfig } from '../src/platform/config/config';
import { withImportTable } from './architecture-page';
import { configurationPage } from './configuration-page';
import { routesOf, routesTable } from './routes-table';

const root = join(__dirname, '..');

/** The table of routes, from the modules alone: nothing is connected or started. */
async function currentRoutes(): Promise<string> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(loadConfig({}), new Clock()), {
    preview: true,
    logger: ['error'],
  });
  return routesTable(routesOf(app));
}

/** Writes the documents, or parts of them, that are generated from code, as `npm run docs`. */
async function main(): Promise<void> {
  const architecture = join(root, 'ARCHITECTURE.md');
  writeFileSync(join(root, 'docs', 'configuration.md'), configurationPage());
  writeFileSync(architecture, withImportTable(readFileSync(architecture, 'utf8')));
  writeFileSync(join(root, 'test', 'architecture', 'routes.tsv'), await currentRoutes());
}

void main();
