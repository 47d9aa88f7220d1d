import { Injectable } from '@nestjs/common';
import { isGuest, type Role } from '../../../platform/actor';
import type { GroupSettingDefinition } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { GroupDirectory } from '../groups/group.directory';
import { GroupUsageService } from '../permissions/group-usage.service';
import { SystemGroupService } from './system-group.service';
import type { GroupObjection } from '../groups/group-records.api';

/** The part of an account that decides its permissions, whether the account is active or not. */
interface Holder {
  readonly role: Role;
  readonly groupIds: ReadonlySet<number>;
}

/** Finds permissions that only one account holds. Needs an exclusive transaction, where memory equals the database. */
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
   * @param roleAfter the account's role to be; null where it leaves
   */
  restingOn(account: AccountRecord, roleAfter: Role | null): GroupObjection[] {
    const before = { role: account.role, groupIds: this.groups.groupsOf(account.id) };
    const after = roleAfter === null ? null : this.holderWith(account, roleAfter);
    const others = new Map<string, boolean>();
    return this.usage.resting((groupId, definition) => {
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
