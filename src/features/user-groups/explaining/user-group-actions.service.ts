import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { type ActionQuestion, type ExplainableActions, explainableActionsSought } from '../user-groups.hooks';
import type { Explanation } from '../user-groups.hooks';
import { GROUP_OPERATIONS, UserGroupAccess, type GroupOperation } from '../permissions/user-group.access';

const MENTION = 'mention';

/** Says why somebody may do something to a user group or may not. */
@Injectable()
export class UserGroupActions implements ExplainableActions {
  readonly object = 'group';
  readonly names = [...Object.keys(GROUP_OPERATIONS), MENTION];

  constructor(
    private readonly access: UserGroupAccess,
    hooks: Hooks,
  ) {
    hooks.on(explainableActionsSought, () => this);
  }

  explain({ person, action, objectId }: ActionQuestion): Explanation {
    if (action === MENTION) return this.access.explainMention(person, objectId);
    return this.access.explain(person, objectId, action as GroupOperation);
  }
}
