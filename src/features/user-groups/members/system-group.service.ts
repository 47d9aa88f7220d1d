import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { In } from 'typeorm';
import { isGuest, Role } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { chunksOf } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import {
  type GroupSettingDefinition,
  OrganizationDirectory,
  SYSTEM_GROUP_NAMES,
  type SystemGroupName,
} from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { groupMembersAdded, groupMembersRemoved, type GroupObjection } from '../groups/group-records.api';
import { GroupDirectory } from '../groups/group.directory';
import { UserGroup, UserGroupMember, UserGroupSubgroup } from '../groups/user-group.entity';
import { GroupUsageService } from '../permissions/permission.service';
import { groupMembershipChanged } from '../user-groups.hooks';

const DESCRIPTIONS: Record<SystemGroupName, string> = {
  'role:nobody': 'Nobody',
  'role:owners': 'Owners of this organization',
  'role:administrators': 'Administrators of this organization, including owners',
  'role:moderators': 'Moderators of this organization, including administrators',
  'role:fullmembers': 'Members of this organization, not including new accounts and guests',
  'role:members': 'Members of this organization, not including guests',
  'role:everyone': 'Everyone in this organization, including guests',
  'role:internet': 'Everyone on the Internet',
};

const SECONDS_A_DAY = 86_400;
const HOUR_MS = 3_600_000;

const MEMBERS_PER_STATEMENT = 500;

/** The properties of an account that determine its system groups. */
interface Placement {
  readonly userId: number;
  readonly role: Role;
  /** UNIX seconds. */
  readonly dateJoined: number;
}

/**
 * Maintains the system groups (`role:...`): ordinary rows, changed only through roles. Members become full members once
 * their accounts are old enough, which is checked hourly.
 */
@Injectable()
export class SystemGroupService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly promotion = new PeriodicTask('FullMemberPromotion', () => this.promote());

  constructor(
    private readonly groups: GroupDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
    private readonly transactions: TransactionService,
  ) {}

  onApplicationBootstrap(): void {
    this.promotion.start(HOUR_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.promotion.stop();
  }

  /** Without a waiting period everyone is a full member from the start. */
  async promote(): Promise<void> {
    const days = this.organization.settings.waiting_period_threshold;
    if (days === 0) return;
    await this.transactions.runExclusive((tx) => this.updateFullMembers(tx, days));
  }

  /**
   * Creates the eight system groups, nested in a chain and without members.
   * @returns their IDs by name
   */
  async createAll(tx: Transaction): Promise<Record<SystemGroupName, number>> {
    const ids = {} as Record<SystemGroupName, number>;
    for (const name of SYSTEM_GROUP_NAMES) {
      const { id } = await tx
        .repository(UserGroup)
        .save({ name, description: DESCRIPTIONS[name], isSystem: true, isDeactivated: false });
      ids[name] = id;
    }
    await this.nest(tx, ids);
    await this.forbidManaging(tx, ids['role:nobody']);
    tx.touch('groups', Object.values(ids));
    return ids;
  }

  /**
   * Moves an account into the groups of its role and out of all others, and emits the changes.
   * @param groupIds IDs of the system groups, if they were created in this transaction
   */
  async place(
    tx: Transaction,
    account: Placement,
    audience: Audience,
    groupIds?: Record<SystemGroupName, number>,
  ): Promise<void> {
    const idOf = (name: SystemGroupName) => groupIds?.[name] ?? this.groups.systemGroupId(name);
    const wanted = new Set(this.groupNames(account).map(idOf));
    const current = await this.currentGroups(tx, account.userId);
    for (const groupId of current.filter((id) => !wanted.has(id))) {
      await tx.repository(UserGroupMember).delete({ groupId, userId: account.userId });
      tx.emit(groupMembersRemoved({ group_id: groupId, user_ids: [account.userId] }), audience);
    }
    for (const groupId of [...wanted].filter((id) => !current.includes(id))) {
      await tx.repository(UserGroupMember).insert({ groupId, userId: account.userId });
      tx.emit(groupMembersAdded({ group_id: groupId, user_ids: [account.userId] }), audience);
    }
    tx.touch('group-memberships', [account.userId]);
  }

  /** Whether a member's account is old enough for `role:fullmembers`: whole days since joining. */
  isFullMember(account: Pick<Placement, 'dateJoined'>): boolean {
    const days = Math.floor((this.clock.nowSeconds() - account.dateJoined) / SECONDS_A_DAY);
    return days >= this.organization.settings.waiting_period_threshold;
  }

  /**
   * Sets the members of `role:fullmembers` to exactly those whose accounts are old enough, and emits the changes.
   * Called when the waiting period changes and periodically, as accounts age.
   * @param waitingDays the organization's waiting period, in days
   */
  async updateFullMembers(tx: Transaction, waitingDays: number): Promise<void> {
    const groupId = this.groups.systemGroupId('role:fullmembers');
    const latest = this.clock.nowSeconds() - waitingDays * SECONDS_A_DAY;
    const rows = await tx.query<{ id: number; is_active: unknown; is_full: unknown; is_in: unknown }>(
      `SELECT a.id, a.is_active, a.date_joined <= ? AS is_full,
         EXISTS (SELECT 1 FROM user_group_member m WHERE m.group_id = ? AND m.user_id = a.id) AS is_in
       FROM account a WHERE a.role = ? AND a.is_system_bot = ? AND a.is_deleted = ? ORDER BY a.id`,
      [latest, groupId, Role.member, false, false],
    );
    const added = rows.filter((row) => row.is_full && !row.is_in).map((row) => row.id);
    const removed = rows.filter((row) => !row.is_full && row.is_in).map((row) => row.id);
    const members = tx.repository(UserGroupMember);
    for (const some of chunksOf(added, MEMBERS_PER_STATEMENT)) {
      await members.insert(some.map((userId) => ({ groupId, userId })));
    }
    for (const some of chunksOf(removed, MEMBERS_PER_STATEMENT)) {
      await members.delete({ groupId, userId: In(some) });
    }
    const everybody = this.accounts.active;
    // Deactivated accounts are not shown as members.
    const isShown = new Set(rows.filter((row) => row.is_active).map((row) => row.id));
    const came = added.filter((userId) => isShown.has(userId));
    const went = removed.filter((userId) => isShown.has(userId));
    if (came.length > 0) tx.emit(groupMembersAdded({ group_id: groupId, user_ids: came }), everybody);
    if (went.length > 0) tx.emit(groupMembersRemoved({ group_id: groupId, user_ids: went }), everybody);
    if (added.length + removed.length === 0) return;
    tx.touch('group-memberships', [...added, ...removed]);
    const group = this.groups.namedById(groupId);
    if (!group) return;
    const after = new Set([...group.members, ...added]);
    for (const userId of removed) after.delete(userId);
    await this.hooks.run(groupMembershipChanged, tx, {
      actor: null,
      group,
      after: { id: groupId, members: after, subgroups: group.subgroups },
      addedUserIds: added,
      removedUserIds: removed,
    });
  }

  /** All groups that will contain the account, at any depth, after it is placed. */
  groupsOncePlaced(account: Placement): ReadonlySet<number> {
    const roles = this.groupNames(account).map((name) => this.groups.systemGroupId(name));
    const others = this.groups.directGroupsOf(account.userId).filter(({ isSystem }) => !isSystem);
    return this.groups.above([...roles, ...others.map(({ id }) => id)]);
  }

  private groupNames(account: Placement): SystemGroupName[] {
    switch (account.role) {
      case Role.owner:
        return ['role:owners'];
      case Role.administrator:
        return ['role:administrators'];
      case Role.moderator:
        return ['role:moderators'];
      case Role.member:
        return this.isFullMember(account) ? ['role:members', 'role:fullmembers'] : ['role:members'];
      case Role.guest:
        return ['role:everyone'];
    }
  }

  private async currentGroups(tx: Transaction, userId: number): Promise<number[]> {
    const rows = await tx.query<{ group_id: number }>(
      `SELECT m.group_id FROM user_group_member m JOIN user_group g ON g.id = m.group_id
       WHERE m.user_id = ? AND g.is_system = ? AND g.name IS NOT NULL ORDER BY m.group_id`,
      [userId, true],
    );
    return rows.map((row) => row.group_id);
  }

  private async nest(tx: Transaction, ids: Record<SystemGroupName, number>): Promise<void> {
    const chain = SYSTEM_GROUP_NAMES.slice(1);
    for (let i = 1; i < chain.length; i++) {
      await tx.repository(UserGroupSubgroup).insert({
        groupId: ids[chain[i] as SystemGroupName],
        subgroupId: ids[chain[i - 1] as SystemGroupName],
      });
    }
  }

  /** All settings of a system group are `role:nobody`. */
  private async forbidManaging(tx: Transaction, nobodyId: number): Promise<void> {
    await tx.repository(UserGroup).update(
      { isSystem: true },
      {
        canAddMembersGroup: nobodyId,
        canJoinGroup: nobodyId,
        canLeaveGroup: nobodyId,
        canManageGroup: nobodyId,
        canMentionGroup: nobodyId,
        canRemoveMembersGroup: nobodyId,
      },
    );
  }
}

/** The properties of an account that determine its permissions, whether it is active or not. */
interface Holder {
  readonly role: Role;
  readonly groupIds: ReadonlySet<number>;
}

/** Finds permissions with only one holder. Requires an exclusive transaction, in which memory equals the database. */
@Injectable()
export class SoleHolderService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    private readonly usage: GroupUsageService,
    private readonly systemGroups: SystemGroupService,
  ) {}

  /**
   * Settings that would lose their last holder.
   * @param roleAfter the account's new role; null if it leaves
   */
  dependentsOf(account: AccountRecord, roleAfter: Role | null): GroupObjection[] {
    const before = { role: account.role, groupIds: this.groups.groupsOf(account.id) };
    const after = roleAfter === null ? null : this.holderWith(account, roleAfter);
    const others = new Map<string, boolean>();
    return this.usage.dependents((groupId, definition) => {
      if (!holds(before, groupId, definition) || (after && holds(after, groupId, definition))) return false;
      const key = `${groupId} ${definition.allowsEveryone}`;
      const known = others.get(key) ?? this.isHeldByOthers(account.id, groupId, definition);
      others.set(key, known);
      return !known;
    });
  }

  private holderWith(account: AccountRecord, role: Role): Holder {
    const placement = { userId: account.id, role, dateJoined: account.dateJoined };
    return { role, groupIds: this.systemGroups.groupsOncePlaced(placement) };
  }

  private isHeldByOthers(userId: number, groupId: number, definition: GroupSettingDefinition): boolean {
    for (const id of this.groups.below(groupId)) {
      for (const memberId of this.groups.byId(id)?.members ?? []) {
        const member = memberId === userId ? undefined : this.accounts.byId(memberId);
        if (member?.isActive && isOpenTo(member, definition)) return true;
      }
    }
    return false;
  }
}

function holds({ role, groupIds }: Holder, groupId: number, definition: GroupSettingDefinition): boolean {
  return groupIds.has(groupId) && isOpenTo({ role }, definition);
}

function isOpenTo(who: { readonly role: Role }, { allowsEveryone }: GroupSettingDefinition): boolean {
  return allowsEveryone || !isGuest(who);
}
