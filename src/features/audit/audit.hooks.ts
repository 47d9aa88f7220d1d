import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';
import type { AuditAction } from './audit-actions';

/**
 * An action on accounts is recorded, within its transaction. For features that react to a change with many possible
 * causes, such as the end of a password.
 * @param userIds the affected accounts
 */
export const accountActionRecorded =
  defineHook<[tx: Transaction, action: AuditAction, userIds: readonly number[]]>('accountActionRecorded');
