import type { Invitation } from '../membership.entity';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** An invitation as those see it who may revoke it. */
export interface InvitationWire {
  readonly id: number;
  readonly invited_by_user_id: number;
  /** UNIX seconds. */
  readonly invited: number;
  /** UNIX seconds; null where it never expires. */
  readonly expiry_date: number | null;
  /** Number of the role that the person will have. */
  readonly invited_as: number;
  /** Whether any number of people may use it. */
  readonly is_multiuse: boolean;
  /** Of the invited person; not of a link for several people. */
  readonly email?: string;
  /** Whether the inviter is told when the person joins; not of a link for several people. */
  readonly notify_referrer_on_join?: boolean;
  /** The link. For a personal invitation only if the server sends no mail, so that the inviter can pass it on. */
  readonly link_url?: string;
}

/** @param link null where the reader is not to have it */
export function invitationWire(invitation: Invitation, link: string | null): InvitationWire {
  return {
    id: invitation.id,
    invited_by_user_id: invitation.inviterId,
    invited: invitation.createdAt,
    expiry_date: invitation.expiresAt,
    invited_as: invitation.role,
    is_multiuse: invitation.isMultiuse,
    ...(invitation.isMultiuse
      ? {}
      : { email: invitation.email, notify_referrer_on_join: invitation.notifiesInviter }),
    ...(link === null ? {} : { link_url: link }),
  };
}

/** For clients that do not work out for themselves whether they may invite people. */
export function invitingState(mayInvite: boolean) {
  return { can_invite_others_to_realm: mayInvite };
}

/** Invitations that the receiver may see changed; clients fetch them again. */
export const invitesChanged = defineEvent<Record<never, never>>('invites_changed');

/** An address that is not invited, why, and whether it belongs to a deactivated account. */
export type RefusedAddress = readonly [address: string, reason: string, isDeactivated: boolean];

/** Some or all invitations failed. */
export class InvitationFailed extends ApiError {
  constructor(
    message: string,
    readonly refused: readonly RefusedAddress[],
    { isSomebodyInvited = false, isDailyLimitReached = false } = {},
  ) {
    super(message, {
      code: 'INVITATION_FAILED',
      data: {
        errors: refused,
        sent_invitations: isSomebodyInvited,
        license_limit_reached: false,
        daily_limit_reached: isDailyLimitReached,
      },
    });
  }
}

/** Only administrators may do this to invitations; clients know no specific code for it. */
export class InvitationNeedsAdministrator extends refusal('Must be an organization administrator') {}

/** The request has no addresses. */
export class NobodyInvited extends refusal('You must specify at least one email address.') {}

/** More people at once than the server wants to write rows for. */
export class TooManyInvited extends ApiError {
  constructor(limit: number) {
    super(`You can invite at most ${limit} people at once.`);
  }
}

/** A channel of the invitation is unknown, or out of the inviter's reach. */
export class InvitationChannelUnknown extends ApiError {
  constructor(channelId: number) {
    super(`Invalid channel ID ${channelId}. No invites were sent.`);
  }
}

/** The inviter may not add people to a channel of the invitation. */
export class MayNotSubscribeInvited extends refusal(
  'You do not have permission to subscribe other users to channels.',
) {}

/** No such invitation was made, or it is over. */
export class NoSuchInvitation extends refusal('No such invitation') {}

/** The link was revoked before. */
export class InvitationRevokedAlready extends refusal('Invitation has already been revoked') {}

/** There are more open invitations than anybody can keep an eye on. */
export class TooManyOpenInvitations extends ApiError {
  constructor(limit: number) {
    super(`Too many open invitations of this kind (limit: ${limit}). Revoke some first.`);
  }
}

/** The server sends no mail. */
export class NoMailServer extends refusal(
  'This server does not send email. Share the invitation link yourself.',
) {}

/** One address gets no more mails about one invitation. */
export class MailedTooOften extends refusal('Invitation resent too often. Revoke it and send a new one.') {}
