import { ApiError } from '../../../platform/errors/api-error';

/** An address that is not invited, why, and whether it belongs to a deactivated account. */
export type RefusedAddress = readonly [address: string, reason: string, isDeactivated: boolean];

/** Not everybody was invited, or nobody. */
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

/** Only administrators may do this about invitations; clients know no code of its own for it. */
export class InvitationNeedsAdministrator extends ApiError {
  constructor() {
    super('Must be an organization administrator');
  }
}

/** The request names nobody. */
export class NobodyInvited extends ApiError {
  constructor() {
    super('You must specify at least one email address.');
  }
}

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
export class MayNotSubscribeInvited extends ApiError {
  constructor() {
    super('You do not have permission to subscribe other users to channels.');
  }
}

/** No such invitation was made, or it is over. */
export class NoSuchInvitation extends ApiError {
  constructor() {
    super('No such invitation');
  }
}

/** The link was revoked before. */
export class InvitationRevokedAlready extends ApiError {
  constructor() {
    super('Invitation has already been revoked');
  }
}

/** There are more open invitations than anybody can keep an eye on. */
export class TooManyOpenInvitations extends ApiError {
  constructor(limit: number) {
    super(
      `The organization can have at most ${limit} open invitations of this kind. Revoke some of them first.`,
    );
  }
}

/** The server sends no mail. */
export class NoMailServer extends ApiError {
  constructor() {
    super('This server sends no mail. Hand over the link of the invitation yourself.');
  }
}

/** One address gets no more mails about one invitation. */
export class MailedTooOften extends ApiError {
  constructor() {
    super('This invitation has been sent too often. Revoke it, and invite the person again.');
  }
}
