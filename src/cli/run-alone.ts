import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module';
import { Clock } from '../platform/clock';
import type { Config } from '../platform/config/config';
import { isDataFolderThere, makeDataFolder } from '../platform/config/data-folder';
import { ProcessPurpose } from '../platform/lifecycle/periodic-task';
import { CommandRefused, type OperatorContext } from '../platform/operator/operator-command';
import { OperatorCommands } from '../platform/operator/operator-commands';

/** Commands that make the database where there is none. */
const MAKING = new Set(['init', 'migrate']);

/** Runs a command without a server: the parts of one are put together, listen nowhere, and end with the command. */
export async function runAlone(
  config: Config,
  name: string,
  input: object,
  context: OperatorContext,
): Promise<object> {
  if (!MAKING.has(name)) requireDatabase(config);
  makeDataFolder(config);
  const app = await openParts(config);
  try {
    return await app.get(OperatorCommands, { strict: false }).run(name, input, context);
  } finally {
    await app.close();
  }
}

function openParts(config: Config): Promise<INestApplicationContext> {
  const module = AppModule.forRoot(config, new Clock(), new ProcessPurpose(false));
  return NestFactory.createApplicationContext(module, { logger: onlyTroubles, abortOnError: false });
}

function requireDatabase(config: Config): void {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) return;
  if (isDataFolderThere(config) && existsSync(join(dataDir, 'parley.db'))) return;
  throw new CommandRefused(
    `There is no organization in ${dataDir} yet. Make one with "parley init", or name the folder it is in with ` +
      '--data-dir (or DATA_DIR).',
  );
}

/** Standard output belongs to the result, and standard error to what goes wrong. */
const onlyTroubles: LoggerService = {
  log: () => undefined,
  debug: () => undefined,
  verbose: () => undefined,
  // What there is to say of the configuration, the server says when it starts.
  warn: () => undefined,
  error: (message: unknown, ...rest: unknown[]) => {
    // What keeps the parts from being put together is thrown as well.
    if (rest.at(-1) !== 'ExceptionHandler') process.stderr.write(`Trouble: ${textOf(message)}\n`);
  },
  fatal: (message: unknown) => void process.stderr.write(`Trouble: ${textOf(message)}\n`),
};

function textOf(message: unknown): string {
  if (message instanceof Error) return message.stack ?? message.message;
  return typeof message === 'string' ? message : JSON.stringify(message);
}
