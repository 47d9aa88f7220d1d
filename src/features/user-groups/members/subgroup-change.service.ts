import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { GroupDirectory } from '../groups/group.directory';
import type { GroupDraft } from './group-draft';
import { GroupReferenceAccess } from '../groups/group-reference.access';
import { GroupStore } from '../groups/group-store.service';
import { UserGroupEventsService } from '../groups/user-group-events.service';
import { UserGroupAccess } from '../permissions/user-group.access';
import { AlreadySubgroup, NotASubgroup, SubgroupCycle } from '../groups/user-groups.errors';

/** Nests groups and takes them apart, as steps of a larger change (groups reference 6.7 and 6.8). */
@Injectable()
export class SubgroupChangeService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly access: UserGroupAccess,
    private readonly references: GroupReferenceAccess,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
  ) {}

  /**
   * @throws InvalidUserGroup, InsufficientPermission, InvalidUserGroupId, UserGroupDeactivated, AlreadySubgroup,
   *   SubgroupCycle
   */
  async add(tx: Transaction, actor: Actor, draft: GroupDraft, wanted: readonly number[]): Promise<void> {
    if (wanted.length === 0) return;
    const group = this.access.forChange(actor, draft.id, 'add_subgroups');
    const subgroupIds = this.references.activeGroups(wanted);
    const present = wanted.find((subgroupId) => draft.subgroups.has(subgroupId));
    if (present !== undefined) throw new AlreadySubgroup(present);
    const above = this.groups.above([group.id]);
    if (subgroupIds.some((subgroupId) => above.has(subgroupId))) throw new SubgroupCycle(group.id);
    await this.store.addSubgroups(tx, group.id, subgroupIds);
    this.events.subgroupsAdded(tx, group, subgroupIds);
    for (const subgroupId of subgroupIds) draft.subgroups.add(subgroupId);
  }

  /** @throws InvalidUserGroup, InsufficientPermission, InvalidUserGroupId, UserGroupDeactivated, NotASubgroup */
  async remove(tx: Transaction, actor: Actor, draft: GroupDraft, wanted: readonly number[]): Promise<void> {
    if (wanted.length === 0) return;
    const group = this.access.forChange(actor, draft.id, 'remove_subgroups');
    const subgroupIds = this.references.activeGroups(wanted);
    const absent = wanted.find((subgroupId) => !draft.subgroups.has(subgroupId));
    if (absent !== undefined) throw new NotASubgroup(absent);
    await this.store.removeSubgroups(tx, group.id, subgroupIds);
    this.events.subgroupsRemoved(tx, group, subgroupIds);
    for (const subgroupId of subgroupIds) draft.subgroups.delete(subgroupId);
  }
}
