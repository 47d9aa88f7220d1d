import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { FileStore } from '../../../platform/files/file-store';
import type { FileAnswer } from '../../../platform/http/files/file-answer';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { AuditLog } from '../../audit/audit.module';
import { ActorTransactions } from '../../users/users.module';
import { ExportChecksService } from './export-checks.service';
import { archivePath, ExportRowsService } from './export-rows.service';
import {
  ExportDeleted,
  ExportFailed,
  ExportInProgress,
  type ExportWire,
  fileNameOf,
  InvalidExport,
  isPending,
  NoSuchArchive,
  TooManyExports,
} from './exports.api';
import { type ExportTypeName } from './export-types';
import { exportExpiry, exportMaking } from './export-jobs';
import { OrganizationExport } from './organization-export.entity';

/** So many exports may be requested in so many seconds, those included that failed or were deleted. */
const RATE = { exports: 5, seconds: 7 * 24 * 60 * 60 };

/** Archives of the organization, for its administrators. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: ActorTransactions,
    private readonly rows: ExportRowsService,
    private readonly checks: ExportChecksService,
    private readonly files: FileStore,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** In the order in which they were requested. */
  list(): Promise<ExportWire[]> {
    return this.rows.all(this.database.read);
  }

  /**
   * Has an archive made.
   * @returns the ID of the export
   * @throws TooManyExports, ExportTooLarge, NoOwnerConsents, NoOwnerShowsAddress, ExportNeedsConsent
   */
  async request(actor: Actor, type: ExportTypeName): Promise<number> {
    const isSmall = await this.checks.isSmall(type);
    return this.transactions.runForAdministrator(actor, async (tx, current) => {
      const now = this.clock.nowSeconds();
      const exports = tx.repository(OrganizationExport);
      const recent = await exports.countBy({ requestedAt: MoreThan(now - RATE.seconds) });
      if (recent >= RATE.exports) throw new TooManyExports();
      this.checks.check(type, isSmall);
      const { id } = await exports.save({
        requesterId: current.userId,
        type,
        fileKey: randomBytes(16).toString('hex'),
        requestedAt: now,
        succeededAt: null,
        failedAt: null,
        deletedAt: null,
        size: null,
      });
      await this.jobs.enqueue(tx, { kind: exportMaking, data: { id }, key: String(id) });
      this.audit.record(tx, current, 'organization.export_made', { id }, { type });
      await this.rows.tell(tx);
      return id;
    });
  }

  /** @throws InvalidExport, ExportDeleted, ExportFailed, ExportInProgress */
  async delete(actor: Actor, id: number): Promise<void> {
    const row = await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const exports = tx.repository(OrganizationExport);
      const found = await exports.findOneBy({ id });
      if (!found) throw new InvalidExport();
      if (found.deletedAt !== null) throw new ExportDeleted();
      if (found.failedAt !== null) throw new ExportFailed();
      if (isPending(found)) throw new ExportInProgress();
      await exports.update({ id }, { deletedAt: this.clock.nowSeconds() });
      await this.jobs.cancel(tx, exportExpiry, [String(id)]);
      this.audit.record(tx, current, 'organization.export_deleted', { id });
      await this.rows.tell(tx);
      return found;
    });
    await this.files.delete(archivePath(row));
  }

  /**
   * The archive at an address.
   * @throws NoSuchArchive
   */
  async find(fileKey: string, fileName: string): Promise<FileAnswer> {
    const row = await this.database.read.repository(OrganizationExport).findOneBy({ fileKey });
    const { succeededAt = null, deletedAt = null } = row ?? {};
    if (!row || succeededAt === null || deletedAt !== null || fileName !== fileNameOf(row)) {
      throw new NoSuchArchive();
    }
    const open: FileAnswer['open'] = async (range) => {
      const file = await this.files.open(archivePath(row), range);
      if (!file) throw new NoSuchArchive();
      return file.content;
    };
    return {
      fileName,
      contentType: 'application/gzip',
      size: row.size ?? 0,
      version: row.fileKey,
      isDownload: true,
      open,
    };
  }
}
