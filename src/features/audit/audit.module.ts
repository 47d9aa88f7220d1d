import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditExpiry, AuditLog } from './audit-log.service';
import { ReadAuditLogService } from './read-audit-log.service';
import { AuditEntry } from './audit-entry.entity';

/** The audit log: who did what, when and from where. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  providers: [AuditLog, ReadAuditLogService, AuditExpiry],
  exports: [AuditLog, ReadAuditLogService],
})
export class AuditModule {}

// Exports for other features.
export { AUDIT_ACTIONS, AUDIT_AREAS, type AuditAction } from './audit-actions';
export { type AuditDetails, differences } from './audit-actions';
export { accountActionRecorded } from './audit.hooks';
export { AuditEntry } from './audit-entry.entity';
export { type AuditAuthor, AuditLog } from './audit-log.service';
export { type AuditQuestion, ReadAuditLogService } from './read-audit-log.service';
