import { Injectable } from '@nestjs/common';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import { AccountDirectory } from '../../users/users.module';
import {
  type UserGroupRow,
  userGroupsState,
  userGroupWire,
  type UserGroupWire,
} from '../groups/group-records.api';
import { GroupDirectory, type GroupRecord, type NamedGroup } from '../groups/group.directory';
import { USER_GROUP_SETTING_NAMES } from '../groups/group-settings';
import {
  OrganizationPermissions,
  UserGroupSettingsService,
} from '../permissions/permission-settings.service';
import { PermissionService } from '../permissions/permission.service';
import { permissionsState } from '../permissions/permissions.api';

/** The JSON of a group's record, and everything from which it was built. */
interface CachedText {
  readonly text: string;
  readonly group: GroupRecord;
  readonly anonymousGroups: readonly GroupRecord[];
  /** All active accounts; the directory replaces the set when it changes. */
  readonly active: Audience;
}

/** Converts user groups to the records that clients receive. */
@Injectable()
export class UserGroupRecords {
  private readonly cached = new Map<number, CachedText>();

  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly permissions: PermissionService,
    private readonly settings: UserGroupSettingsService,
  ) {}

  /** @param changed properties that the directory does not show yet */
  record(group: NamedGroup, changed: Partial<UserGroupRow> = {}): UserGroupWire {
    const { active } = this.accounts;
    const members = [...group.members].filter((userId) => active.has(userId));
    return userGroupWire(
      { ...group, ...changed },
      members.sort((a, b) => a - b),
      [...group.subgroups].sort((a, b) => a - b),
      this.settings.valuesOf(group),
    );
  }

  /** All records, including system groups, ascending by ID. */
  list(withDeactivated: boolean): RawJson<UserGroupWire[]> {
    return this.json(this.groups.named().filter(({ isDeactivated }) => withDeactivated || !isDeactivated));
  }

  /** Records as JSON. Cached until something in them changes, as groups may have thousands of members. */
  private json(groups: readonly NamedGroup[]): RawJson<UserGroupWire[]> {
    return new RawJson(`[${groups.map((group) => this.textOf(group)).join(',')}]`);
  }

  private textOf(group: NamedGroup): string {
    let cached = this.cached.get(group.id);
    if (!cached || !this.isCurrent(cached, group)) {
      cached = this.write(group);
      this.cached.set(group.id, cached);
    }
    return cached.text;
  }

  /** Directories replace objects when they change, so the same object means the same content. */
  private isCurrent(cached: CachedText, group: NamedGroup): boolean {
    return (
      cached.group === group &&
      cached.active === this.accounts.active &&
      cached.anonymousGroups.every((anonymous) => this.groups.byId(anonymous.id) === anonymous)
    );
  }

  private write(group: NamedGroup): CachedText {
    const anonymousGroups = USER_GROUP_SETTING_NAMES.map((setting) =>
      this.groups.byId(this.permissions.groupIdIn(group, setting)),
    )
      .filter((holder) => holder !== undefined)
      .filter((holder) => holder.name === null);
    return {
      text: JSON.stringify(this.record(group)),
      group,
      anonymousGroups,
      active: this.accounts.active,
    };
  }
}

/** The capability of clients that support deactivated groups; others must not receive any. */
const DEACTIVATED_GROUPS = 'include_deactivated_groups';

/** Initial state for clients: groups, and the holders of the organization's permissions. */
@Injectable()
export class UserGroupsStateService {
  constructor(groups: UserGroupRecords, organization: OrganizationPermissions, hooks: Hooks) {
    hooks.on(
      initialState,
      stateFor('realm_user_groups', (_, { capabilities }) =>
        userGroupsState(groups.list(capabilities.has(DEACTIVATED_GROUPS))),
      ),
    );
    hooks.on(
      initialState,
      stateFor('realm', () => permissionsState(organization.wire())),
    );
  }
}
