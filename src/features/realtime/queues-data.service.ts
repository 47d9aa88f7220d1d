import { Injectable } from '@nestjs/common';
import { Hooks } from '../../platform/hooks/hooks';
import { personalDataRemoved } from '../users';

/** Removes what was there for clients of whoever is deleted. */
@Injectable()
export class QueuesDataService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.query('DELETE FROM event_queue WHERE user_id = ?', [userId]);
      await tx.query('DELETE FROM sent_echo WHERE user_id = ?', [userId]);
    });
  }
}
