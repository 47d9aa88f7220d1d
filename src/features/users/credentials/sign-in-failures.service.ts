import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import type { PasskeyRefusal } from '../factors/passkeys.api';
import { type AuditAction, type AuditAuthor, type AuditDetails, AuditLog } from '../../audit/audit.module';

/** Why a sign-in was refused. */
export type SignInRefusal =
  | 'unknown_account'
  | 'wrong_password'
  | 'second_factor_required'
  | 'wrong_code'
  | PasskeyRefusal
  | 'too_many_attempts'
  | 'password_sign_in_off'
  | 'deactivated'
  | 'organization_deactivated'
  | 'unknown_role'
  | 'link_over'
  | 'provider'
  | 'not_linked';

const HOUR_MS = 3_600_000;

/**
 * How many refusals per client and account within an hour get an entry each; after these, only every power of ten does.
 */
const ENTRIES_EACH = 10;

/**
 * Maximum number of entries per hour: for accounts, and for addresses without an account, of which anyone can invent
 * any number.
 */
const MAX_ENTRIES = { account: 500, stranger: 100 } as const;

/** Maximum number of pairs of clients and accounts that are counted separately; all others share a counter. */
const MAX_COUNTERS = 10_000;

/**
 * Records refused sign-ins in the audit log, without what was typed: an address may be a password in the wrong field.
 * Strangers can cause any number of refusals, so entries are limited on each node, and refusals without an entry are
 * counted in the next one. Responses do not wait for entries: the delay would reveal whether the account exists.
 */
@Injectable()
export class SignInFailures implements OnModuleDestroy {
  private readonly logger = new Logger(SignInFailures.name);
  private startedAt = 0;
  private readonly failures = new Map<string, number>();
  private entries = { account: 0, stranger: 0 };
  private unrecorded = 0;
  private writing = Promise.resolve();

  constructor(
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @param userId the account, if it exists */
  record(by: AuditAuthor, reason: SignInRefusal, userId?: number): void {
    const failures = this.count(by.address, userId);
    if (!this.takeEntry(failures, userId === undefined ? 'stranger' : 'account')) {
      this.unrecorded++;
      return;
    }
    const left = this.unrecorded > 0 ? { unrecorded: this.unrecorded } : {};
    this.unrecorded = 0;
    this.write(by, 'user.sign_in_failed', userId, { reason, failures, ...left });
  }

  /**
   * Records that an account is locked against further attempts. Addresses without an account get no entry, since anyone
   * can invent them.
   */
  recordLockOut(by: AuditAuthor, userId: number | undefined): void {
    if (userId !== undefined) this.write(by, 'user.locked_out', userId);
  }

  /** Waits until all entries so far are written. */
  settled(): Promise<void> {
    return this.writing;
  }

  onModuleDestroy(): Promise<void> {
    return this.settled();
  }

  private write(by: AuditAuthor, action: AuditAction, userId?: number, details: AuditDetails = {}): void {
    const entry = () =>
      this.transactions.run(async (tx) => this.audit.record(tx, by, action, { userId }, details));
    this.writing = this.writing
      .then(entry)
      .catch((error: unknown) => this.logger.error('Cannot record a rejected sign-in.', error));
  }

  /** @returns the number of refusals of this client at this account within the hour */
  private count(address: string, userId: number | undefined): number {
    const now = this.clock.nowMs();
    // The clock may have been set back.
    if (now - this.startedAt >= HOUR_MS || now < this.startedAt) this.startOver(now);
    const own = JSON.stringify([normalizeIp(address), userId ?? null]);
    const key = this.failures.has(own) || this.failures.size < MAX_COUNTERS ? own : 'others';
    const failures = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, failures);
    return failures;
  }

  private takeEntry(failures: number, kind: keyof typeof MAX_ENTRIES): boolean {
    const isDue = failures <= ENTRIES_EACH || Number.isInteger(Math.log10(failures));
    if (!isDue || this.entries[kind] >= MAX_ENTRIES[kind]) return false;
    this.entries[kind]++;
    return true;
  }

  private startOver(now: number): void {
    this.startedAt = now;
    this.failures.clear();
    this.entries = { account: 0, stranger: 0 };
  }
}
