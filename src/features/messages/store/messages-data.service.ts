import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../../users';

/** Removes what whoever is deleted noted on messages and read of them. Conversations stay with the others in them. */
@Injectable()
export class MessagesDataService implements PersonalDataKeeper {
  constructor(registry: PersonalDataRegistry) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    await tx.query('DELETE FROM message_flag WHERE user_id = ?', [userId]);
    await tx.query('DELETE FROM read_block WHERE user_id = ?', [userId]);
    await tx.query('DELETE FROM read_watermark WHERE user_id = ?', [userId]);
    return [];
  }
}
