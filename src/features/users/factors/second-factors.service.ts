import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { LoginThrottle } from '../../../platform/secrets/login-throttle';
import { Passwords } from '../../../platform/secrets/passwords';
import { Sealer, secretChanged } from '../../../platform/secrets/server-secret';
import { type AuditAuthor, AuditLog } from '../../audit/audit.module';
import { LoginSessionService } from '../sessions/login-session.service';
import { credentialsChanged, personalDataRemoved } from '../users.hooks';
import { newSeed, stepOf } from './one-time-codes';
import { NoSecondFactor, SecondFactorIsOn } from './second-factors.api';
import { SecondFactor } from './second-factor.entity';

const PURPOSE = 'second-factors';

const RECOVERY_CODES = 10;

/** Ten letters of 32 each. */
const RECOVERY_CODE = /^(\d{1,2})-([a-z2-7]{5})-([a-z2-7]{5})$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Second factors: authenticator apps (RFC 6238) and recovery codes. */
@Injectable()
export class SecondFactors {
  constructor(
    @InjectRepository(SecondFactor) private readonly rows: ReadRepository<SecondFactor>,
    private readonly transactions: TransactionService,
    private readonly sealer: Sealer,
    private readonly passwords: Passwords,
    private readonly throttle: LoginThrottle,
    private readonly sessions: LoginSessionService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(SecondFactor).delete({ userId });
    });
    hooks.on(secretChanged, (tx) => this.sealAnew(tx));
  }

  /** Whether a person is asked for a code; and the recovery codes that are left. */
  async of(userId: number): Promise<{ readonly isOn: boolean; readonly recoveryCodesLeft: number }> {
    const row = await this.rows.findOneBy({ userId });
    const isOn = row?.isConfirmed ?? false;
    return { isOn, recoveryCodesLeft: isOn ? hashesOf(row!).filter((hash) => hash !== null).length : 0 };
  }

  /** Whether the user has a second factor, as of this transaction. */
  isOnIn(tx: Transaction, userId: number): Promise<boolean> {
    return tx.repository(SecondFactor).existsBy({ userId, isConfirmed: true });
  }

  /** What a person was shown who has not confirmed it yet. @throws NoSecondFactor */
  async pendingSeed(userId: number): Promise<string> {
    const row = await this.rows.findOneBy({ userId, isConfirmed: false });
    const seed = row && this.seedIn(userId, row.sealedSeed);
    if (!seed) throw new NoSecondFactor();
    return seed;
  }

  /** Begins anew for a person whose app does not count yet. @returns the seed, shown this once @throws SecondFactorIsOn */
  async begin(userId: number): Promise<string> {
    const seed = newSeed();
    await this.transactions.runExclusive(async (tx) => {
      const before = await tx.repository(SecondFactor).findOneBy({ userId });
      if (before?.isConfirmed) throw new SecondFactorIsOn();
      await tx.repository(SecondFactor).save({
        userId,
        sealedSeed: this.sealer.seal(PURPOSE, sealedText(userId, seed)),
        isConfirmed: false,
        newestStep: 0,
        recoveryCodes: '[]',
        createdAt: this.clock.nowSeconds(),
      });
    });
    return seed;
  }

  /**
   * Has the app count from now on, once it has shown a right code. All other sessions of the person end.
   * @returns the recovery codes, shown this once; null for a wrong code
   * @throws NoSecondFactor, SecondFactorIsOn, LoginThrottled
   */
  async confirm(actor: Actor, code: string, sessionId: string): Promise<string[] | null> {
    const { userId } = actor;
    const row = await this.rows.findOneBy({ userId });
    if (!row) throw new NoSecondFactor();
    if (row.isConfirmed) throw new SecondFactorIsOn();
    const isRight = await this.throttle.verify({ factorOf: userId }, () =>
      Promise.resolve(this.stepIn(row, code) !== null),
    );
    if (!isRight) return null;
    const codes = Array.from({ length: RECOVERY_CODES }, (_, index) => newRecoveryCode(index));
    const hashes = await Promise.all(codes.map((each) => this.passwords.hash(each)));
    await this.transactions.runExclusive(async (tx) => {
      const current = await tx.repository(SecondFactor).findOneBy({ userId });
      if (current?.sealedSeed !== row.sealedSeed || current.isConfirmed) throw new NoSecondFactor();
      const newestStep = this.stepIn(row, code) ?? 0;
      const changed = { isConfirmed: true, newestStep, recoveryCodes: JSON.stringify(hashes) };
      await tx.repository(SecondFactor).update({ userId }, changed);
      await this.sessions.endAll(tx, userId, sessionId);
      await this.sessions.setFactor(tx, sessionId, true);
      this.audit.record(tx, actor, 'user.second_factor_added', { userId });
      await this.hooks.run(credentialsChanged, tx, userId, 'factor_added');
    });
    return codes;
  }

  /**
   * Whether a code is the app's current one, or an unused recovery code; each works once. Wrong codes are counted per
   * account, from anywhere: the caller already knows the password.
   * @throws LoginThrottled
   */
  verify(by: AuditAuthor, userId: number, code: string): Promise<boolean> {
    const given = code.replaceAll(/\s/g, '').toLowerCase();
    return this.throttle.verify({ factorOf: userId }, async () => {
      const row = await this.rows.findOneBy({ userId });
      if (!row?.isConfirmed) return false;
      return /^\d{6}$/.test(given) ? this.useCode(row, given) : this.useRecoveryCode(by, row, given);
    });
  }

  /** Takes the factor away. @throws NoSecondFactor */
  async remove(by: AuditAuthor, userId: number, exceptSession?: string): Promise<void> {
    await this.transactions.runExclusive((tx) => this.removeIn(tx, by, userId, exceptSession));
  }

  /** The same within the caller's exclusive transaction. */
  async removeIn(tx: Transaction, by: AuditAuthor, userId: number, exceptSession?: string): Promise<void> {
    const row = await tx.repository(SecondFactor).findOneBy({ userId });
    if (!row) throw new NoSecondFactor();
    await tx.repository(SecondFactor).delete({ userId });
    await this.sessions.endAll(tx, userId, exceptSession);
    if (exceptSession !== undefined) await this.sessions.setFactor(tx, exceptSession, false);
    this.audit.record(tx, by, 'user.second_factor_removed', { userId });
    if (row.isConfirmed) await this.hooks.run(credentialsChanged, tx, userId, 'factor_removed');
  }

  private stepIn({ userId, sealedSeed }: SecondFactor, code: string): number | null {
    const seed = this.seedIn(userId, sealedSeed);
    return seed === null ? null : stepOf(seed, code.replaceAll(/\s/g, ''), this.clock.nowSeconds());
  }

  /** Seals the seed anew, so that it outlasts a secret that is being replaced. */
  private async useCode(row: SecondFactor, code: string): Promise<boolean> {
    const { userId } = row;
    const step = this.stepIn(row, code);
    const seed = this.seedIn(userId, row.sealedSeed);
    if (step === null || seed === null) return false;
    const used = await this.transactions.run((tx) =>
      tx.query(
        `UPDATE second_factor SET newest_step = ?, sealed_seed = ?
         WHERE user_id = ? AND newest_step < ? AND sealed_seed = ? RETURNING user_id`,
        [step, this.sealer.seal(PURPOSE, sealedText(userId, seed)), userId, step, row.sealedSeed],
      ),
    );
    return used.length === 1;
  }

  private async useRecoveryCode(by: AuditAuthor, row: SecondFactor, code: string): Promise<boolean> {
    const [, index] = RECOVERY_CODE.exec(code) ?? [];
    const hashes = hashesOf(row);
    const hash = index === undefined ? null : (hashes[Number(index)] ?? null);
    if (!(await this.passwords.verifyAny(hash, code))) return false;
    hashes[Number(index)] = null;
    const { userId } = row;
    const left = hashes.filter((each) => each !== null).length;
    return this.transactions.run(async (tx) => {
      const used = await tx.query(
        'UPDATE second_factor SET recovery_codes = ? WHERE user_id = ? AND recovery_codes = ? RETURNING user_id',
        [JSON.stringify(hashes), userId, row.recoveryCodes],
      );
      if (used.length === 0) return false;
      this.audit.record(tx, by, 'user.recovery_code_used', { userId }, { left });
      await this.hooks.run(credentialsChanged, tx, userId, 'recovery_code_used');
      return true;
    });
  }

  /** Seals every seed with the new secret, so that none is lost with the former one. */
  private async sealAnew(tx: Transaction): Promise<void> {
    for (const { userId, sealedSeed } of await tx.repository(SecondFactor).find()) {
      const seed = this.seedIn(userId, sealedSeed);
      if (seed === null) continue;
      await tx
        .repository(SecondFactor)
        .update({ userId }, { sealedSeed: this.sealer.seal(PURPOSE, sealedText(userId, seed)) });
    }
  }

  /** Null if it was sealed for another user, or under a former secret. */
  private seedIn(userId: number, sealed: string): string | null {
    const [owner, seed] = (this.sealer.open(PURPOSE, sealed) ?? '').split(' ');
    return owner === String(userId) && seed !== undefined ? seed : null;
  }
}

/** Sealed per user: another user's row does not open. */
function sealedText(userId: number, seed: string): string {
  return `${userId} ${seed}`;
}

function hashesOf({ recoveryCodes }: SecondFactor): (string | null)[] {
  return JSON.parse(recoveryCodes) as (string | null)[];
}

/** 50 random bits behind its number, which says with which hash it is compared. */
function newRecoveryCode(index: number): string {
  const letters = [...randomBytes(10)].map((byte) => LETTERS[byte % LETTERS.length]!).join('');
  return `${index}-${letters.slice(0, 5)}-${letters.slice(5)}`;
}
