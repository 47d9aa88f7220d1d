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
import { NoSecondFactor, SecondFactorIsOn } from './second-factors.api';
import { SecondFactor } from './second-factor.entity';

const PURPOSE = 'second-factors';

/** What people have beside their password. */
export interface FactorRecord {
  /** Whether they are asked for it. */
  readonly isOn: boolean;
  readonly hasApp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
}

/** A code, or the answer of a passkey in its place. */
export interface FactorProof {
  readonly code: string;
  readonly passkey?: PasskeyProof;
}

/** Second factors: authenticator apps (RFC 6238), passkeys, and recovery codes in the place of either. */
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

  /** What a person has. */
  async of(userId: number): Promise<FactorRecord> {
    const row = await this.rows.findOneBy({ userId });
    const passkeys = await this.passkeys.countBy({ userId });
    const hasApp = row?.isConfirmed ?? false;
    const isOn = hasApp || passkeys > 0;
    const recoveryCodesLeft = isOn && row ? this.recovery.leftOf(row) : 0;
    return { isOn, hasApp, passkeys, recoveryCodesLeft };
  }

  /** Whether the user has a second factor, as of this transaction. */
  async isOnIn(tx: Transaction, userId: number): Promise<boolean> {
    return (
      (await tx.repository(SecondFactor).existsBy({ userId, isConfirmed: true })) ||
      (await tx.repository(Passkey).existsBy({ userId }))
    );
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
        // Those of passkeys stay until the app has shown a right code.
        recoveryCodes: before?.recoveryCodes ?? '[]',
        createdAt: this.clock.nowSeconds(),
      });
    });
    return seed;
  }

  /**
   * Has the app count from now on, once it has shown a right code. All other sessions of the person end, and earlier
   * recovery codes no longer count.
   * @returns the recovery codes, shown this once; null for a wrong code
   * @throws NoSecondFactor, SecondFactorIsOn, LoginThrottled
   */
  async confirm(actor: Actor, code: string, sessionId: string): Promise<readonly string[] | null> {
    const { userId } = actor;
    const row = await this.rows.findOneBy({ userId });
    if (!row?.sealedSeed) throw new NoSecondFactor();
    if (row.isConfirmed) throw new SecondFactorIsOn();
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

  /** Gives recovery codes to a person who has no other factor than passkeys. */
  async storeRecoveryCodes(tx: Transaction, userId: number, { stored }: NewRecoveryCodes): Promise<void> {
    const before = await tx.repository(SecondFactor).findOneBy({ userId });
    const none = { userId, sealedSeed: '', isConfirmed: false, newestStep: 0 };
    const row = before ?? { ...none, createdAt: this.clock.nowSeconds() };
    await tx.repository(SecondFactor).save({ ...row, recoveryCodes: stored });
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
      if (!row || !(await this.of(userId)).isOn) return false;
      if (!/^\d{6}$/.test(given)) return this.recovery.use(by, row, given);
      return row.isConfirmed && this.useCode(row, given);
    });
  }

  /**
   * The same for a code or a passkey. Passkeys cannot be guessed, and are not counted.
   * @param sessionId in which it is asked for; empty while nobody is signed in
   * @returns why it is refused; null for a right one
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

  /** Takes the app away; passkeys and the recovery codes stay as long as there are passkeys. @throws NoSecondFactor */
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

  /** Takes all factors of a person away. @throws NoSecondFactor */
  async remove(by: AuditAuthor, userId: number): Promise<void> {
    await this.transactions.runExclusive((tx) => this.removeIn(tx, by, userId));
  }

  /** The same within the caller's exclusive transaction. */
  async removeIn(tx: Transaction, by: AuditAuthor, userId: number, exceptSession?: string): Promise<void> {
    const wasOn = await this.isOnIn(tx, userId);
    const { affected: passkeys } = await tx.repository(Passkey).delete({ userId });
    const { affected: rows } = await tx.repository(SecondFactor).delete({ userId });
    if (!passkeys && !rows) throw new NoSecondFactor();
    if (exceptSession !== undefined) await this.sessions.setFactor(tx, exceptSession, false);
    await this.removed(tx, by, userId, wasOn ? 'factor_removed' : null, exceptSession);
  }

  /** Nothing is left of a person's factors but recovery codes, which go. */
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
