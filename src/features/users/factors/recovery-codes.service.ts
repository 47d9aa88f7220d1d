import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { Passwords } from '../../../platform/secrets/passwords';
import { type AuditAuthor, AuditLog } from '../../audit/audit.module';
import { credentialsChanged } from '../users.hooks';
import type { SecondFactor } from './second-factor.entity';

const RECOVERY_CODES = 10;

/** Ten characters from a set of 32, after the number. */
const RECOVERY_CODE = /^(\d{1,2})-([a-z2-7]{5})-([a-z2-7]{5})$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** New recovery codes: in plain text, to be shown once, and as stored. */
export interface NewRecoveryCodes {
  readonly codes: readonly string[];
  readonly stored: string;
}

/** Recovery codes, each of which replaces a lost app or passkey once. */
@Injectable()
export class RecoveryCodeService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly passwords: Passwords,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /** Slow, because of the hashes. */
  async make(): Promise<NewRecoveryCodes> {
    const codes = Array.from({ length: RECOVERY_CODES }, (_, index) => newRecoveryCode(index));
    const hashes = await Promise.all(codes.map((each) => this.passwords.hash(each)));
    return { codes, stored: JSON.stringify(hashes) };
  }

  /** How many codes are left. */
  leftOf(row: SecondFactor): number {
    return hashesOf(row).filter((hash) => hash !== null).length;
  }

  /** Marks a code as used. @returns whether it was valid and unused */
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

/** 50 random bits after the code's number, which selects the hash to compare. */
function newRecoveryCode(index: number): string {
  const letters = [...randomBytes(10)].map((byte) => LETTERS[byte % LETTERS.length]!).join('');
  return `${index}-${letters.slice(0, 5)}-${letters.slice(5)}`;
}
