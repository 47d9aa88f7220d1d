import { Injectable } from '@nestjs/common';
import { isAdministrator, THE_SERVER } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { FileStore } from '../../../platform/files/file-store';
import { type RunningJob, UnrecoverableError } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { AuditLog } from '../../audit/audit.module';
import { SystemMessageService } from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';
import { OrganizationArchiveService } from './archive/organization-archive.service';
import {
  archivePath,
  ExportChecksService,
  exportExpiry,
  exportMaking,
  ExportRowsService,
} from './exports.service';
import { isPending, KEPT_DAYS } from './exports.api';
import { OrganizationExport } from './organization-export.entity';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An export restarts after the server does, but only a few times: the export may be what stopped the server. */
const MOST_ATTEMPTS = 3;

/** Message to the requester, in Zulip's wording. */
const READY = 'Your data export is complete. [View and download exports](/#organization/data-exports-admin).';

type Making = RunningJob<{ readonly id: number }>;

/** Makes requested archives, and deletes them when their retention ends. */
@Injectable()
export class MakeExportService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly rows: ExportRowsService,
    private readonly checks: ExportChecksService,
    private readonly archives: OrganizationArchiveService,
    private readonly files: FileStore,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {
    jobs.handle(exportMaking, {
      work: (job) => this.make(job),
      failed: (job) => this.fail(job),
      retry: { delaysMs: [] },
      timeoutMs: DAY_MS,
      stopsAtOnce: true,
    });
    jobs.handle(exportExpiry, {
      work: (job) => this.expire(job),
      retry: { delaysMs: [60_000], forMs: DAY_MS },
      timeoutMs: 60_000,
    });
  }

  private async make(job: Making): Promise<void> {
    const row = await this.load(job);
    if (!row || !isPending(row)) return;
    if (job.attempt > MOST_ATTEMPTS) throw new UnrecoverableError('The server stopped each time.');
    const content = row.type === 'public' ? 'public' : 'with consent';
    const { consenting } = await this.files.write(archivePath(row), (sink) =>
      this.archives.write(sink, { content, signal: job.signal }),
    );
    const size = await this.files.sizeOf(archivePath(row));
    await this.transactions.runExclusive(async (tx) => {
      if (!(await job.complete(tx))) return;
      if (!this.checks.allConsent(consenting)) throw new UnrecoverableError('A user withdrew consent.');
      const now = this.clock.nowSeconds();
      await tx.repository(OrganizationExport).update({ id: row.id }, { succeededAt: now, size });
      const dueAt = this.clock.nowMs() + KEPT_DAYS * DAY_MS;
      await this.jobs.enqueue(tx, { kind: exportExpiry, data: { id: row.id }, key: String(row.id), dueAt });
      await this.rows.tell(tx);
      await this.notify(tx, row.requesterId);
    });
  }

  private async notify(tx: Transaction, requesterId: number): Promise<void> {
    const requester = this.accounts.existing(requesterId);
    if (!requester.isActive || requester.isBot || !isAdministrator(requester)) return;
    await this.messages.sendToPerson(tx, 'notification-bot', requesterId, { content: READY });
  }

  private async fail(job: Making): Promise<void> {
    const row = await this.load(job);
    if (!row || !isPending(row)) return;
    await this.transactions.runExclusive(async (tx) => {
      await tx.repository(OrganizationExport).update({ id: row.id }, { failedAt: this.clock.nowSeconds() });
      await this.rows.tell(tx);
    });
    await this.files.delete(archivePath(row));
  }

  private async expire(job: Making): Promise<void> {
    const row = await this.load(job);
    if (!row) return;
    await this.transactions.runExclusive(async (tx) => {
      if (!(await job.complete(tx))) return;
      await tx.repository(OrganizationExport).update({ id: row.id }, { deletedAt: this.clock.nowSeconds() });
      this.audit.record(tx, THE_SERVER, 'organization.export_deleted', { id: row.id });
      await this.rows.tell(tx);
    });
    await this.files.delete(archivePath(row));
  }

  private load({ data }: Making): Promise<OrganizationExport | null> {
    return this.database.read.repository(OrganizationExport).findOneBy({ id: data.id });
  }
}
