import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  command,
  CommandRefused,
  operatorCommand,
  type OperatorContext,
} from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { OperatorAccountAccess } from '../../users/users.module';
import type { ExportContent } from './archive/export-context';
import { OrganizationArchiveService } from './archive/organization-archive.service';
import { ExportInput, ExportPersonInput, type OperatorExportContent } from './exports.api';
import { PersonArchiveService } from './person/person-archive.service';

/** Maximum size of a migration status file, in bytes. */
const MAX_STATUS_BYTES = 1024 * 1024;

const CONTENT: Readonly<Record<OperatorExportContent, ExportContent>> = {
  public: 'public',
  consent: 'with consent',
  everything: 'everything',
};

/** Result of the command. */
interface ExportedFile {
  readonly file: string;
  readonly bytes: number;
}

/** Exports the organization for the operator: to any file, without a size limit, and if wanted without consent. */
@Injectable()
export class ExportCommandService {
  constructor(
    private readonly archives: OrganizationArchiveService,
    private readonly people: PersonArchiveService,
    private readonly access: OperatorAccountAccess,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command(
        'export',
        ExportInput,
        (input, context) => this.export(input, context),
        ({ target }) => target,
      ),
    );
    hooks.on(
      operatorCommand,
      command(
        'export person',
        ExportPersonInput,
        (input, context) => this.exportPerson(input, context),
        ({ user }) => user,
      ),
    );
  }

  /** @throws CommandRefused */
  private async export(
    { target, content, migrationStatus }: ExportInput,
    context: OperatorContext,
  ): Promise<ExportedFile> {
    const status = migrationStatus === undefined ? undefined : await readStatus(migrationStatus);
    const { signal, report } = context;
    const request = { content: CONTENT[content], signal, report, migrationStatus: status };
    const made = await intoNewFile(target, signal, (sink) => this.archives.write(sink, request));
    await this.transactions.run(async (tx) =>
      this.audit.record(tx, THE_OPERATOR, 'organization.export_made', {}, { type: content }),
    );
    return made;
  }

  /** @throws CommandRefused */
  private async exportPerson(
    { target, user }: ExportPersonInput,
    context: OperatorContext,
  ): Promise<ExportedFile & { readonly name: string }> {
    const account = this.access.find(user);
    const made = await intoNewFile(target, context.signal, (sink) =>
      this.people.write(sink, account, context),
    );
    await this.transactions.run(async (tx) =>
      this.audit.record(tx, THE_OPERATOR, 'user.data_exported', { userId: account.id }),
    );
    return { ...made, name: account.fullName };
  }
}

/**
 * Writes an archive to a new file, which appears once it is complete.
 * @throws CommandRefused
 */
async function intoNewFile(
  target: string,
  signal: AbortSignal,
  write: (sink: Writable) => Promise<unknown>,
): Promise<ExportedFile> {
  await requirePlace(target);
  const draft = `${target}.${randomBytes(6).toString('hex')}.part`;
  try {
    const handle = await fs.open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw new CommandRefused(
        `The server cannot create a file in ${dirname(target)} (${error.code}). Choose a place it can write to.`,
      );
    });
    await write(createWriteStream(draft, { fd: handle, flush: true }));
    const { size } = await fs.stat(draft);
    await fs.rename(draft, target);
    return { file: target, bytes: size };
  } catch (error) {
    await fs.rm(draft, { force: true });
    throw signal.aborted ? new CommandRefused('Export canceled. The unfinished file was removed.') : error;
  }
}

async function requirePlace(target: string): Promise<void> {
  if (await exists(target)) {
    throw new CommandRefused(
      `${target} already exists, and an export never overwrites a file. Choose a new name.`,
    );
  }
  if (!(await exists(dirname(target)))) {
    throw new CommandRefused(
      `The folder ${dirname(target)} of ${basename(target)} does not exist. Create it.`,
    );
  }
}

function exists(path: string): Promise<boolean> {
  return fs.access(path).then(
    () => true,
    () => false,
  );
}

/** @throws CommandRefused if the file is not a migration status of Zulip */
async function readStatus(path: string): Promise<object> {
  const refused = new CommandRefused(`${path} is not the migration_status.json of an export of Zulip.`);
  const size = await fs.stat(path).then(
    (stats) => (stats.isFile() ? stats.size : Infinity),
    () => Infinity,
  );
  if (size > MAX_STATUS_BYTES) throw refused;
  let status: unknown;
  try {
    status = JSON.parse(await fs.readFile(path, 'utf8'));
  } catch {
    throw refused;
  }
  const { migrations_by_app: apps, zulip_version: version } = (status ?? {}) as Record<string, unknown>;
  if (typeof apps !== 'object' || apps === null || typeof version !== 'string') throw refused;
  return { migrations_by_app: apps, zulip_version: version };
}
