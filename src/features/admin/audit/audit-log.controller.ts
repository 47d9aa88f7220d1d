import { Get } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CompanionController, QueryParameters } from '../../../platform/http/companion/companion-decorators';
import { type PageAnswer, pageWindow } from '../../../platform/http/companion/paging';
import { CurrentActor, OwnerOnly } from '../../../platform/http/decorators';
import { AuditLogQuery, type AuditRecord, toAuditQuestion } from './audit-log.api';
import { AuditLogService } from './audit-log.service';

/** The audit log: what was done, by whom, to whom and from where. */
@CompanionController('auth/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  /** Lists actions on accounts, channels, groups, settings and the server; for owners only. */
  @Get()
  @OwnerOnly()
  list(
    @CurrentActor() actor: Actor,
    @QueryParameters() query: AuditLogQuery,
  ): Promise<PageAnswer<AuditRecord>> {
    return this.log.page(actor, toAuditQuestion(query), pageWindow(query));
  }
}
