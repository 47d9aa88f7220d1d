import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { FileStore } from '../../../platform/files/file-store';
import { CommandRefused, type OperatorContext } from '../../../platform/operator/operator-commands';
import { DerivedKeys, ServerSecret } from '../../../platform/secrets/server-secret';
import { PROGRAM_VERSION } from '../../../platform/version';
import { AuditLog } from '../../audit/audit.module';
import type { BackupInput } from '../operations.api';
import {
  BACKUP_FORMAT,
  DATABASE_FILE,
  FILES_FOLDER,
  MANIFEST,
  SECRET_FILE,
  type BackupFile,
  type BackupManifest,
} from './folder/backup-manifest';
import { copyContent, flush, sumOf } from './folder/copy-file';

/** The result of a backup. */
interface BackupResult {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly hasSecret: boolean;
}

/** Creates backups while the server is running. */
@Injectable()
export class BackupService {
  private readonly logger = new Logger('Backup');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly store: FileStore,
    private readonly secret: ServerSecret,
    private readonly keys: DerivedKeys,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Writes the database, the files and, on request, the secret into a new folder, which appears once it is complete.
   * @throws CommandRefused, DumpFailed
   */
  async create({ target, withSecret = false }: BackupInput, context: OperatorContext): Promise<BackupResult> {
    await this.requirePlace(target);
    const draft = `${target}.${randomBytes(6).toString('hex')}.part`;
    await makeDraft(draft);
    try {
      const files = await this.fill(draft, withSecret, context);
      await this.writeManifest(draft, files, withSecret);
      await flush(draft);
      await fs.rename(draft, target);
      await flush(dirname(target));
      await this.record(withSecret);
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      return { folder: target, files: files.length, bytes, hasSecret: withSecret };
    } catch (error) {
      await fs.rm(draft, { recursive: true, force: true });
      throw context.signal.aborted
        ? new CommandRefused('Backup canceled. Partial files were removed.')
        : error;
    }
  }

  /** If the disk is full, the backup is stored elsewhere, so a failure to record it must not fail the backup. */
  private async record(withSecret: boolean): Promise<void> {
    const details = { with_secret: withSecret };
    try {
      await this.transactions.run(async (tx) =>
        this.audit.record(tx, THE_OPERATOR, 'server.backup_made', {}, details),
      );
    } catch (error) {
      this.logger.error(
        { err: error },
        'The backup succeeded, but the audit log entry could not be written.',
      );
    }
  }

  private async requirePlace(target: string): Promise<void> {
    if (`${target}${sep}`.startsWith(join(this.config.dataDir, FILES_FOLDER) + sep)) {
      throw new CommandRefused(`${target} is inside the data to back up. Choose a folder elsewhere.`);
    }
    if (await exists(target)) {
      throw new CommandRefused(
        `${target} already exists, and a backup never overwrites data. Choose a new folder.`,
      );
    }
    if (!(await exists(dirname(target)))) {
      throw new CommandRefused(
        `The parent folder ${dirname(target)} of ${basename(target)} does not exist. Create it, or check that its disk is mounted.`,
      );
    }
  }

  /** Files that the copied database refers to are kept until they are copied too. */
  private async fill(draft: string, withSecret: boolean, context: OperatorContext): Promise<BackupFile[]> {
    const release = this.store.deferDeletions();
    try {
      const database = DATABASE_FILE[this.database.engine];
      context.report({ done: 0, total: 1, what: 'database' });
      await this.database.copyTo(join(draft, database));
      await fs.chmod(join(draft, database), 0o600);
      await flush(join(draft, database));
      const files = [{ path: database, ...(await sumOf(join(draft, database))) }];
      files.push(...(await this.copyFiles(draft, context)));
      if (withSecret) files.push(await this.copySecret(draft));
      return files;
    } finally {
      await release();
    }
  }

  private async copyFiles(draft: string, { signal, report }: OperatorContext): Promise<BackupFile[]> {
    const paths = await this.store.paths();
    const copied: BackupFile[] = [];
    for (const [at, path] of paths.entries()) {
      signal.throwIfAborted();
      const to = `${FILES_FOLDER}/${path}`;
      const file = await this.store.open(path);
      if (file) copied.push({ path: to, ...(await copyContent(file.content, join(draft, to), signal)) });
      else this.logger.warn(`${path} was deleted by another node during the backup, which lacks it.`);
      report({ done: at + 1, total: paths.length, what: 'files' });
    }
    return copied;
  }

  private async copySecret(draft: string): Promise<BackupFile> {
    const path = join(draft, SECRET_FILE);
    await fs.writeFile(path, `${this.secret.current}\n`, { flag: 'wx', mode: 0o600, flush: true });
    return { path: SECRET_FILE, ...(await sumOf(path)) };
  }

  private async writeManifest(draft: string, files: BackupFile[], hasSecret: boolean): Promise<void> {
    const applied = await this.database.read.query<{ name: string }>(
      'SELECT name FROM migrations ORDER BY id',
    );
    const manifest: BackupManifest = {
      format: BACKUP_FORMAT,
      release: PROGRAM_VERSION,
      createdAt: new Date(this.clock.nowMs()).toISOString(),
      engine: this.database.engine,
      migrations: applied.map(({ name }) => name),
      secretFingerprint: this.keys.current('fingerprint').toString('hex'),
      hasSecret,
      files,
    };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await fs.writeFile(join(draft, MANIFEST), text, { flag: 'wx', mode: 0o600, flush: true });
  }
}

function exists(path: string): Promise<boolean> {
  return fs.access(path).then(
    () => true,
    () => false,
  );
}

async function makeDraft(draft: string): Promise<void> {
  try {
    await fs.mkdir(draft, { mode: 0o700 });
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new CommandRefused(
      `The server cannot create a folder in ${dirname(draft)} (${code}). Choose a location it can write to.`,
    );
  }
}
