import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users';

/** Removes subscriptions of whoever is deleted, with all that was set or received through them. */
@Injectable()
export class ChannelsDataService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.query('DELETE FROM subscription WHERE user_id = ?', [userId]);
      await tx.query('DELETE FROM subscription_period WHERE user_id = ?', [userId]);
      await tx.query('DELETE FROM channel_email_address WHERE user_id = ? OR sender_id = ?', [
        userId,
        userId,
      ]);
      tx.touch('account-subscriptions', [userId]);
    });
  }
}
