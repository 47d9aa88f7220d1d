import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../../users';

/** Takes whoever is deleted out of all groups, those of roles and of permissions given one by one included. */
@Injectable()
export class MembershipsDataService implements PersonalDataKeeper {
  constructor(registry: PersonalDataRegistry) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    await tx.query('DELETE FROM user_group_member WHERE user_id = ?', [userId]);
    tx.touch('group-memberships', [userId]);
    return [];
  }
}
