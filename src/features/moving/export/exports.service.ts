import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { OrganizationExport } from './organization-export.entity';
import { type ExportTypeName } from './archive/export-context';
import {
  consentChanged,
  type ExportConsentWire,
  ExportDeleted,
  ExportFailed,
  ExportInProgress,
  ExportNeedsConsent,
  exportsChanged,
  ExportTooLarge,
  exportWire,
  type ExportWire,
  fileNameOf,
  InvalidExport,
  isPending,
  NoOwnerConsents,
  NoOwnerShowsAddress,
  NoSuchArchive,
  TooManyExports,
} from './exports.api';
import { type Actor, isOwner } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { FileStore } from '../../../platform/files/file-store';
import { Hooks } from '../../../platform/hooks/hooks';
import type { FileAnswer } from '../../../platform/http/files/file-answer.interceptor';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { AuditLog } from '../../audit/audit.module';
import {
  type Account,
  accountActivityChanged,
  AccountDirectory,
  type AccountRecord,
  ActorTransactions,
  EmailVisibility,
  personalSetting,
  personalSettingsChanged,
} from '../../users/users.module';

/** Maximum number of messages and bytes of files that a requested export may contain. */
const LIMITS = { messages: 250_000, bytes: 20 * 2 ** 30 };

/** Checks whether an archive may be made, and lists who allows administrators to export private data. */
@Injectable()
export class ExportChecksService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountDirectory,
  ) {}

  /** Consent of everyone who could give it. */
  consents(): ExportConsentWire[] {
    return this.accounts
      .all()
      .filter(({ isActive, isBot }) => isActive && !isBot)
      .map((account) => ({
        user_id: account.id,
        consented: consents(account),
        email_address_visibility: account.emailVisibility,
      }));
  }

  /** Whether the organization is small enough. Counts rows, so call it before a transaction. */
  async isSmall(type: ExportTypeName): Promise<boolean> {
    const db = this.database.background;
    const inPublic = 'WHERE channel_id IN (SELECT id FROM channel WHERE is_private = ?)';
    const messages = await db.queryOne<{ count: number }>(
      `SELECT COUNT(*) AS count FROM (
         SELECT 1 FROM message ${type === 'public' ? inPublic : ''} LIMIT ${LIMITS.messages + 1}) counted`,
      type === 'public' ? [false] : [],
    );
    if (Number(messages.count) > LIMITS.messages) return false;
    const files = await db.queryOne<{ bytes: number | null }>('SELECT SUM(size) AS bytes FROM attachment');
    return Number(files.bytes ?? 0) <= LIMITS.bytes;
  }

  /** @throws ExportTooLarge, NoOwnerConsents, NoOwnerShowsAddress, ExportNeedsConsent */
  check(type: ExportTypeName, isSmall: boolean): void {
    if (!isSmall) throw new ExportTooLarge();
    const owners = this.accounts
      .all()
      .filter((account) => account.isActive && !account.isBot && isOwner(account));
    if (type === 'full_with_consent' && !owners.some(consents)) throw new NoOwnerConsents();
    const showsAddress = ({ emailVisibility }: AccountRecord) => emailVisibility !== EmailVisibility.nobody;
    if (type === 'public' && !owners.some(showsAddress)) throw new NoOwnerShowsAddress();
    if (type === 'full_without_consent') throw new ExportNeedsConsent();
  }

  /** Whether all of the accounts consent now: people by their own setting, bots also by their owner's. */
  allConsent(userIds: Iterable<number>): boolean {
    return [...userIds].every((userId) => {
      const account = this.accounts.byId(userId);
      const owner = this.accounts.byId(account?.botOwnerId ?? 0);
      return account !== undefined && (consents(account) || (account.isBot && !!owner && consents(owner)));
    });
  }
}

function consents({ settings }: AccountRecord): boolean {
  return personalSetting(settings, 'allow_private_data_export');
}

/** Reads the rows of exports, and emits the event about them. */
@Injectable()
export class ExportRowsService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly config: Config,
  ) {}

  /** All exports ever requested, oldest first. */
  async all(db: Queryable): Promise<ExportWire[]> {
    const rows = await db.repository(OrganizationExport).find({ order: { id: 'ASC' } });
    return rows.map((row) => exportWire(row, this.config.externalUrl));
  }

  /** Sends all exports to administrators, except bots. */
  async tell(tx: Transaction): Promise<void> {
    tx.emit(exportsChanged({ exports: await this.all(tx) }), this.administrators());
  }

  /** Owners and administrators, without bots. */
  administrators(): Audience {
    const ids = this.accounts.administrators.ids();
    return Audience.of([...ids].filter((id) => !this.accounts.existing(id).isBot));
  }
}

/** Path of an archive in the file store. */
export function archivePath({ fileKey }: Pick<OrganizationExport, 'fileKey'>): string {
  return `exports/${fileKey}.tar.gz`;
}

/** Makes an archive. */
export const exportMaking = defineJob<{ readonly id: number }>('organization-export');

/** Deletes an archive when its retention ends. */
export const exportExpiry = defineJob<{ readonly id: number }>('organization-export-expiry');

/** How many exports may be requested per period, including deleted and failed ones. */
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

  /** All exports, oldest first. */
  list(): Promise<ExportWire[]> {
    return this.rows.all(this.database.read);
  }

  /**
   * Requests an archive.
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
   * Finds an archive by its URL.
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

/** Sends consent to private exports to administrators when it changes or the user is reactivated. */
@Injectable()
export class ConsentEventsService {
  constructor(hooks: Hooks, rows: ExportRowsService) {
    const name = 'allow_private_data_export';
    hooks.on(personalSettingsChanged, (tx, row, changed) => {
      const consented = changed[name];
      if (consented === undefined) return;
      tx.emit(consentChanged({ user_id: row.id, consented }), rows.administrators());
    });
    hooks.on(accountActivityChanged, (tx, row) => {
      if (!row.isActive || row.isBot) return;
      tx.emit(consentChanged({ user_id: row.id, consented: consentOf(row, name) }), rows.administrators());
    });
  }
}

function consentOf({ settings }: Account, name: 'allow_private_data_export'): boolean {
  return personalSetting(JSON.parse(settings) as Record<string, unknown>, name);
}
