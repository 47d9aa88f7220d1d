import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator, type Role } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { SecretLinks } from '../../../platform/secrets/secret-links';
import { ChannelDirectory, SubscribeAccess } from '../../channels/channels.module';
import { NewcomerGroupsService } from '../../user-groups/user-groups.module';
import { InvitationAccess, type InvitationKind } from '../invitations/invitation.access';
import { Invitation } from '../membership.entity';
import {
  InvitationChannelUnknown,
  InvitationNeedsAdministrator,
  MayNotSubscribeInvited,
} from '../invitations/invitation-records.api';

/** What an invitation grants. */
export interface InvitationTerms {
  readonly role: Role;
  /** Null if it never expires. */
  readonly lifetimeSeconds: number | null;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly withDefaultChannels: boolean;
  /** Replaces the organization's welcome text; null to use that one, empty for none. */
  readonly welcomeText: string | null;
}

/** The recipient of an invitation. */
type Recipient = Pick<Invitation, 'isMultiuse' | 'email' | 'emailKey' | 'notifiesInviter'>;

/** Validates and stores the terms of invitations. */
@Injectable()
export class InvitationTermsService {
  constructor(
    private readonly access: InvitationAccess,
    private readonly channels: ChannelDirectory,
    private readonly subscribing: SubscribeAccess,
    private readonly groups: NewcomerGroupsService,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws InsufficientPermission, MustBeOwner, InvitationNeedsAdministrator, and the errors of {@link checkPlaces}
   */
  check(actor: Actor, kind: InvitationKind, terms: InvitationTerms, checkRecipients = () => {}): void {
    this.access.requireMayInvite(actor, kind, terms.role);
    checkRecipients();
    this.checkPlaces(actor, terms);
    if (terms.welcomeText !== null && !isAdministrator(actor)) throw new InvitationNeedsAdministrator();
  }

  /** @returns the stored row */
  write(tx: Transaction, actor: Actor, terms: InvitationTerms, recipient: Recipient): Promise<Invitation> {
    const now = this.clock.nowSeconds();
    return tx.repository(Invitation).save({
      nonce: SecretLinks.newNonce(),
      inviterId: actor.userId,
      ...recipient,
      role: terms.role,
      channelIds: JSON.stringify(terms.channelIds),
      groupIds: JSON.stringify(terms.groupIds),
      withDefaultChannels: terms.withDefaultChannels,
      welcomeText: terms.welcomeText,
      createdAt: now,
      expiresAt: terms.lifetimeSeconds === null ? null : now + terms.lifetimeSeconds,
      state: 'open',
      endedAt: null,
      usedById: null,
      mailsAsked: 0,
    });
  }

  /**
   * Invitations can only include channels and groups to which the actor could add people; default channels are open to
   * everyone.
   * @throws InvitationChannelUnknown, MayNotSubscribeInvited, InvalidUserGroup, UserGroupDeactivated,
   * InsufficientPermission
   */
  private checkPlaces(actor: Actor, { channelIds, groupIds }: InvitationTerms): void {
    const channels = channelIds.map((channelId) => {
      const channel = this.channels.byId(channelId);
      if (!channel || channel.isArchived || !this.subscribing.mayEnter(actor, channel)) {
        throw new InvitationChannelUnknown(channelId);
      }
      return channel;
    });
    const mayAdd = channels.every(
      (channel) => channel.isDefault || this.subscribing.additionGround(actor, channel) !== null,
    );
    if (!mayAdd) throw new MayNotSubscribeInvited();
    this.groups.requireMayAdd(actor, groupIds);
  }
}
