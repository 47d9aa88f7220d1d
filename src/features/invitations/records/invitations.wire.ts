import type { Invitation } from './invitation.entity';

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
  /** The link. Of the invitation of one person only where the server sends no mail, so that somebody has to hand it over. */
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
