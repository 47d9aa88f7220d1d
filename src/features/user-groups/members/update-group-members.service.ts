import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { UserAccess } from '../../users';
import { GroupDirectory, type NamedGroup } from '../groups/group.directory';
import type { GroupDraft } from './group-draft';
import { GroupMemberChangeService } from './group-member-change.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { groupMembershipChanged, type GroupMembershipChange } from '../user-groups.hooks';
import { SubgroupChangeService } from './subgroup-change.service';
import { NothingToDo } from '../groups/user-groups.errors';

/** Who and what is to come to a group and to leave it, by ID. */
export interface WantedMembers {
  readonly add: readonly number[];
  readonly remove: readonly number[];
  readonly addSubgroups: readonly number[];
  readonly removeSubgroups: readonly number[];
}

/** Changes who is in user groups, deactivated ones included (spec, endpoints 16 and 17; groups reference 6.7). */
@Injectable()
export class UpdateGroupMembersService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly groups: GroupDirectory,
    private readonly people: GroupMemberChangeService,
    private readonly subgroups: SubgroupChangeService,
    private readonly hooks: Hooks,
  ) {}

  /** Members and subgroups in one request, all or nothing. @throws NothingToDo, and what the steps throw */
  async updateMembers(actor: Actor, groupId: number, wanted: WantedMembers): Promise<void> {
    if (isEmpty(wanted)) {
      throw new NothingToDo(
        'Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      );
    }
    await this.update(actor, groupId, wanted);
  }

  /** Subgroups alone. @throws NothingToDo, and what the steps throw */
  async updateSubgroups(
    actor: Actor,
    groupId: number,
    wanted: Pick<WantedMembers, 'addSubgroups' | 'removeSubgroups'>,
  ): Promise<void> {
    const all = { add: [], remove: [], ...wanted };
    if (isEmpty(all)) throw new NothingToDo('Specify at least one of "add" or "delete".');
    await this.update(actor, groupId, all);
  }

  private async update(actor: Actor, groupId: number, wanted: WantedMembers): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const current = this.users.current(actor);
      const draft = this.draftOf(groupId);
      await this.people.add(tx, current, draft, wanted.add);
      await this.people.remove(tx, current, draft, wanted.remove);
      await this.subgroups.add(tx, current, draft, wanted.addSubgroups);
      await this.subgroups.remove(tx, current, draft, wanted.removeSubgroups);
      await this.hooks.run(groupMembershipChanged, tx, this.changeMade(current, draft));
    });
  }

  private changeMade(actor: Actor, after: GroupDraft): GroupMembershipChange {
    const group = this.groups.namedById(after.id) as NamedGroup;
    return {
      actor,
      group,
      after,
      addedUserIds: missing(after.members, group.members),
      removedUserIds: missing(group.members, after.members),
    };
  }

  /** Each step looks for the group itself, in its turn among its checks. */
  private draftOf(groupId: number): GroupDraft {
    const group = this.groups.namedById(groupId);
    return { id: groupId, members: new Set(group?.members), subgroups: new Set(group?.subgroups) };
  }
}

function isEmpty({ add, remove, addSubgroups, removeSubgroups }: WantedMembers): boolean {
  return [add, remove, addSubgroups, removeSubgroups].every((ids) => ids.length === 0);
}

/** IDs of the one set that the other lacks, ascending. */
function missing(ids: ReadonlySet<number>, other: ReadonlySet<number>): number[] {
  return [...ids].filter((id) => !other.has(id)).sort((a, b) => a - b);
}
