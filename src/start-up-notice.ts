import type { Config } from './platform/config/config';
import type { Database } from './platform/database/database.service';

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/**
 * The startup message: URL, database, data folder, and how to sign in.
 * @param url where the server actually listens
 * @param signIn first sign-in instructions; null on later starts
 */
export function startUpNotice(
  config: Config,
  database: Pick<Database, 'engine' | 'driver'>,
  url: string,
  signIn: string | null,
): string {
  // Port 0 lets the system choose a port.
  const isReachedThere = config.port === 0 || config.externalUrl === url;
  const facts: [string, string][] = [
    ['Address', isReachedThere ? url : `${url}, public URL ${config.externalUrl}`],
    ['API docs', `${isReachedThere ? url : config.externalUrl}/api/docs`],
    ['Database', `${ENGINES[database.engine]} (driver ${database.driver})`],
    ['Data folder', config.dataDir],
  ];
  if (config.redisUrl !== null && database.engine === 'sqlite') {
    facts.push(['Redis', 'not used: SQLite runs on a single node']);
  }
  if (config.isDevelopment) facts.push(['Mode', 'development: gives every API key to any caller']);
  const lines = facts.map(([name, value]) => `  ${name.padEnd(13)}${value}`);
  return ['', 'Parley is ready.', '', ...lines, '', ...(signIn ? [signIn, ''] : []), ''].join('\n');
}
