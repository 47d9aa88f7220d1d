import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { Passwords } from '../../../platform/secrets/passwords';
import { type AuditAuthor, AuditLog } from '../../audit/audit.module';
import { credentialsChanged } from '../users.hooks';
import type { SecondFactor } from './second-factor.entity';

const RECOVERY_CODES = 10;

/** Ten letters of 32 each. */
const RECOVERY_CODE = /^(\d{1,2})-([a-z2-7]{5})-([a-z2-7]{5})$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Recovery codes that nobody has yet: to be shown once, and as they are stored. */
export interface NewRecoveryCodes {
  readonly codes: readonly string[];
  readonly stored: string;
}

/** Codes that stand once for an app or a passkey that was lost. */
@Injectable()
export class RecoveryCodeService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly passwords: Passwords,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /** Hashing them is slow. */
  async make(): Promise<NewRecoveryCodes> {
    const codes = Array.from({ length: RECOVERY_CODES }, (_, index) => newRecoveryCode(index));
    const hashes = await Promise.all(codes.map((each) => this.passwords.hash(each)));
    return { codes, stored: JSON.stringify(hashes) };
  }

  /** How many a person has not used. */
  leftOf(row: SecondFactor): number {
    return hashesOf(row).filter((hash) => hash !== null).length;
  }

  /** Has a code count as used. @returns whether it is one that was not */
  async use(by: AuditAuthor, row: SecondFactor, code: string): Promise<boolean> {
    const [, index] = RECOVERY_CODE.exec(code) ?? [];
    const hashes = hashesOf(row);
    const hash = index === undefined ? null : (hashes[Number(index)] ?? null);
    if (!(await this.passwords.verifyAny(hash, code))) return false;
    hashes[Number(index)] = null;
    return this.transactions.run((tx) => this.store(tx, by, row, hashes));
  }

  private async store(
    tx: Transaction,
    by: AuditAuthor,
    { userId, recoveryCodes }: SecondFactor,
    hashes: readonly (string | null)[],
  ): Promise<boolean> {
    const used = await tx.query(
      'UPDATE second_factor SET recovery_codes = ? WHERE user_id = ? AND recovery_codes = ? RETURNING user_id',
      [JSON.stringify(hashes), userId, recoveryCodes],
    );
    if (used.length === 0) return false;
    const left = hashes.filter((each) => each !== null).length;
    this.audit.record(tx, by, 'user.recovery_code_used', { userId }, { left });
    await this.hooks.run(credentialsChanged, tx, userId, 'recovery_code_used');
    return true;
  }
}

function hashesOf({ recoveryCodes }: SecondFactor): (string | null)[] {
  return JSON.parse(recoveryCodes) as (string | null)[];
}

/** 50 random bits behind its number, which says with which hash it is compared. */
function newRecoveryCode(index: number): string {
  const letters = [...randomBytes(10)].map((byte) => LETTERS[byte % LETTERS.length]!).join('');
  return `${index}-${letters.slice(0, 5)}-${letters.slice(5)}`;
}
