import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module';
import { Clock } from '../platform/clock';
import type { Config } from '../platform/config/config';
import { isDataFolderThere, makeDataFolder } from '../platform/config/data-folder';
import { loadModules, namingModules } from '../platform/modules/load-modules';
import { ProcessPurpose } from '../platform/lifecycle/periodic-task';
import {
  CommandRefused,
  OperatorCommands,
  type OperatorContext,
} from '../platform/operator/operator-commands';
import { requireDatabaseOfSecret } from '../platform/secrets/secret-check.service';

/** Commands that create a missing database. */
const MAKING = new Set(['init', 'migrate']);

/** Runs a command without a server: builds the application without listening, and closes it when the command ends. */
export async function runAlone(
  config: Config,
  name: string,
  input: object,
  context: OperatorContext,
): Promise<object> {
  requireDatabaseOfSecret(config);
  if (!MAKING.has(name)) requireDatabase(config);
  makeDataFolder(config);
  return runAllAlone(config, (run) => run(name, input, context));
}

/** Runs several commands without a server, on a data folder that has a database. */
export async function runAllAlone<Result>(
  config: Config,
  work: (run: OperatorCommands['run']) => Promise<Result>,
): Promise<Result> {
  const app = await openParts(config);
  try {
    const commands = app.get(OperatorCommands, { strict: false });
    return await work((name, input, context) => commands.run(name, input, context));
  } finally {
    await app.close();
  }
}

function openParts(config: Config): Promise<INestApplicationContext> {
  const modules = loadModules(config);
  const module = AppModule.forRoot(config, new Clock(), new ProcessPurpose(false), modules);
  return namingModules(modules, () =>
    NestFactory.createApplicationContext(module, { logger: onlyTroubles, abortOnError: false }),
  );
}

function requireDatabase(config: Config): void {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) return;
  if (isDataFolderThere(config) && existsSync(join(dataDir, 'parley.db'))) return;
  throw new CommandRefused(
    `No organization in ${dataDir} yet. Create one with "parley init", or choose its folder with ` +
      '--data-dir (or DATA_DIR).',
  );
}

/** Standard output is for the result; warnings and errors go to standard error. */
const onlyTroubles: LoggerService = {
  log: () => undefined,
  debug: () => undefined,
  verbose: () => undefined,
  // Warnings about the configuration, which the server logs at start, would only distract here.
  warn: () => undefined,
  error: (message: unknown, ...rest: unknown[]) => {
    // An error that prevents the start is thrown as well.
    if (rest.at(-1) !== 'ExceptionHandler') process.stderr.write(`Trouble: ${textOf(message)}\n`);
  },
  fatal: (message: unknown) => void process.stderr.write(`Trouble: ${textOf(message)}\n`),
};

function textOf(message: unknown): string {
  if (message instanceof Error) return message.stack ?? message.message;
  return typeof message === 'string' ? message : JSON.stringify(message);
}
