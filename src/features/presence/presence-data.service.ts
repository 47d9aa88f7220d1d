import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { type PersonalDataKeeper, PersonalDataRegistry } from '../users';
import { PresenceDirectory } from './presence.directory';
import { UserStatusRowsService } from './user-status-rows.service';
import { EMPTY_STATUS } from './user-status.wire';

/** Forgets when whoever is deleted was there, and what they said of themselves. */
@Injectable()
export class PresenceDataService implements PersonalDataKeeper {
  constructor(
    private readonly statuses: UserStatusRowsService,
    private readonly presence: PresenceDirectory,
    registry: PersonalDataRegistry,
  ) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    await this.statuses.store(tx, userId, EMPTY_STATUS);
    await tx.query('DELETE FROM presence WHERE user_id = ?', [userId]);
    this.presence.forget(userId);
    return [];
  }
}
