import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { LoginThrottle } from '../../../platform/secrets/login-throttle';
import { Sealer, secretChanged } from '../../../platform/secrets/server-secret';
import { type AuditAuthor, AuditLog } from '../../audit/audit.module';
import { LoginSessionService } from '../sessions/login-session.service';
import { credentialsChanged, personalDataRemoved } from '../users.hooks';
import { newSeed, stepOf } from './one-time-codes';
import { Passkey } from './passkey.entity';
import { PasskeyProofs } from './passkey-proofs.service';
import type { PasskeyProof, PasskeyRefusal } from './passkeys.api';
import { type NewRecoveryCodes, RecoveryCodeService } from './recovery-codes.service';
import { NoSecondFactor, SecondFactorAlreadySetUp } from './second-factors.api';
import { SecondFactor } from './second-factor.entity';

const PURPOSE = 'second-factors';

/** A person's second factors. */
export interface FactorRecord {
  /** Whether signing in requires a second factor. */
  readonly isOn: boolean;
  readonly hasApp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
}

/** A code, or a passkey's response instead. */
export interface FactorProof {
  readonly code: string;
  readonly passkey?: PasskeyProof;
}

/** Second factors: authenticator apps (RFC 6238), passkeys, and recovery codes that replace either. */
@Injectable()
export class SecondFactors {
  constructor(
    @InjectRepository(SecondFactor) private readonly rows: ReadRepository<SecondFactor>,
    @InjectRepository(Passkey) private readonly passkeys: ReadRepository<Passkey>,
    private readonly proofs: PasskeyProofs,
    private readonly transactions: TransactionService,
    private readonly sealer: Sealer,
    private readonly recovery: RecoveryCodeService,
    private readonly throttle: LoginThrottle,
    private readonly sessions: LoginSessionService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(SecondFactor).delete({ userId });
      await tx.repository(Passkey).delete({ userId });
    });
    hooks.on(secretChanged, (tx) => this.sealAnew(tx));
  }

  /** A person's second factors. */
  async of(userId: number): Promise<FactorRecord> {
    const row = await this.rows.findOneBy({ userId });
    const passkeys = await this.passkeys.countBy({ userId });
    const hasApp = row?.isConfirmed ?? false;
    const isOn = hasApp || passkeys > 0;
    const recoveryCodesLeft = isOn && row ? this.recovery.leftOf(row) : 0;
    return { isOn, hasApp, passkeys, recoveryCodesLeft };
  }

  /** Whether the user has a second factor, as read in this transaction. */
  async isOnIn(tx: Transaction, userId: number): Promise<boolean> {
    return (
      (await tx.repository(SecondFactor).existsBy({ userId, isConfirmed: true })) ||
      (await tx.repository(Passkey).existsBy({ userId }))
    );
  }

  /** The secret of an app that has not been confirmed yet. @throws NoSecondFactor */
  async pendingSeed(userId: number): Promise<string> {
    const row = await this.rows.findOneBy({ userId, isConfirmed: false });
    const seed = row && this.seedIn(userId, row.sealedSeed);
    if (!seed) throw new NoSecondFactor();
    return seed;
  }

  /** Starts or restarts the setup of an app. @returns the seed, shown only once @throws SecondFactorAlreadySetUp */
  async begin(userId: number): Promise<string> {
    const seed = newSeed();
    await this.transactions.runExclusive(async (tx) => {
      const before = await tx.repository(SecondFactor).findOneBy({ userId });
      if (before?.isConfirmed) throw new SecondFactorAlreadySetUp();
      await tx.repository(SecondFactor).save({
        userId,
        sealedSeed: this.sealer.seal(PURPOSE, sealedText(userId, seed)),
        isConfirmed: false,
        newestStep: 0,
        // Recovery codes for passkeys stay until the app is confirmed.
        recoveryCodes: before?.recoveryCodes ?? '[]',
        createdAt: this.clock.nowSeconds(),
      });
    });
    return seed;
  }

  /**
   * Enables the app after it has produced a correct code. Ends all other sessions of the person, and invalidates
   * earlier recovery codes.
   * @returns the recovery codes, shown only once; null for a wrong code
   * @throws NoSecondFactor, SecondFactorAlreadySetUp, LoginThrottled
   */
  async confirm(actor: Actor, code: string, sessionId: string): Promise<readonly string[] | null> {
    const { userId } = actor;
    const row = await this.rows.findOneBy({ userId });
    if (!row?.sealedSeed) throw new NoSecondFactor();
    if (row.isConfirmed) throw new SecondFactorAlreadySetUp();
    const isRight = await this.throttle.verify({ factorOf: userId }, () =>
      Promise.resolve(this.stepIn(row, code) !== null),
    );
    if (!isRight) return null;
    const { codes, stored } = await this.recovery.make();
    await this.transactions.runExclusive(async (tx) => {
      const current = await tx.repository(SecondFactor).findOneBy({ userId });
      if (current?.sealedSeed !== row.sealedSeed || current.isConfirmed) throw new NoSecondFactor();
      const newestStep = this.stepIn(row, code) ?? 0;
      const changed = { isConfirmed: true, newestStep, recoveryCodes: stored };
      await tx.repository(SecondFactor).update({ userId }, changed);
      await this.sessions.endAll(tx, userId, sessionId);
      await this.sessions.setFactor(tx, sessionId, true);
      this.audit.record(tx, actor, 'user.second_factor_added', { userId });
      await this.hooks.run(credentialsChanged, tx, userId, 'factor_added');
    });
    return codes;
  }

  /** Stores recovery codes for a person whose only factors are passkeys. */
  async storeRecoveryCodes(tx: Transaction, userId: number, { stored }: NewRecoveryCodes): Promise<void> {
    const before = await tx.repository(SecondFactor).findOneBy({ userId });
    const none = { userId, sealedSeed: '', isConfirmed: false, newestStep: 0 };
    const row = before ?? { ...none, createdAt: this.clock.nowSeconds() };
    await tx.repository(SecondFactor).save({ ...row, recoveryCodes: stored });
  }

  /**
   * Whether a code is the app's current one, or an unused recovery code; each works once. Wrong codes are counted per
   * account, regardless of the client: the caller already knows the password.
   * @throws LoginThrottled
   */
  verify(by: AuditAuthor, userId: number, code: string): Promise<boolean> {
    const given = code.replaceAll(/\s/g, '').toLowerCase();
    return this.throttle.verify({ factorOf: userId }, async () => {
      const row = await this.rows.findOneBy({ userId });
      if (!row || !(await this.of(userId)).isOn) return false;
      if (!/^\d{6}$/.test(given)) return this.recovery.use(by, row, given);
      return row.isConfirmed && this.useCode(row, given);
    });
  }

  /**
   * Checks a code or a passkey. Passkeys cannot be guessed, so failures are not counted.
   * @param sessionId of the requesting session; empty before sign-in
   * @returns the reason for a refusal; null if accepted
   * @throws LoginThrottled
   */
  async refusalOf(
    by: AuditAuthor,
    userId: number,
    { code, passkey }: FactorProof,
    sessionId = '',
  ): Promise<'wrong_code' | PasskeyRefusal | null> {
    if (passkey) return (await this.proofs.use(passkey, sessionId, userId)).refusal;
    return (await this.verify(by, userId, code)) ? null : 'wrong_code';
  }

  /** Removes the app; recovery codes stay while there are passkeys. @throws NoSecondFactor */
  async removeApp(by: AuditAuthor, userId: number, sessionId: string): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      if (!(await tx.repository(Passkey).existsBy({ userId }))) {
        return this.removeIn(tx, by, userId, sessionId);
      }
      const app = { userId, isConfirmed: true };
      const { affected } = await tx
        .repository(SecondFactor)
        .update(app, { isConfirmed: false, sealedSeed: '', newestStep: 0 });
      if (affected === 0) throw new NoSecondFactor();
      await this.removed(tx, by, userId, 'app_removed', sessionId);
    });
  }

  /** Removes all of a person's factors. @throws NoSecondFactor */
  async remove(by: AuditAuthor, userId: number): Promise<void> {
    await this.transactions.runExclusive((tx) => this.removeIn(tx, by, userId));
  }

  /** Like `remove`, within the caller's exclusive transaction. */
  async removeIn(tx: Transaction, by: AuditAuthor, userId: number, exceptSession?: string): Promise<void> {
    const wasOn = await this.isOnIn(tx, userId);
    const { affected: passkeys } = await tx.repository(Passkey).delete({ userId });
    const { affected: rows } = await tx.repository(SecondFactor).delete({ userId });
    if (!passkeys && !rows) throw new NoSecondFactor();
    if (exceptSession !== undefined) await this.sessions.setFactor(tx, exceptSession, false);
    await this.removed(tx, by, userId, wasOn ? 'factor_removed' : null, exceptSession);
  }

  /** Deletes the recovery codes of a person who has no factor left. */
  async forgetRecoveryCodes(tx: Transaction, userId: number, sessionId: string): Promise<void> {
    await tx.repository(SecondFactor).delete({ userId });
    await this.sessions.setFactor(tx, sessionId, false);
  }

  private async removed(
    tx: Transaction,
    by: AuditAuthor,
    userId: number,
    change: 'factor_removed' | 'app_removed' | null,
    exceptSession?: string,
  ): Promise<void> {
    await this.sessions.endAll(tx, userId, exceptSession);
    this.audit.record(tx, by, 'user.second_factor_removed', { userId });
    if (change) await this.hooks.run(credentialsChanged, tx, userId, change);
  }

  private stepIn({ userId, sealedSeed }: SecondFactor, code: string): number | null {
    const seed = this.seedIn(userId, sealedSeed);
    return seed === null ? null : stepOf(seed, code.replaceAll(/\s/g, ''), this.clock.nowSeconds());
  }

  /** Encrypts the seed again, so that it survives the replacement of a secret. */
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

  /** Encrypts all seeds with the new secret, so that none is lost with the old one. */
  private async sealAnew(tx: Transaction): Promise<void> {
    for (const { userId, sealedSeed } of await tx.repository(SecondFactor).find()) {
      const seed = this.seedIn(userId, sealedSeed);
      if (seed === null) continue;
      await tx
        .repository(SecondFactor)
        .update({ userId }, { sealedSeed: this.sealer.seal(PURPOSE, sealedText(userId, seed)) });
    }
  }

  /** Null if it was sealed for another user, or with an old secret. */
  private seedIn(userId: number, sealed: string): string | null {
    const [owner, seed] = (this.sealer.open(PURPOSE, sealed) ?? '').split(' ');
    return owner === String(userId) && seed !== undefined ? seed : null;
  }
}

/** Bound to the user: a seed copied to another user's row cannot be decrypted. */
function sealedText(userId: number, seed: string): string {
  return `${userId} ${seed}`;
}
