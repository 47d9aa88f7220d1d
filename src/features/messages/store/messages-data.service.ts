import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users';

/** Removes what whoever is deleted noted on messages and read of them. Conversations stay with the others in them. */
@Injectable()
export class MessagesDataService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.query('DELETE FROM message_flag WHERE user_id = ?', [userId]);
      await tx.query('DELETE FROM read_block WHERE user_id = ?', [userId]);
      await tx.query('DELETE FROM read_watermark WHERE user_id = ?', [userId]);
    });
  }
}
