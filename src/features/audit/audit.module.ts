import { Module } from '@nestjs/common';
import { AuditExpiry } from './audit-expiry.service';
import { AuditLog } from './audit-log.service';
import { ReadAuditLogService } from './read-audit-log.service';

/** Who did what, to whom, when, and from where: written once with each change, and kept. */
@Module({
  providers: [AuditLog, ReadAuditLogService, AuditExpiry],
  exports: [AuditLog, ReadAuditLogService],
})
export class AuditModule {}
