import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { freePort } from './free-port';

const run = promisify(execFile);

/** Folder of the newest PostgreSQL's programs; null if none is installed. */
export function postgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return (
    versions
      .map((version) => join(root, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb'))) ?? null
  );
}

/** PostgreSQL refuses to run as root, so root uses the account of its package. */
function asPostgres(program: string, options: readonly string[]): Promise<unknown> {
  const isRoot = process.getuid?.() === 0;
  return isRoot ? run('runuser', ['-u', 'postgres', '--', program, ...options]) : run(program, [...options]);
}

/** Lets PostgreSQL write to the folder, whatever its user. */
export function giveToPostgres(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  chownSync(folder, id('-u'), id('-g'));
}

/** A separate PostgreSQL server, for fault injection. */
export class PostgresCluster {
  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    readonly port: string,
    private readonly settings: readonly string[],
  ) {}

  /**
   * @param parent an existing folder for its data
   * @param settings additional ones, which its replicas do not get
   */
  static async start(parent: string, settings: readonly string[] = []): Promise<PostgresCluster> {
    const cluster = await PostgresCluster.at(parent, 'primary', settings);
    await asPostgres(join(cluster.programs, 'initdb'), [
      ...['-D', cluster.folder, '-U', 'postgres', '-E', 'UTF8', '--auth', 'trust', '--no-sync'],
    ]);
    await cluster.start();
    return cluster;
  }

  private static async at(
    parent: string,
    name: string,
    settings: readonly string[] = [],
  ): Promise<PostgresCluster> {
    const programs = postgresPrograms();
    if (programs === null) throw new Error('PostgreSQL is not installed here.');
    const folder = join(parent, name);
    mkdirSync(folder, { mode: 0o700 });
    giveToPostgres(folder);
    return new PostgresCluster(programs, folder, await freePort(), settings);
  }

  /**
   * A replica that follows this server until it is promoted.
   * @param port on which it connects to this one
   */
  async standby(parent: string, port: string): Promise<PostgresCluster> {
    const standby = await PostgresCluster.at(parent, 'standby');
    const from = `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
    await asPostgres(join(this.programs, 'pg_basebackup'), [
      '-D',
      standby.folder,
      '-d',
      from,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
    ]);
    await standby.start();
    return standby;
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs statements one after the other. @returns the rows of the last one */
  async query<Row extends QueryResultRow>(...statements: readonly string[]): Promise<Row[]> {
    const client = new Client({ connectionString: this.url() });
    await client.connect();
    try {
      let rows: Row[] = [];
      for (const statement of statements) ({ rows } = await client.query<Row>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  async start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.folder}`,
      'max_connections=200',
      ...this.settings,
    ];
    const options = [`-p ${this.port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ');
    // Under load it takes longer than pg_ctl's default of a minute.
    await this.control('start', '-w', '-t', '180', '-l', join(this.folder, 'log'), '-o', options);
  }

  /** Ends it like a crash or a power failure. */
  async crash(): Promise<void> {
    await this.control('stop', '-m', 'immediate').catch(() => undefined);
  }

  async restart(): Promise<void> {
    await this.control('stop', '-m', 'fast');
    await this.start();
  }

  async promote(): Promise<void> {
    await this.control('promote', '-w', '-t', '180');
  }

  /** Stops or resumes all its processes. */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  thaw(): void {
    this.signal('SIGCONT');
  }

  private signal(signal: NodeJS.Signals): void {
    const [postmaster = ''] = readFileSync(join(this.folder, 'postmaster.pid'), 'utf8').split('\n');
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    for (const pid of [postmaster, ...children]) {
      try {
        process.kill(Number(pid), signal);
      } catch {
        // It has already ended.
      }
    }
  }

  private control(...options: readonly string[]): Promise<unknown> {
    return asPostgres(join(this.programs, 'pg_ctl'), ['-D', this.folder, ...options]);
  }
}
