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

/** Which entries are wanted; what is left out does not matter. */
export interface AuditQuestion {
  readonly actorId?: number;
  /** Account to which something was done. */
  readonly targetUserId?: number;
  /** A thing of the kind that the action says. */
  readonly targetId?: number;
  /** An action, or a kind of thing, for all that was done to such. */
  readonly action?: string;
  /** UNIX seconds, that moment included. */
  readonly since?: number;
  /** UNIX seconds, that moment not included. */
  readonly until?: number;
  readonly isNewestFirst: boolean;
}

/** A part of what was found. */
interface AuditWindow {
  /** Begin behind this entry, in the order that is asked for; 0 for the beginning. */
  readonly afterId: number;
  readonly offset: number;
  readonly limit: number;
}

const READ: AuditAction = 'server.audit_log_read';

/** Later than all entries. */
const ALWAYS = Number.MAX_SAFE_INTEGER;

/** Reading for this long, page by page, leaves one entry. */
const ONE_READING_SECONDS = 3_600;

/** Looks things up in the audit log, and records who reads it. */
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

  /** Records that the log is shown to a reader, unless that is a recent entry. */
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
