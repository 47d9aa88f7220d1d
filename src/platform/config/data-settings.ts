import { NetworkSettings } from './network-settings';
import { Setting } from './setting';
import * as kind from './setting-kinds';

/** Storage, retention, and the secret key. */
export abstract class DataSettings extends NetworkSettings {
  @Setting('DATA_DIR', kind.folder(), {
    section: 'Data',
    default: 'data',
    about:
      'Folder for the embedded database, uploads and the generated secret; created if missing. Relative ' +
      'to the working directory.',
  })
  readonly dataDir!: string;

  @Setting('DATABASE_URL', kind.postgresUrl(), {
    section: 'Data',
    default: null,
    defaultMeans: 'the embedded database in `DATA_DIR`',
    about:
      'PostgreSQL database, such as `postgres://parley:password@localhost/parley`. For failover, name all ' +
      'servers, as in `postgres://parley:password@one,two:5433/parley`: the writable one is used.',
    secret: true,
  })
  readonly databaseUrl!: string | null;

  @Setting('DATABASE_POOL_SIZE', kind.integer(3, 1000), {
    section: 'Data',
    default: '20',
    about: 'Maximum PostgreSQL connections per node, half for reads and half for writes.',
  })
  readonly databasePoolSize!: number;

  @Setting('WORKERS', kind.integer(1, 64), {
    section: 'Data',
    default: '1',
    about:
      'Number of processes on this machine, each a separate node; at most one per core is useful. Needs ' +
      'PostgreSQL, and `DATABASE_POOL_SIZE` connections each.',
  })
  readonly workers!: number;

  @Setting('DATABASE_POOLER', kind.oneOf(['none', 'transaction', 'transaction-prepared']), {
    section: 'Data',
    default: 'none',
    about:
      'Pooler in front of PostgreSQL. `transaction` avoids what PgBouncer does not keep between ' +
      'transactions; `transaction-prepared` is for poolers that keep prepared statements, such as ' +
      'PgBouncer 1.21 with `max_prepared_statements` of 300 or more. Session pooling needs no setting.',
  })
  readonly databasePooler!: 'none' | 'transaction' | 'transaction-prepared';

  @Setting('DATABASE_CONNECT_TIMEOUT_SECONDS', kind.integer(1, 60), {
    section: 'Data',
    default: '5',
    about: 'How long a request waits for a PostgreSQL connection before it gets 503.',
  })
  readonly databaseConnectTimeoutSeconds!: number;

  @Setting('DATABASE_READ_TIMEOUT_SECONDS', kind.integer(1, 600), {
    section: 'Data',
    default: '7',
    about: 'Time limit for one PostgreSQL read statement. Two seconds later, a silent connection is dropped.',
  })
  readonly databaseReadTimeoutSeconds!: number;

  @Setting('DATABASE_WRITE_TIMEOUT_SECONDS', kind.integer(1, 600), {
    section: 'Data',
    default: '15',
    about:
      'Time limit for one PostgreSQL transaction, which is then rolled back. Two seconds later, a silent ' +
      'connection is dropped.',
  })
  readonly databaseWriteTimeoutSeconds!: number;

  @Setting('DATABASE_REPLICA_URL', kind.serviceUrl('postgres', 'postgresql'), {
    section: 'Data',
    default: null,
    defaultMeans: 'none',
    about:
      'A hot standby of the database, without a pooler, for history and search. It is used when it has ' +
      'everything committed before the request; otherwise the primary is. Each node opens up to half of ' +
      '`DATABASE_POOL_SIZE` connections to it, and one more.',
    secret: true,
  })
  readonly databaseReplicaUrl!: string | null;

  @Setting('REDIS_URL', kind.serviceUrl('redis', 'rediss'), {
    section: 'Data',
    default: null,
    defaultMeans: 'none: one node',
    about:
      'Redis that connects several nodes on PostgreSQL. Without it, clients of other nodes see changes up ' +
      'to a second later and no typing, and each node counts failed logins alone.',
    secret: true,
  })
  readonly redisUrl!: string | null;

  @Setting('SQLITE_DRIVER', kind.oneOf(['auto', 'better-sqlite3', 'libsql']), {
    section: 'Data',
    default: 'auto',
    about:
      'Driver of the embedded database. `auto` prefers better-sqlite3 if installed, then libsql; on ' +
      'Node.js 24.19 and later, libsql first.',
  })
  readonly sqliteDriver!: 'auto' | 'better-sqlite3' | 'libsql';

  @Setting('SQLITE_SYNCHRONOUS', kind.oneOf(['full', 'normal']), {
    section: 'Data',
    default: 'full',
    about:
      'With `full`, acknowledged changes survive a power cut. `normal` is faster, but a power cut may ' +
      'undo the last moments; the database stays consistent.',
  })
  readonly sqliteSynchronous!: 'full' | 'normal';

  @Setting('FILES_URL', kind.bucketUrl(), {
    section: 'Data',
    default: null,
    defaultMeans: 'the folder `files` in `DATA_DIR`',
    about:
      'Bucket of Amazon S3 or of a service with its protocol for uploads, pictures and exports, such as ' +
      '`s3://KEY_ID:SECRET@s3.eu-central-1.amazonaws.com/bucket/parley?region=eu-central-1`, with `%2F` for a `/` in the ' +
      'secret. Nodes then need no shared folder. `parley files copy` copies existing files.',
    secret: true,
  })
  readonly filesUrl!: string | null;

  @Setting('BACKUP_URL', kind.bucketUrl(), {
    section: 'Data',
    default: null,
    defaultMeans: 'none',
    about:
      'Bucket for `parley backups`, as in `FILES_URL`. Its key needs the rights to list, read and write, ' +
      'not to delete.',
    secret: true,
  })
  readonly backupUrl!: string | null;

  @Setting('BACKUP_LOCK_DAYS', kind.integer(0, 3650), {
    section: 'Data',
    default: '0',
    about:
      'For how many days nobody can delete a backup that was sent (object lock, compliance mode); `0` ' +
      "leaves that to the bucket's own rule.",
  })
  readonly backupLockDays!: number;

  @Setting('EVENT_RETENTION_HOURS', kind.integer(1, 8784), {
    section: 'Data',
    default: '169',
    about:
      'How long events are kept for absent clients, and the maximum idle time of their queues. Events ' +
      'that no client can request are deleted earlier.',
  })
  readonly eventRetentionHours!: number;

  @Setting('AUDIT_RETENTION_DAYS', kind.integer(0, 36_500), {
    section: 'Data',
    default: '0',
    about: 'How many days to keep audit log entries; `0` keeps them forever.',
  })
  readonly auditRetentionDays!: number;

  @Setting('SECRET_KEY', kind.text(32), {
    section: 'Secrets',
    default: null,
    defaultMeans: 'made at the first start, in the file `secret` in `DATA_DIR`',
    about:
      'Secret that API keys are derived from and tokens signed with; the same on all nodes. Another ' +
      'secret invalidates every API key, so the server refuses it unless `SECRET_KEY_PREVIOUS` is set.',
    secret: true,
  })
  readonly secretKey!: string | null;

  @Setting('SECRET_KEY_PREVIOUS', kind.text(32), {
    section: 'Secrets',
    default: null,
    defaultMeans: 'none',
    about:
      'The previous secret. While it is set, its keys and tokens are accepted; remove it once everyone ' +
      'has fetched a new key.',
    secret: true,
  })
  readonly secretKeyPrevious!: string | null;

  @Setting('KEEP_SECRET', kind.flag(), {
    section: 'Secrets',
    default: 'false',
    about:
      'Create a new organization with the secret in the data folder. Otherwise a start with a secret but ' +
      'no database is refused, because the database is probably elsewhere. Set it for one start, or use ' +
      '`parley init --keep-secret`.',
  })
  readonly keepSecret!: boolean;

  @Setting('BREACHED_PASSWORDS_FILE', kind.file(), {
    section: 'Secrets',
    default: null,
    defaultMeans: 'none',
    about: 'Breached passwords to refuse: a file of sorted SHA-1 hashes, such as Pwned Passwords.',
  })
  readonly breachedPasswordsFile!: string | null;
}
