/** What other features use of this one. Nothing else of it is imported from outside. */
export { AuditModule } from './audit.module';
export { AUDIT_ACTIONS, AUDIT_AREAS, type AuditAction } from './audit-actions';
export { type AuditDetails, differences } from './audit-details';
export { AuditEntry } from './audit-entry.entity';
export { type AuditAuthor, AuditLog } from './audit-log.service';
export { type AuditQuestion, ReadAuditLogService } from './read-audit-log.service';
