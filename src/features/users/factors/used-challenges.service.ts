import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { sha256 } from './authenticator-data';

/** Has challenges, and tokens of others, count once. */
@Injectable()
export class UsedChallenges {
  /**
   * Has a challenge count as used.
   * @param expiresAt when it would be too old anyway, UNIX seconds
   * @returns false if it was used before
   */
  async spend(tx: Transaction, challenge: string, expiresAt: number): Promise<boolean> {
    const spent = await tx.query(
      'INSERT INTO used_challenge (digest, expires_at) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING RETURNING id',
      [sha256(challenge).toString('hex'), expiresAt],
    );
    return spent.length === 1;
  }
}
