import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { AuditExpiry } from './audit-expiry.service';
import { AuditLog } from './audit-log.service';
import { ReadAuditLogService } from './read-audit-log.service';
import { AuditEntry } from './audit-entry.entity';

/** Who did what, to whom, when, and from where: written once with each change, and kept. */
@Tables({ entities: [AuditEntry] })
@Module({
  providers: [AuditLog, ReadAuditLogService, AuditExpiry],
  exports: [AuditLog, ReadAuditLogService],
})
export class AuditModule {}
