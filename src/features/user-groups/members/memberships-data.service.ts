import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users';

/** Takes whoever is deleted out of all groups, those of roles and of permissions given one by one included. */
@Injectable()
export class MembershipsDataService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.query('DELETE FROM user_group_member WHERE user_id = ?', [userId]);
      tx.touch('group-memberships', [userId]);
    });
  }
}
