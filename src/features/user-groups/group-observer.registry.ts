import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import type { GroupContents, NamedGroup } from './groups/group.directory';

/** People and groups that came to a group or left it. */
export interface GroupMembershipChange {
  /** Null where accounts only grew old enough; nothing is called after that commit. */
  readonly actor: Actor | null;
  /** As it was before; once the change is committed, its members are the new ones. */
  readonly group: NamedGroup;
  readonly after: GroupContents;
  /** Direct members, ascending. */
  readonly addedUserIds: readonly number[];
  readonly removedUserIds: readonly number[];
}

/** What a higher feature does when the members of groups change. */
export interface GroupObserver {
  /**
   * Called inside the exclusive transaction of the change, after its rows and events are written: the
   * directories in memory still show the state before, and an error undoes everything.
   */
  membershipChanged?(tx: Transaction, change: GroupMembershipChange): Promise<void>;

  /** Called once the change is committed, for what takes long; it does not throw. */
  membershipCommitted?(change: GroupMembershipChange): Promise<void>;
}

/** Where observers of groups register themselves. They are called in the order of registration. */
@Injectable()
export class GroupObserverRegistry implements Required<GroupObserver> {
  private readonly observers: GroupObserver[] = [];

  register(observer: GroupObserver): void {
    this.observers.push(observer);
  }

  async membershipChanged(tx: Transaction, change: GroupMembershipChange): Promise<void> {
    for (const observer of this.observers) await observer.membershipChanged?.(tx, change);
  }

  async membershipCommitted(change: GroupMembershipChange): Promise<void> {
    for (const observer of this.observers) await observer.membershipCommitted?.(change);
  }
}
