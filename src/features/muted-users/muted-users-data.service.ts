import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../users';

/** Forgets whom somebody muted who is deleted. By whom they are muted is the affair of those people, and stays. */
@Injectable()
export class MutedUsersDataService implements PersonalDataKeeper {
  constructor(registry: PersonalDataRegistry) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    await tx.query('DELETE FROM muted_user WHERE user_id = ?', [userId]);
    tx.touch('muted_users', [userId]);
    return [];
  }
}
