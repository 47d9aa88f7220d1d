import { Injectable } from '@nestjs/common';
import { ORGANIZATION_GROUP_SETTING_NAMES, type OrganizationGroupSetting } from '../../organization-settings';
import { Hooks } from '../../../platform/hooks/hooks';
import { type ActionQuestion, type ExplainableActions, explainableActionsSought } from '../user-groups.hooks';
import type { Explanation } from '../user-groups.hooks';
import { PermissionService } from '../permissions/permission.service';

/** Says why somebody holds a permission of the organization or does not; these are called by their names. */
@Injectable()
export class OrganizationActions implements ExplainableActions {
  readonly object = 'organization';
  readonly names = ORGANIZATION_GROUP_SETTING_NAMES;

  constructor(
    private readonly permissions: PermissionService,
    hooks: Hooks,
  ) {
    hooks.on(explainableActionsSought, () => this);
  }

  explain({ person, action }: ActionQuestion): Explanation {
    return this.permissions.explainInOrganization(person, action as OrganizationGroupSetting);
  }
}
