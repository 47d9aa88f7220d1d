import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import { AuditLog } from '../../audit/audit.module';
import { UserAccess } from '../../users/users.module';
import { GroupReferenceAccess } from '../groups/group-reference.access';
import type { GroupSettingValue } from '../groups/group-setting-value';
import { GroupStore } from '../groups/group-store.service';
import { PermissionService } from '../permissions/permission.service';
import { UserGroupEventsService } from '../groups/user-group-events.service';
import { UserGroupSettingsService } from '../permissions/user-group-settings.service';
import type { UserGroupSetting } from '../groups/user-group-settings';
import { userGroupWire } from '../groups/group-records.api';

/** A group as the request describes it. */
export interface NewUserGroup {
  readonly name: string;
  readonly description: string;
  readonly memberIds: readonly number[];
  readonly subgroupIds: readonly number[];
  readonly settings: Readonly<Partial<Record<UserGroupSetting, GroupSettingValue>>>;
}

/** Makes user groups. */
@Injectable()
export class CreateUserGroupService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly permissions: PermissionService,
    private readonly references: GroupReferenceAccess,
    private readonly settings: UserGroupSettingsService,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Clients see the first check that fails: permission, people, name, permissions of the group, subgroups. The creator becomes no member, but may add members and
   * manage the group unless something else was chosen.
   * @returns the ID of the group
   * @throws InsufficientPermission, InvalidUserId, errors of names and group-setting values, InvalidUserGroupId,
   *   UserGroupDeactivated
   */
  create(actor: Actor, wanted: NewUserGroup): Promise<number> {
    return this.transactions.runExclusive(async (tx) => {
      const creator = this.users.current(actor);
      if (!this.permissions.allowsInOrganization(creator, 'can_create_groups')) {
        throw new InsufficientPermission();
      }
      const memberIds = this.references.activeAccounts(wanted.memberIds);
      const name = this.store.checkedName(wanted.name);
      const settings = this.settings.complete(wanted.settings, creator.userId);
      this.store.checkNameIsFree(name);
      const subgroupIds = this.references.activeGroups(wanted.subgroupIds);

      const holders = await this.settings.store(tx, settings);
      const { description } = wanted;
      const group = await this.store.insert(tx, { name, description, creatorId: creator.userId, ...holders });
      await this.store.addMembers(tx, group.id, memberIds);
      await this.store.addSubgroups(tx, group.id, subgroupIds);
      this.events.added(tx, userGroupWire({ ...group, name }, memberIds, [], settings));
      this.audit.record(tx, creator, 'group.created', { id: group.id }, { name, ...settings });
      this.audit.record(tx, creator, 'group.member_added', { id: group.id, userId: memberIds });
      if (subgroupIds.length > 0) {
        const details = { added: subgroupIds };
        this.audit.record(tx, creator, 'group.subgroups_changed', { id: group.id }, details);
      }
      if (subgroupIds.length > 0) this.events.subgroupsAdded(tx, group, subgroupIds);
      return group.id;
    });
  }
}
