import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { environment } from '../../config/load-config';
import { postgresAddresses } from '../../config/server-addresses';
import { DumpFailed } from '../database.errors';

const run = promisify(execFile);

/** Far more than the list of any dump needs. */
const MAX_LIST_BYTES = 16 * 1024 ** 2;

/**
 * Runs `pg_dump` to write a consistent dump of a database.
 * @throws {DumpFailed}
 */
export async function dumpPostgres(url: string, file: string): Promise<void> {
  await runTool('pg_dump', ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`], url);
}

/**
 * Runs `pg_restore` to fill an empty database atomically.
 * @throws {DumpFailed}
 */
export async function restorePostgres(url: string, file: string): Promise<void> {
  const options = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'];
  await runTool('pg_restore', [...options, `--dbname=${databaseName(url)}`, file], url);
}

/** The kinds of entries in a dump of Parley's tables, apart from the functions and triggers of the audit log. */
const KINDS =
  /^(TABLE|TABLE DATA|SEQUENCE|SEQUENCE SET|SEQUENCE OWNED BY|DEFAULT|CONSTRAINT|CHECK CONSTRAINT|FK CONSTRAINT|INDEX|COMMENT - SCHEMA public) /;
const OF_AUDIT_LOG = /^(FUNCTION \S+ audit_entry_\w+\(\)|TRIGGER \S+ audit_entry audit_entry_\w+) /;

/**
 * Unexpected entries of a dump, as `pg_restore --list` names them, such as `TRIGGER public account spy`. This checks
 * only the list, which a forged dump can falsify, so it does not make restoring one safe.
 * @throws {DumpFailed}
 */
export async function foreignEntries(file: string): Promise<string[]> {
  const list = await runTool('pg_restore', ['--list', file]);
  const entries = list.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  return entries
    .map((line) => line.replace(/^\d+; \d+ \d+ /, ''))
    .filter((entry) => !KINDS.test(entry) && !OF_AUDIT_LOG.test(entry))
    .map((entry) => entry.replace(/ \S*$/, ''));
}

async function runTool(
  tool: 'pg_dump' | 'pg_restore',
  options: readonly string[],
  url?: string,
): Promise<string> {
  try {
    const variables = url === undefined ? {} : connectionVariables(url);
    const { stdout } = await run(tool, options, {
      env: { ...environment(), ...variables },
      maxBuffer: MAX_LIST_BYTES,
    });
    return stdout;
  } catch (error) {
    const { code, stderr = '', message } = error as { code?: unknown; stderr?: string; message: string };
    if (code === 'ENOENT') {
      throw new DumpFailed(
        `${tool} is not installed. Install the PostgreSQL client programs (the package is often called ` +
          'postgresql-client), at least in the version of the server, and try again.',
      );
    }
    throw new DumpFailed(`${tool} failed: ${stderr.trim() || message}`);
  }
}

function serversOf(url: string): readonly [string, ...string[]] {
  const [first = url, ...others] = postgresAddresses(url) ?? [];
  return [first, ...others];
}

function databaseName(url: string): string {
  return decodeURIComponent(new URL(serversOf(url)[0]).pathname.slice(1));
}

/** The parts of the URL as environment variables: all users of the machine can see a program's arguments. */
function connectionVariables(url: string): Record<string, string> {
  const servers = serversOf(url).map((address) => new URL(address));
  const { username, password, searchParams } = servers[0] as URL;
  const variables: Record<string, string | null> = {
    PGHOST:
      searchParams.get('host') ?? servers.map(({ hostname }) => hostname.replace(/^\[|\]$/g, '')).join(','),
    PGPORT:
      servers.length > 1
        ? servers.map(({ port }) => port || '5432').join(',')
        : servers.map(({ port }) => port).join(),
    PGTARGETSESSIONATTRS: servers.length > 1 ? 'read-write' : null,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: databaseName(url),
    PGSSLMODE: searchParams.get('sslmode'),
    PGSSLROOTCERT: searchParams.get('sslrootcert'),
  };
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => !!entry[1]),
  );
}
