import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { EmitOptions, ServerEvent } from '../../../platform/events/server-event';
import { AccountDirectory } from '../../users/users.module';
import type { NamedGroup } from './group.directory';
import {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupRemoved,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
  type UserGroupPropertyValue,
  type UserGroupWire,
} from './group-records.api';

/** Clients that declare this know deactivated groups; the others must not hear of any. */
const DEACTIVATED_GROUPS = 'include_deactivated_groups';

type GroupState = Pick<NamedGroup, 'id' | 'isDeactivated'>;

/** Tells everybody how a group changed. */
@Injectable()
export class UserGroupEventsService {
  constructor(private readonly accounts: AccountDirectory) {}

  added(tx: Transaction, group: UserGroupWire): void {
    tx.emit(groupAdded({ group }), this.accounts.active);
  }

  /** One event for each property. */
  updated(tx: Transaction, group: GroupState, property: string, value: UserGroupPropertyValue): void {
    this.emit(tx, group, groupUpdated({ group_id: group.id, data: { [property]: value } }));
  }

  deactivated(tx: Transaction, { id }: GroupState): void {
    this.updated(tx, { id, isDeactivated: true }, 'deactivated', true);
    tx.emit(groupRemoved({ group_id: id }), this.accounts.active, { unless: DEACTIVATED_GROUPS });
  }

  /** @param group as it is from now on */
  reactivated(tx: Transaction, group: UserGroupWire): void {
    this.updated(tx, { id: group.id, isDeactivated: true }, 'deactivated', false);
    tx.emit(groupAdded({ group }), this.accounts.active, { unless: DEACTIVATED_GROUPS });
  }

  membersAdded(tx: Transaction, group: GroupState, userIds: readonly number[]): void {
    this.emit(tx, group, groupMembersAdded({ group_id: group.id, user_ids: userIds }));
  }

  membersRemoved(tx: Transaction, group: GroupState, userIds: readonly number[]): void {
    this.emit(tx, group, groupMembersRemoved({ group_id: group.id, user_ids: userIds }));
  }

  subgroupsAdded(tx: Transaction, group: GroupState, subgroupIds: readonly number[]): void {
    this.emit(tx, group, subgroupsAdded({ group_id: group.id, direct_subgroup_ids: subgroupIds }));
  }

  subgroupsRemoved(tx: Transaction, group: GroupState, subgroupIds: readonly number[]): void {
    this.emit(tx, group, subgroupsRemoved({ group_id: group.id, direct_subgroup_ids: subgroupIds }));
  }

  private emit(tx: Transaction, group: GroupState, event: ServerEvent): void {
    const options: EmitOptions = group.isDeactivated ? { requires: DEACTIVATED_GROUPS } : {};
    tx.emit(event, this.accounts.active, options);
  }
}
