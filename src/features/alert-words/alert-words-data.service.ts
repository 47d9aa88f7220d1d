import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../users';

/** Removes the alert words of whoever is deleted. */
@Injectable()
export class AlertWordsDataService implements PersonalDataKeeper {
  constructor(registry: PersonalDataRegistry) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    await tx.query('DELETE FROM alert_word WHERE user_id = ?', [userId]);
    tx.touch('alert_words', [userId]);
    return [];
  }
}
