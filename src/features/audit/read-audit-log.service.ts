import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../platform/database/read-source';
import type { FindOptionsWhere } from 'typeorm';
import { Between, In, LessThan, MoreThan } from 'typeorm';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { actionsNamed, type AuditAction } from './audit-actions';
import { AuditEntry } from './audit-entry.entity';
import { type AuditAuthor, AuditLog } from './audit-log.service';

/** The filter for entries; omitted properties match everything. */
export interface AuditQuestion {
  readonly actorId?: number;
  /** Affected account. */
  readonly targetUserId?: number;
  /** An object of the kind in the action. */
  readonly targetId?: number;
  /** An action, or a kind of target for all of its actions. */
  readonly action?: string;
  /** UNIX seconds, inclusive. */
  readonly since?: number;
  /** UNIX seconds, exclusive. */
  readonly until?: number;
  readonly isNewestFirst: boolean;
}

/** A page of the matching entries. */
interface AuditWindow {
  /** Start after this entry, in the requested order; 0 for the start. */
  readonly afterId: number;
  readonly offset: number;
  readonly limit: number;
}

const READ: AuditAction = 'server.audit_log_read';

/** Later than all entries. */
const ALWAYS = Number.MAX_SAFE_INTEGER;

/** Reading page by page within this time creates only one entry. */
const ONE_READING_SECONDS = 3_600;

/** Reads the audit log, and records who reads it. */
@Injectable()
export class ReadAuditLogService {
  constructor(
    private readonly database: Database,
    @InjectRepository(AuditEntry) private readonly entries: ReadRepository<AuditEntry>,
    private readonly transactions: TransactionService,
    private readonly log: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Matching entries, and how many match in all. */
  async page(
    question: AuditQuestion,
    { afterId, offset, limit }: AuditWindow,
  ): Promise<{ readonly entries: AuditEntry[]; readonly total: number }> {
    const where = conditions(question);
    const { isNewestFirst } = question;
    const rest = afterId === 0 ? {} : { id: isNewestFirst ? LessThan(afterId) : MoreThan(afterId) };
    return {
      entries: await this.entries.find({
        where: { ...where, ...rest },
        order: { id: isNewestFirst ? 'DESC' : 'ASC' },
        skip: offset,
        take: limit,
      }),
      total: await this.entries.countBy(where),
    };
  }

  /** Records that a reader reads the log, unless a recent entry exists. */
  async recordReading(reader: AuditAuthor): Promise<void> {
    const since = this.clock.nowSeconds() - ONE_READING_SECONDS;
    const [known] = await this.database.read.query(
      `SELECT id FROM audit_entry
       WHERE action = ? AND created_at > ? AND way = ? AND address = ? AND COALESCE(actor_id, 0) = ? LIMIT 1`,
      [READ, since, reader.way, reader.address, reader.userId ?? 0],
    );
    if (known) return;
    await this.transactions.run(async (tx) => this.log.record(tx, reader, READ, {}));
  }
}

function conditions(question: AuditQuestion): FindOptionsWhere<AuditEntry> {
  const { actorId, targetUserId, targetId, action, since = 0, until = ALWAYS } = question;
  return {
    ...(actorId !== undefined && { actorId }),
    ...(targetUserId !== undefined && { targetUserId }),
    ...(targetId !== undefined && { targetId }),
    ...(action !== undefined && { action: In(actionsNamed(action)) }),
    ...((since > 0 || until < ALWAYS) && { createdAt: Between(since, until - 1) }),
  };
}
