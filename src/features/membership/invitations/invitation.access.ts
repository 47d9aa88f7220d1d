import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator, isGuest, isOwner, Role } from '../../../platform/actor';
import { requireOwnKey } from '../../../platform/http/access.guard';
import { Clock } from '../../../platform/clock';
import { InsufficientPermission, MustBeOwner } from '../../../platform/errors/shared.errors';
import type { Queryable } from '../../../platform/sql/queryable';
import { PermissionService, type Requester } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { Invitation } from '../membership.entity';
import {
  InvitationNeedsAdministrator,
  InvitationRevokedAlready,
  NoSuchInvitation,
} from './invitation-records.api';

/** Kinds of invitations: for one person, or a link for several. */
export type InvitationKind = 'person' | 'link';

/** Decides who may invite whom, and whether an invitation is still valid. */
@Injectable()
export class InvitationAccess {
  constructor(
    private readonly permissions: PermissionService,
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
  ) {}

  mayInvite(who: Requester, kind: InvitationKind): boolean {
    const setting = kind === 'link' ? 'create_multiuse_invite_group' : 'can_invite_users_group';
    return this.permissions.allowsInOrganization(who, setting);
  }

  /**
   * With a named key, an invitation cannot grant a role with more rights than the key.
   * @throws InsufficientPermission, InsufficientScope, MustBeOwner, InvitationNeedsAdministrator
   */
  requireMayInvite(actor: Actor, kind: InvitationKind, role: number): void {
    if (!this.mayInvite(actor, kind)) throw new InsufficientPermission();
    this.requireMayGive(actor, role);
    if (isPrivileged(role)) requireOwnKey(actor);
  }

  /** Whether a person may see the link of an invitation, with which anyone can join. */
  maySeeLink(actor: Actor, invitation: Pick<Invitation, 'inviterId' | 'role'>): boolean {
    return this.mayChange(actor, invitation) && !(actor.limit && isPrivileged(invitation.role));
  }

  /**
   * An invitation that the actor may revoke: their own, and for administrators those of others.
   * @throws NoSuchInvitation, InvitationRevokedAlready, MustBeOwner, InvitationNeedsAdministrator
   */
  async forChange(db: Queryable, actor: Actor, kind: InvitationKind, id: number): Promise<Invitation> {
    const isMultiuse = kind === 'link';
    const invitation = await db.repository(Invitation).findOneBy({ id, isMultiuse });
    if (!invitation || (!isMultiuse && invitation.state !== 'open')) throw new NoSuchInvitation();
    if (!this.mayChange(actor, invitation)) {
      throw isAdministrator(actor) ? new MustBeOwner() : new InvitationNeedsAdministrator();
    }
    if (invitation.state !== 'open') throw new InvitationRevokedAlready();
    return invitation;
  }

  /** Whether a person may revoke an invitation. */
  mayChange(who: Requester, { inviterId, role }: Pick<Invitation, 'inviterId' | 'role'>): boolean {
    if (inviterId === who.userId) return true;
    return isAdministrator(who) && (role !== Role.owner || isOwner(who));
  }

  /**
   * Whether the invitation can be used now. It grants no more than the inviter could grant: it is suspended while the
   * inviter is deactivated, a guest, or below the required role, and while an account has the invited address.
   */
  isOpen({ state, expiresAt, inviterId, role, email, isMultiuse }: Invitation): boolean {
    if (state !== 'open' || (expiresAt !== null && expiresAt <= this.clock.nowSeconds())) return false;
    if (!isMultiuse && this.accounts.byDeliveryEmail(email)) return false;
    const inviter = this.accounts.byId(inviterId);
    return inviter !== undefined && inviter.isActive && mayGive(inviter, role);
  }

  private requireMayGive(actor: Actor, role: number): void {
    if (mayGive(actor, role)) return;
    throw role === Role.owner ? new MustBeOwner() : new InvitationNeedsAdministrator();
  }
}

/** Whether the role is owner, administrator or moderator. */
function isPrivileged(role: number): boolean {
  return role < Role.member;
}

/** Only owners invite owners, only administrators invite administrators and moderators, and guests cannot invite. */
function mayGive(who: { readonly role: Role }, role: number): boolean {
  if (isGuest(who)) return false;
  if (role === Role.owner) return isOwner(who);
  return isAdministrator(who) || !isPrivileged(role);
}
