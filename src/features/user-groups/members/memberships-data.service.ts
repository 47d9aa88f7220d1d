import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users';
import { UserGroupMember } from '../groups/user-group-member.entity';

/** Takes whoever is deleted out of all groups, those of roles and of permissions given one by one included. */
@Injectable()
export class MembershipsDataService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(UserGroupMember).delete({ userId });
      tx.touch('group-memberships', [userId]);
    });
  }
}
