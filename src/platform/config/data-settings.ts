import { NetworkSettings } from './network-settings';
import { Setting } from './setting';
import * as kind from './setting-kinds';

/** Where everything is kept, for how long, and the secret that it depends on. */
export abstract class DataSettings extends NetworkSettings {
  @Setting('DATA_DIR', kind.folder(), {
    section: 'Data',
    default: 'data',
    about:
      'Folder for the embedded database, uploaded files and the generated secret; made when it is missing. A relative ' +
      'path starts at the folder the server is started in.',
  })
  readonly dataDir!: string;

  @Setting('DATABASE_URL', kind.postgresUrl(), {
    section: 'Data',
    default: null,
    defaultMeans: 'the embedded database in `DATA_DIR`',
    about:
      'PostgreSQL database to use, such as `postgres://parley:password@localhost/parley`. Where several servers take turns, ' +
      'name all of them, as in `postgres://parley:password@one,two:5433/parley`: the one that takes writes is used, ' +
      'and after a failover the next one.',
    secret: true,
  })
  readonly databaseUrl!: string | null;

  @Setting('DATABASE_POOL_SIZE', kind.integer(3, 1000), {
    section: 'Data',
    default: '20',
    about:
      'Most connections that one node opens to PostgreSQL: half of them for reads, half for writes. The embedded database does not use it.',
  })
  readonly databasePoolSize!: number;

  @Setting('WORKERS', kind.integer(1, 64), {
    section: 'Data',
    default: '1',
    about:
      'How many processes serve on this machine, each acting as a separate node; one for each core is enough. Needs PostgreSQL, ' +
      'and `DATABASE_POOL_SIZE` connections for each.',
  })
  readonly workers!: number;

  @Setting('DATABASE_POOLER', kind.oneOf(['none', 'transaction', 'transaction-prepared']), {
    section: 'Data',
    default: 'none',
    about:
      'What stands between this server and PostgreSQL. With `transaction`, nothing is asked for that a pooler such as PgBouncer ' +
      'does not keep between two transactions; `transaction-prepared` is for those that keep prepared statements, as ' +
      'PgBouncer does from 1.21 on, with `max_prepared_statements` of 300 or more. A pooler that keeps a connection for each ' +
      'client (`session`) needs nothing.',
  })
  readonly databasePooler!: 'none' | 'transaction' | 'transaction-prepared';

  @Setting('DATABASE_CONNECT_TIMEOUT_SECONDS', kind.integer(1, 60), {
    section: 'Data',
    default: '5',
    about: 'How long a request waits for a connection to PostgreSQL before it is refused with 503.',
  })
  readonly databaseConnectTimeoutSeconds!: number;

  @Setting('DATABASE_READ_TIMEOUT_SECONDS', kind.integer(1, 600), {
    section: 'Data',
    default: '7',
    about:
      'How long PostgreSQL may take for one statement that reads. A connection on which nothing comes for two seconds longer ' +
      'is given up. The embedded database does not use it.',
  })
  readonly databaseReadTimeoutSeconds!: number;

  @Setting('DATABASE_WRITE_TIMEOUT_SECONDS', kind.integer(1, 600), {
    section: 'Data',
    default: '15',
    about:
      'How long a transaction on PostgreSQL may be open before it is rolled back. A connection on which nothing comes for two ' +
      'seconds longer is given up. The embedded database does not use it.',
  })
  readonly databaseWriteTimeoutSeconds!: number;

  @Setting('DATABASE_REPLICA_URL', kind.serviceUrl('postgres', 'postgresql'), {
    section: 'Data',
    default: null,
    defaultMeans: 'none',
    about:
      'A replica of the database (a hot standby that streams from it), reached without a pooler. History and search are read ' +
      'there, where it has everything that was committed when the request came; otherwise they are read from the ' +
      'primary. Each node opens at most half as many connections to it as `DATABASE_POOL_SIZE` says, and one more.',
    secret: true,
  })
  readonly databaseReplicaUrl!: string | null;

  @Setting('REDIS_URL', kind.serviceUrl('redis', 'rediss'), {
    section: 'Data',
    default: null,
    defaultMeans: 'none: one node',
    about:
      'Redis over which several nodes on one PostgreSQL database tell each other what happens. Without it, and while it ' +
      'is down, clients of another node learn of a change up to a second later and do not see who types, and each ' +
      'node counts failed logins for itself. The embedded database does not use it.',
    secret: true,
  })
  readonly redisUrl!: string | null;

  @Setting('SQLITE_DRIVER', kind.oneOf(['auto', 'better-sqlite3', 'libsql']), {
    section: 'Data',
    default: 'auto',
    about:
      'Driver of the embedded database. `auto` takes better-sqlite3 where it could be installed, otherwise libsql; on Node.js 24.19 and later, libsql first.',
  })
  readonly sqliteDriver!: 'auto' | 'better-sqlite3' | 'libsql';

  @Setting('SQLITE_SYNCHRONOUS', kind.oneOf(['full', 'normal']), {
    section: 'Data',
    default: 'full',
    about:
      'With `full`, a change that was acknowledged survives a power cut. `normal` writes faster, and a power cut may ' +
      'undo the last moments; the database stays sound either way.',
  })
  readonly sqliteSynchronous!: 'full' | 'normal';

  @Setting('EVENT_RETENTION_HOURS', kind.integer(1, 8784), {
    section: 'Data',
    default: '169',
    about:
      'How long events are kept at most for clients that are away; they go earlier once no client can ask for them. ' +
      'No client queue can be idle for longer than this.',
  })
  readonly eventRetentionHours!: number;

  @Setting('AUDIT_RETENTION_DAYS', kind.integer(0, 36_500), {
    section: 'Data',
    default: '0',
    about: 'How many days entries of the audit log are kept; `0` keeps them for ever.',
  })
  readonly auditRetentionDays!: number;

  @Setting('SECRET_KEY', kind.text(32), {
    section: 'Secrets',
    default: null,
    defaultMeans: 'made at the first start, in the file `secret` in `DATA_DIR`',
    about:
      'Secret from which API keys are derived and with which tokens are signed. Every node on one database needs the ' +
      'same one. Another secret makes every API key worthless, so the server refuses to start with it unless ' +
      '`SECRET_KEY_PREVIOUS` says that the change is meant.',
    secret: true,
  })
  readonly secretKey!: string | null;

  @Setting('SECRET_KEY_PREVIOUS', kind.text(32), {
    section: 'Secrets',
    default: null,
    defaultMeans: 'none',
    about:
      'The secret before the last change. While it is set, keys and tokens made with it are still accepted; take it ' +
      'away once everybody has fetched a new key.',
    secret: true,
  })
  readonly secretKeyPrevious!: string | null;

  @Setting('KEEP_SECRET', kind.flag(), {
    section: 'Secrets',
    default: 'false',
    about:
      'Makes a new organization with the secret that is in the data folder already. Without this, a start with a secret ' +
      'and without its database is refused, because the database is probably only somewhere else. Set it for one start, ' +
      'or use `parley init --keep-secret`.',
  })
  readonly keepSecret!: boolean;
}
