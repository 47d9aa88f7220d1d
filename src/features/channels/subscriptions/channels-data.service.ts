import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../../users';

/** Removes subscriptions of whoever is deleted, with all that was set or received through them. */
@Injectable()
export class ChannelsDataService implements PersonalDataKeeper {
  constructor(registry: PersonalDataRegistry) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    await tx.query('DELETE FROM subscription WHERE user_id = ?', [userId]);
    await tx.query('DELETE FROM subscription_period WHERE user_id = ?', [userId]);
    await tx.query('DELETE FROM channel_email_address WHERE user_id = ? OR sender_id = ?', [userId, userId]);
    tx.touch('account-subscriptions', [userId]);
    return [];
  }
}
