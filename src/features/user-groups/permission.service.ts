import { Injectable } from '@nestjs/common';
import type { Role } from '../../platform/actor';
import { isGuest } from '../../platform/actor';
import { AccountDirectory } from '../users/account.directory';
import { OrganizationDirectory } from '../organization/organization.directory';
import {
  ORGANIZATION_GROUP_SETTINGS,
  type GroupSettingDefinition,
  type OrganizationGroupSetting,
  type SystemGroupName,
} from '../organization/organization-settings';
import { GroupDirectory } from './group.directory';

/** Whoever may or may not do something: an actor or an account record reduced to what decides. */
export interface Requester {
  readonly userId: number;
  readonly role: Role;
}

/** The one place that decides whether somebody holds a permission that a setting gives to a group. */
@Injectable()
export class PermissionService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
  ) {}

  /**
   * Whether the requester is in the group that the setting names. Guests never hold a permission whose
   * setting refuses `role:everyone`, and deactivated accounts never hold any (groups reference 3.3).
   */
  allows(who: Requester, groupId: number, definition: GroupSettingDefinition): boolean {
    if (isGuest(who) && !definition.allowsEveryone) return false;
    if (!this.groups.isMember(who.userId, groupId)) return false;
    return this.accounts.byId(who.userId)?.isActive ?? false;
  }

  /** Whether the requester holds a permission of the organization. */
  allowsInOrganization(who: Requester, setting: OrganizationGroupSetting): boolean {
    return this.allows(who, this.organizationGroupId(setting), ORGANIZATION_GROUP_SETTINGS[setting]);
  }

  /** The group that holds a permission of the organization. */
  organizationGroupId(setting: OrganizationGroupSetting): number {
    const initial = ORGANIZATION_GROUP_SETTINGS[setting].default as SystemGroupName;
    return this.organization.groupSetting(setting) ?? this.groups.systemGroupId(initial);
  }
}
