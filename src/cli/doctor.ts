import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { tables } from '../app.module';
import type { Config } from '../platform/config/config';
import { ConfigurationError, secretFiles } from '../platform/config/load-config';
import { isLoopback } from '../platform/config/network-settings';
import { codeOf } from '../platform/config/start-refused';
import { postgresHosts } from '../platform/database/data-source.options';
import { databaseOptions } from '../platform/database/database.options';
import { migrationStatus } from '../platform/database/applied-migrations';
import { pg } from '../platform/database/postgres/postgres-hosts';
import { FileStorageUnreachable } from '../platform/errors/request.errors';
import { BucketStorage } from '../platform/files/bucket-storage';
import { storageOf } from '../platform/files/file-store';
import { greet, smtpServerAt } from '../platform/mail/smtp-connection';
import { loadModules } from '../platform/modules/load-modules';
import { RunningServer } from '../platform/operator/operator-client';
import { configOf, runCommand, type CommonOptions } from './run-command';

/** The result of a check. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'problem';
  readonly about: string;
  readonly finding: string;
  /** What to do about it. */
  readonly advice?: string;
}

type Check = (config: Config, options: CommonOptions) => Promise<Finding> | Finding;

const GIB = 1024 ** 3;
const DAY_MS = 86_400_000;

/** Free space below which to report a note, or a problem. */
const ROOM = { note: 2 * GIB, problem: GIB / 4 };

/** One failed daily backup is reported. */
const OLDEST_BACKUP_DAYS = 2;

/** Certificates are normally renewed a month before they expire. */
const CERTIFICATE_DAYS = 14;

/** Clients compare times of the server with those of the database. */
const CLOCK_DIFFERENCE_MS = 2_000;

/** A service that takes longer to answer counts as unavailable. */
const PATIENCE_MS = 5_000;

/** Checks everything that a server needs, one thing after the other; changes nothing. */
export async function examine(options: CommonOptions): Promise<Finding[]> {
  let config: Config;
  try {
    config = configOf(options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map((finding) => problem('settings', finding, 'Correct the variable.'));
  }
  const findings = [ok('settings', 'All have values that are allowed.')];
  let isDatabaseOpen = true;
  for (const [about, check] of Object.entries(CHECKS)) {
    if (!isDatabaseOpen && NEED_DATABASE.has(about)) {
      findings.push(note(about, 'It was not looked at, as the database cannot be opened.'));
      continue;
    }
    try {
      findings.push(await check(config, options));
    } catch (error) {
      const finding = error instanceof Error ? error.message : String(error);
      const advice = about === 'database' ? databaseAdvice(config) : undefined;
      findings.push(problem(about, finding.split('\n')[0] ?? finding, advice));
      if (about === 'database') isDatabaseOpen = false;
    }
  }
  return findings;
}

/** Checks that would only repeat the result of the database check. */
const NEED_DATABASE: ReadonlySet<string> = new Set(['clock', 'backup', 'quarantine']);

const CHECKS: Readonly<Record<string, Check>> = {
  'Node.js': checkNode,
  'data folder': checkFolder,
  secret: checkSecret,
  'secret files': checkSecretFiles,
  database: checkDatabase,
  clock: checkClock,
  files: checkFiles,
  server: checkServer,
  address: checkAddress,
  certificate: checkCertificate,
  proxy: checkProxy,
  mail: checkMail,
  backup: checkBackup,
  quarantine: checkQuarantine,
};

const ok = (about: string, finding: string): Finding => ({ state: 'ok', about, finding });
const note = (about: string, finding: string, advice?: string): Finding => ({
  state: 'note',
  about,
  finding,
  advice,
});
const problem = (about: string, finding: string, advice?: string): Finding => ({
  state: 'problem',
  about,
  finding,
  advice,
});

function checkNode(): Finding {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const finding = `${process.versions.node} runs this.`;
  if (major >= 22) return ok('Node.js', finding);
  return note('Node.js', `${finding} It has had no fixes since April 2026.`, 'Install Node.js 24.');
}

function checkFolder({ dataDir }: Config): Finding {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found) return note('data folder', `${dataDir} does not exist yet.`, 'The first start creates it.');
  const owner = process.getuid?.();
  if (owner !== undefined && owner !== 0 && found.uid !== owner)
    return problem(
      'data folder',
      `${dataDir} belongs to another user.`,
      'Run this as the user of the server.',
    );
  const { bavail, bsize } = statfsSync(dataDir);
  const room = bavail * bsize;
  const finding = `${dataDir} has room for ${(room / GIB).toFixed(1)} GiB.`;
  const advice = 'Free some space: a full disk refuses every message.';
  if (room < ROOM.problem) return problem('data folder', finding, advice);
  return room < ROOM.note ? note('data folder', finding, advice) : ok('data folder', finding);
}

function checkSecret({ dataDir, secretKey }: Config): Finding {
  if (secretKey !== null) {
    const file = secretFiles().find(({ variable }) => variable === 'SECRET_KEY_FILE');
    return ok('secret', file ? `${file.path} holds it (SECRET_KEY_FILE).` : 'SECRET_KEY holds it.');
  }
  const file = join(dataDir, 'secret');
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return note('secret', 'There is none yet.', 'The first start creates it.');
  if ((found.mode & 0o077) !== 0)
    return problem('secret', `Other users can read or change ${file}.`, `Run "chmod 600 ${file}".`);
  return ok('secret', 'Only the user of the server can read it.');
}

/**
 * Not a problem in itself: container platforms make such files readable by everyone, in folders that others cannot
 * enter.
 */
function checkSecretFiles(): Finding {
  const open = secretFiles().filter(({ path }) => (statSync(path).mode & 0o007) !== 0);
  if (open.length === 0) return ok('secret files', 'None is open to all users.');
  const names = open.map(({ variable, path }) => `${variable} (${path})`).join(', ');
  const advice = `Unless their folder is closed to others, run "chmod o= ${open.map(({ path }) => path).join(' ')}".`;
  return note('secret files', `All users can read or change those of ${names}.`, advice);
}

async function checkDatabase(config: Config): Promise<Finding> {
  const modules = loadModules(config).map((module) => module.tables);
  const { applied, pending, unknown, isUsable } = await migrationStatus(
    databaseOptions(config, tables, modules),
  );
  const kind = config.databaseUrl === null ? 'SQLite' : 'PostgreSQL';
  if (!isUsable)
    return problem('database', 'It belongs to a newer release.', 'Run the release that used it last.');
  if (unknown.length > 0)
    return note('database', 'A newer release changed its tables, on which this one still works.');
  if (applied.length === 0) return note('database', 'There is none yet.', 'The first start creates it.');
  if (pending.length > 0)
    return note('database', `${pending.length} migrations are pending.`, 'The next start applies them.');
  return ok('database', `${kind} answers, and its tables are those of this release.`);
}

function databaseAdvice({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl === null)
    return `See that the user of the server can write to ${dataDir}, or restore a backup.`;
  return 'Start PostgreSQL and see that it takes connections from here, or correct DATABASE_URL.';
}

async function checkClock(config: Config): Promise<Finding> {
  const options = databaseOptions(config, tables);
  if (options.engine === 'sqlite') return ok('clock', 'Server and database share one.');
  const hosts = postgresHosts(options);
  const connectionString = hosts.addresses.length > 1 ? await hosts.choose() : hosts.addresses[0];
  const client = new (pg().Client)({ connectionString, connectionTimeoutMillis: PATIENCE_MS });
  await client.connect();
  try {
    const before = Date.now();
    const { rows } = await client.query<{ now: string }>(
      'SELECT EXTRACT(EPOCH FROM clock_timestamp()) AS now',
    );
    const difference = Math.abs(Number(rows[0]?.now) * 1000 - (before + Date.now()) / 2);
    const finding = `It differs from that of the database by ${(difference / 1000).toFixed(1)} s.`;
    if (difference < CLOCK_DIFFERENCE_MS) return ok('clock', finding);
    return problem('clock', finding, 'Have both machines keep time, with chrony or systemd-timesyncd.');
  } finally {
    await client.end();
  }
}

async function checkFiles(config: Config): Promise<Finding> {
  const storage = storageOf(config);
  if (!(storage instanceof BucketStorage)) return ok('files', 'They are in the data folder.');
  try {
    await storage.probe();
    return ok('files', 'The bucket takes them, and gives them back.');
  } catch (error) {
    if (!(error instanceof FileStorageUnreachable)) throw error;
    const advice = 'Check FILES_URL, and that its key may list, read, write and delete objects there.';
    return problem('files', `The bucket cannot be used: ${error.reason}.`, advice);
  }
}

async function checkServer(config: Config): Promise<Finding> {
  const server = await RunningServer.find(config);
  server?.close();
  if (server) return ok('server', 'It runs.');
  return note('server', 'None runs on this data folder.', 'Start it with "parley serve".');
}

/** Calls the external URL, through everything between clients and the server. */
async function checkAddress(config: Config): Promise<Finding> {
  const url = config.externalUrl;
  const server = await RunningServer.find(config);
  server?.close();
  if (!server) return note('address', `${url} was not tried, as no server runs.`);
  const advice = 'Check the proxy and DNS, or set EXTERNAL_URL to the address that people use.';
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(`${url}/api/v1/server_settings`, { signal, redirect: 'manual' });
    const text = await answer.text();
    if (answer.status === 421)
      return problem(
        'address',
        `The server does not answer for ${url}.`,
        'Have the proxy pass on the header Host.',
      );
    if (!answer.ok || !text.includes('"zulip_feature_level"'))
      return problem('address', `${url} answers with status ${answer.status}, and not as Parley.`, advice);
    return ok('address', `${url} leads here.`);
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return problem('address', `${url} cannot be reached from here (${codeOf(cause)}).`, advice);
  }
}

async function checkCertificate({ externalUrl }: Config): Promise<Finding> {
  const { protocol, hostname, port } = new URL(externalUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol === 'http:') {
    if (isLoopback(host)) return ok('certificate', 'None is needed on this machine.');
    const advice =
      'Put a proxy with TLS in front, or set TLS_CERT and TLS_KEY; then set EXTERNAL_URL to https://.';
    return problem('certificate', 'Passwords and messages cross the network in plain text.', advice);
  }
  const end = await new Promise<number>((resolve, reject) => {
    const socket = connect({ host, servername: host, port: Number(port || 443), timeout: PATIENCE_MS });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error(`${host} does not answer.`)));
    socket.once('secureConnect', () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
  });
  const days = Math.floor((end - Date.now()) / DAY_MS);
  const finding = `It is valid for ${days} more days.`;
  if (days >= CERTIFICATE_DAYS) return ok('certificate', finding);
  return problem('certificate', finding, 'See why it was not renewed.');
}

function checkProxy({ externalUrl, tlsCert, trustedProxies }: Config): Finding {
  const isBehindProxy = externalUrl.startsWith('https:') && tlsCert === null;
  if (!isBehindProxy) return ok('proxy', 'None is expected.');
  if (trustedProxies.length > 0) return ok('proxy', `${trustedProxies.join(', ')} may name the client.`);
  return problem(
    'proxy',
    'The proxy in front is not trusted, so that all clients count as one in limits and in the audit log.',
    'Set TRUSTED_PROXIES to its address, such as 127.0.0.1.',
  );
}

async function checkMail({ smtpUrl, allowSmtpWithoutTls }: Config): Promise<Finding> {
  if (smtpUrl === null)
    return note(
      'mail',
      'None is sent: people hand over invitations themselves.',
      'Set SMTP_URL to send them.',
    );
  await greet(smtpServerAt(smtpUrl, allowSmtpWithoutTls), AbortSignal.timeout(PATIENCE_MS));
  return ok('mail', 'The mail server takes mails from here.');
}

interface Entries {
  readonly entries: readonly { readonly created_at: number }[];
}

async function checkBackup(config: Config, options: CommonOptions): Promise<Finding> {
  if (!(await isThere(config))) return note('backup', 'There is nothing to save yet.');
  const input = { action: 'server.backup_made', limit: 1 };
  const [entry] = (await runCommand<Entries>('audit', input, options)).entries;
  const advice = 'Run "parley backup" from a timer, once a day.';
  if (!entry) return problem('backup', 'None was ever made.', advice);
  const days = (Date.now() / 1000 - entry.created_at) / 86_400;
  const finding = `The last one is ${days < 1 ? 'from the last 24 hours' : `${Math.floor(days)} days old`}.`;
  return days > OLDEST_BACKUP_DAYS ? problem('backup', finding, advice) : ok('backup', finding);
}

async function checkQuarantine(config: Config, options: CommonOptions): Promise<Finding> {
  if (!(await isThere(config))) return ok('quarantine', 'Nothing is held back.');
  const { reason } = await runCommand<{ reason: string | null }>('quarantine status', {}, options);
  if (reason === null) return ok('quarantine', 'Nothing is held back.');
  const advice = 'If this is the server to go on with, run "parley quarantine lift".';
  return note('quarantine', `No mail, webhook or answer leaves this machine, because ${reason}.`, advice);
}

/** Whether there is a database that a command can open without changing its tables. */
async function isThere(config: Config): Promise<boolean> {
  const modules = loadModules(config).map((module) => module.tables);
  const { applied, pending, unknown } = await migrationStatus(databaseOptions(config, tables, modules));
  return applied.length > 0 && pending.length + unknown.length === 0;
}
