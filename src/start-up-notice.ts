import type { Config } from './platform/config/config';
import type { Database } from './platform/database/database.service';
import { logLine } from './platform/logging/log-line';

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** Names of the notice's entries in the log. */
const NAMES = {
  address: 'Address',
  publicUrl: 'Public URL',
  apiDocs: 'API docs',
  database: 'Database',
  dataFolder: 'Data folder',
  redis: 'Redis',
  mode: 'Mode',
} as const;

type Facts = Partial<Record<keyof typeof NAMES, string>>;

/**
 * The startup message: URL, database, data folder, and how to sign in. Text for a terminal, otherwise lines of the log.
 * @param url the server's actual address
 * @param signIn first sign-in instructions; null on later starts
 */
export function startUpNotice(
  config: Config,
  database: Pick<Database, 'engine' | 'driver'>,
  url: string,
  signIn: string | null,
  isTerminal: boolean,
): string {
  const facts = factsOf(config, database, url);
  if (!isTerminal) {
    const lines = [logLine('info', 'Start', 'Parley is ready.', facts)];
    if (signIn) lines.push(logLine('info', 'Start', signIn.replace(/\s+/g, ' ').trim()));
    return lines.join('');
  }
  const lines = (Object.keys(NAMES) as (keyof Facts)[])
    .filter((name) => facts[name] !== undefined)
    .map((name) => `  ${NAMES[name].padEnd(13)}${facts[name]}`);
  return ['', 'Parley is ready.', '', ...lines, '', ...(signIn ? [signIn, ''] : []), ''].join('\n');
}

function factsOf(config: Config, database: Pick<Database, 'engine' | 'driver'>, url: string): Facts {
  // Port 0 lets the system assign a port.
  const isReachedThere = config.port === 0 || config.externalUrl === url;
  return {
    address: url,
    ...(!isReachedThere && { publicUrl: config.externalUrl }),
    apiDocs: `${isReachedThere ? url : config.externalUrl}/api/docs`,
    database: `${ENGINES[database.engine]} (driver ${database.driver})`,
    dataFolder: config.dataDir,
    ...(config.redisUrl !== null &&
      database.engine === 'sqlite' && { redis: 'not used: SQLite runs on a single node' }),
    ...(config.isDevelopment && { mode: 'development: gives every API key to any caller' }),
  };
}
