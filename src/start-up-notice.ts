import type { Config } from './platform/config/config';
import type { Database } from './platform/database/database.service';

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/**
 * What the person who started the server reads: where it listens, what it runs on, how to sign in.
 * @param url where it really listens
 * @param signIn what the first start has to say; null on later ones
 */
export function startUpNotice(
  config: Config,
  database: Pick<Database, 'engine' | 'driver'>,
  url: string,
  signIn: string | null,
): string {
  // Port 0 stands for whatever port the system chose.
  const isReachedThere = config.port === 0 || config.externalUrl === url;
  const facts: [string, string][] = [
    ['Address', isReachedThere ? url : `${url}, reached as ${config.externalUrl}`],
    ['Interface', `described at ${isReachedThere ? url : config.externalUrl}/api/docs`],
    ['Database', `${ENGINES[database.engine]} (driver ${database.driver})`],
    ['Data folder', config.dataDir],
  ];
  if (config.redisUrl !== null && database.engine === 'sqlite') {
    facts.push(['Redis', 'not used: the embedded database has one node']);
  }
  if (config.isDevelopment) facts.push(['Mode', 'development: hands every API key to anyone who asks']);
  const lines = facts.map(([name, value]) => `  ${name.padEnd(13)}${value}`);
  return ['', 'Parley is ready.', '', ...lines, '', ...(signIn ? [signIn, ''] : []), ''].join('\n');
}
