import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { keepCommit } from './former-program';
import type { KeptPerson } from './small-organization';

/** What is kept of a release beside its database. */
export interface KeptFacts {
  /** What the keys are derived from. */
  readonly secret: string;
  readonly people: readonly KeptPerson[];
  readonly lastMessage: number;
  /** Uploaded files, in base64, by their path in the data folder. */
  readonly files: Readonly<Record<string, string>>;
  /** What each role was answered, by role and path. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

type Engine = 'sqlite' | 'postgres';

/** No more than that in the repository, for each release and engine. */
const MAX_BYTES = 300_000;

const folderOf = (release: string, engine: Engine) => join(__dirname, release, engine);

/** Releases of which a database is kept, oldest first. */
export const KEPT_RELEASES = readdirSync(__dirname)
  .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
  .sort((one, other) => one.localeCompare(other, undefined, { numeric: true }));

/** Fills an empty data folder, and on PostgreSQL an empty database, with what is kept. */
export async function unpack(
  release: string,
  engine: Engine,
  env: Record<string, string>,
): Promise<KeptFacts> {
  const folder = folderOf(release, engine);
  const facts = JSON.parse(gunzipSync(readFileSync(join(folder, 'facts.json.gz'))).toString()) as KeptFacts;
  const dataDir = env.DATA_DIR ?? '';
  for (const [path, content] of Object.entries(facts.files)) {
    mkdirSync(join(dataDir, dirname(path)), { recursive: true });
    writeFileSync(join(dataDir, path), Buffer.from(content, 'base64'));
  }
  const database = gunzipSync(readFileSync(join(folder, 'database.gz')));
  if (engine === 'sqlite') writeFileSync(join(dataDir, 'parley.db'), database);
  else await runOn(env.DATABASE_URL ?? '', database.toString());
  return facts;
}

/** Keeps the database of a server that has stopped. */
export function keep(release: string, engine: Engine, env: Record<string, string>, facts: KeptFacts): void {
  const folder = folderOf(release, engine);
  const dataDir = env.DATA_DIR ?? '';
  const database =
    engine === 'sqlite' ? readFileSync(join(dataDir, 'parley.db')) : dumpOf(env.DATABASE_URL ?? '');
  const files = existsSync(join(dataDir, 'files'))
    ? readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((each) =>
        each.isFile(),
      )
    : [];
  const content = files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(dataDir.length + 1), readFileSync(path).toString('base64')] as const;
  });
  const parts = {
    'database.gz': gzipSync(database, { level: 9 }),
    'facts.json.gz': gzipSync(JSON.stringify({ ...facts, files: Object.fromEntries(content) }), { level: 9 }),
  };
  const bytes = Object.values(parts).reduce((sum, part) => sum + part.length, 0);
  if (bytes > MAX_BYTES) throw new Error(`${bytes} bytes are too many to keep.`);
  mkdirSync(folder, { recursive: true });
  for (const [name, part] of Object.entries(parts)) writeFileSync(join(folder, name), part);
  keepCommit(release);
}

/** As statements that any client runs: lines with a backslash are for psql. */
function dumpOf(url: string): Buffer {
  const options = ['--inserts', '--rows-per-insert=500', '--no-owner', '--no-privileges', `--dbname=${url}`];
  const text = execFileSync('pg_dump', options, { encoding: 'utf8', maxBuffer: 2 ** 27 });
  return Buffer.from(text.replace(/^(\\.*|CREATE SCHEMA public;|SET transaction_timeout.*)\n/gm, ''));
}

async function runOn(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statements);
  await client.end();
}
