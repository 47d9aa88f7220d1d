import type { Invitation } from '../membership.entity';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** An invitation as sent to people who may revoke it. */
export interface InvitationWire {
  readonly id: number;
  readonly invited_by_user_id: number;
  /** UNIX seconds. */
  readonly invited: number;
  /** UNIX seconds; null if it never expires. */
  readonly expiry_date: number | null;
  /** Number of the role of the invited person. */
  readonly invited_as: number;
  /** Whether any number of people may use it. */
  readonly is_multiuse: boolean;
  /** The invited person's address; absent for a link for several people. */
  readonly email?: string;
  /** Whether the inviter is notified when the person joins; absent for a link for several people. */
  readonly notify_referrer_on_join?: boolean;
  /** The link. For a personal invitation only if the server sends no mail, so that the inviter can forward it. */
  readonly link_url?: string;
}

/** @param link null if the reader may not see it */
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

/** For clients that do not evaluate invitation permissions themselves. */
export function invitingState(mayInvite: boolean) {
  return { can_invite_others_to_realm: mayInvite };
}

/** Invitations that the recipient may see changed; clients fetch them again. */
export const invitesChanged = defineEvent<Record<never, never>>('invites_changed');

/** An address that was not invited, the reason, and whether it belongs to a deactivated account. */
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

/** Only administrators may do this with invitations; clients know no specific code for it. */
export class InvitationNeedsAdministrator extends refusal('Must be an organization administrator') {}

/** The request contains no addresses. */
export class NobodyInvited extends refusal('You must specify at least one email address.') {}

/** Too many people in one request. */
export class TooManyInvited extends ApiError {
  constructor(limit: number) {
    super(`You can invite at most ${limit} people at once.`);
  }
}

/** A channel of the invitation is unknown, or not accessible to the inviter. */
export class InvitationChannelUnknown extends ApiError {
  constructor(channelId: number) {
    super(`Invalid channel ID ${channelId}. No invites were sent.`);
  }
}

/** The inviter may not subscribe others to a channel of the invitation. */
export class MayNotSubscribeInvited extends refusal(
  'You do not have permission to subscribe other users to channels.',
) {}

/** The invitation does not exist or has ended. */
export class NoSuchInvitation extends refusal('No such invitation') {}

/** The link was already revoked. */
export class InvitationRevokedAlready extends refusal('Invitation has already been revoked') {}

/** The limit of open invitations is reached. */
export class TooManyOpenInvitations extends ApiError {
  constructor(limit: number) {
    super(`Too many open invitations of this kind (limit: ${limit}). Revoke some first.`);
  }
}

/** The server sends no mail. */
export class NoMailServer extends refusal(
  'This server does not send email. Share the invitation link yourself.',
) {}

/** The limit of mails per invitation is reached. */
export class MailedTooOften extends refusal('Invitation resent too often. Revoke it and send a new one.') {}
