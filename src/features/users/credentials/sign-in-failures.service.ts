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

/** Refusals of one client at one account within an hour that get an entry each; after these, every tenfold does. */
const ENTRIES_EACH = 10;

/** Entries an hour in all: at accounts, and at addresses that belong to none, which cost nothing to make up. */
const MAX_ENTRIES = { account: 500, stranger: 100 } as const;

/** Clients and accounts that are counted one by one; further ones count together. */
const MAX_COUNTERS = 10_000;

/**
 * Records refused sign-ins in the audit log, without what was typed: an address may be a password in the wrong field.
 * Strangers cause refusals as fast as they like, so entries are bounded on each node, and what gets none is counted in the
 * next entry. No answer waits for an entry: how long it takes would tell whether there is such an account.
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

  /** @param userId the account that was tried, where there is one */
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

  /** Records that an account gets no more attempts. Addresses without one have no such entry: they are made up for free. */
  recordLockOut(by: AuditAuthor, userId: number | undefined): void {
    if (userId !== undefined) this.write(by, 'user.locked_out', userId);
  }

  /** Waits until everything so far is written. */
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

  /** @returns how many there were within the hour from this client at this account */
  private count(address: string, userId: number | undefined): number {
    const now = this.clock.nowMs();
    // The clock may have been put back.
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
