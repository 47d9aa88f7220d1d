import { Injectable } from '@nestjs/common';
import {
  ExplainableActionRegistry,
  type ActionQuestion,
  type ExplainableActions,
} from '../explainable-action.registry';
import type { Explanation } from '../permissions/permission.service';
import { GROUP_OPERATIONS, UserGroupAccess, type GroupOperation } from '../permissions/user-group.access';

const MENTION = 'mention';

/** Says why somebody may do something to a user group or may not. */
@Injectable()
export class UserGroupActions implements ExplainableActions {
  readonly object = 'group';
  readonly names = [...Object.keys(GROUP_OPERATIONS), MENTION];

  constructor(
    private readonly access: UserGroupAccess,
    registry: ExplainableActionRegistry,
  ) {
    registry.register(this);
  }

  explain({ person, action, objectId }: ActionQuestion): Explanation {
    if (action === MENTION) return this.access.explainMention(person, objectId);
    return this.access.explain(person, objectId, action as GroupOperation);
  }
}
