import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../users';

/** Removes what was there for clients of whoever is deleted. */
@Injectable()
export class QueuesDataService implements PersonalDataKeeper {
  constructor(registry: PersonalDataRegistry) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    await tx.query('DELETE FROM event_queue WHERE user_id = ?', [userId]);
    await tx.query('DELETE FROM sent_echo WHERE user_id = ?', [userId]);
    return [];
  }
}
