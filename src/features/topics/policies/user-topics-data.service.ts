import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../../users';

/** Removes what a deleted person said about topics. */
@Injectable()
export class UserTopicsDataService implements PersonalDataKeeper {
  constructor(registry: PersonalDataRegistry) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    await tx.query('DELETE FROM user_topic WHERE user_id = ?', [userId]);
    return [];
  }
}
