import { Injectable } from '@nestjs/common';
import {
  GroupDirectory,
  type NamedGroup,
  UpdateGroupMembersService,
} from '../features/user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord, actorOf, UserAccess } from '../features/users/users.module';
import type { Actor, Role } from '../platform/actor';
import type { Audience } from '../platform/events/audience';

/** A person or a bot as exposed to modules. */
export interface PersonInfo {
  readonly id: number;
  readonly name: string;
  /** The address in the interface: the real one if everyone may see it. */
  readonly email: string;
  readonly role: Role;
  readonly isBot: boolean;
  readonly isActive: boolean;
}

/** Everyone with an account, from memory. */
@Injectable()
export class People {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
  ) {}

  /** The account with this ID, active or not; null if there is none. Does not check who may see it. */
  find(id: number): PersonInfo | null {
    const account = this.accounts.byId(id);
    return account ? this.info(account) : null;
  }

  /** The account with this real address, case-insensitive; for addresses from the operator or another system. */
  findByAddress(email: string): PersonInfo | null {
    const account = this.accounts.byDeliveryEmail(email);
    return account ? this.info(account) : null;
  }

  /**
   * An active account that the actor may see.
   * @throws ApiError for any other account
   */
  async visible(actor: Actor, id: number): Promise<PersonInfo> {
    return this.info(await this.access.activeForReading(actor, id));
  }

  /** All active accounts, including bots. */
  everybody(): Audience {
    return this.accounts.active;
  }

  /** Active owners and administrators. */
  administrators(): Audience {
    return this.accounts.administrators;
  }

  /** The account as an actor, for jobs that act on its behalf; null if it is deactivated. */
  actor(id: number): Actor | null {
    const account = this.accounts.byId(id);
    return account?.isActive ? actorOf(account) : null;
  }

  private info(account: AccountRecord): PersonInfo {
    const { id, fullName: name, role, isBot, isActive } = account;
    return { id, name, email: this.accounts.apiEmail(account), role, isBot, isActive };
  }
}

/** A user group as exposed to modules. */
export interface GroupInfo {
  readonly id: number;
  readonly name: string;
  /** Whether the server maintains it, such as `role:members`. */
  readonly isSystem: boolean;
  /** Direct members, by ID, ascending. */
  readonly memberIds: readonly number[];
}

/** User groups and their members, from memory. */
@Injectable()
export class Groups {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly members: UpdateGroupMembersService,
  ) {}

  /** The active group with this ID or exactly this name; null if there is none. */
  find(idOrName: number | string): GroupInfo | null {
    const group =
      typeof idOrName === 'number' ? this.groups.namedById(idOrName) : this.groups.byName(idOrName);
    return group && !group.isDeactivated ? info(group) : null;
  }

  /** Whether a user is in a group, directly or through subgroups: the way to check a permission. */
  contains(groupId: number, { userId }: Pick<Actor, 'userId'>): boolean {
    return this.groups.isMember(userId, groupId);
  }

  /**
   * Sets the direct members of a group, as if the actor had added and removed them. A no-op if nothing changes.
   * @throws ApiError if the actor may not, the group cannot be changed, or an account is deactivated
   */
  async setMembers(actor: Actor, groupId: number, userIds: readonly number[]): Promise<void> {
    const present = new Set(this.groups.namedById(groupId)?.members);
    const wanted = new Set(userIds);
    const add = [...wanted].filter((id) => !present.has(id));
    const remove = [...present].filter((id) => !wanted.has(id));
    if (add.length + remove.length === 0) return;
    await this.members.updateMembers(actor, groupId, { add, remove, addSubgroups: [], removeSubgroups: [] });
  }
}

function info({ id, name, isSystem, members }: NamedGroup): GroupInfo {
  return { id, name, isSystem, memberIds: [...members].sort((a, b) => a - b) };
}
