import { Injectable } from '@nestjs/common';
import { pageAnswer, type PageAnswer, type PageWindow } from '../../../platform/http/companion/paging';
import { type AuditAuthor, type AuditQuestion, ReadAuditLogService } from '../../audit/audit.module';
import { AccountDirectory } from '../../users/users.module';
import { auditRecord, type AuditRecord } from './audit-log.api';

/** Reads the audit log, with the current names of accounts. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly log: ReadAuditLogService,
    private readonly accounts: AccountDirectory,
  ) {}

  /** One page of the matching entries. */
  async page(
    reader: AuditAuthor,
    question: AuditQuestion,
    window: PageWindow,
  ): Promise<PageAnswer<AuditRecord>> {
    const { afterId, offset, size } = window;
    const { entries, total } = await this.log.page(question, { afterId, offset, limit: size + 1 });
    await this.log.recordReading(reader);
    return pageAnswer(entries, total, window, (entry) =>
      auditRecord(entry, (userId) => this.accounts.byId(userId)?.fullName ?? null),
    );
  }
}
