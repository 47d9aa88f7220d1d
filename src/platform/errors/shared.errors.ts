import { ApiError, refusal } from './api-error';

/** A plain refusal: 400 `BAD_REQUEST` with the given sentence. */
export class BadRequest extends ApiError {}

/** A permission group or role says no. */
export class InsufficientPermission extends refusal('Insufficient permission', {
  companion: { status: 403 },
}) {}

/** A role refusal; code `UNAUTHORIZED_PRINCIPAL`, status 400. */
class RoleRequired extends ApiError {
  constructor(role: string) {
    super(`Must be an organization ${role}`, {
      code: 'UNAUTHORIZED_PRINCIPAL',
      companion: { status: 403 },
    });
  }
}

/** The caller is neither owner nor administrator. */
export class MustBeAdministrator extends RoleRequired {
  constructor() {
    super('administrator');
  }
}

/** The caller is no owner. */
export class MustBeOwner extends RoleRequired {
  constructor() {
    super('owner');
  }
}

/**
 * The caller comes with a named API key that is not allowed this. Never 401: clients take that for the end of the key.
 */
export class InsufficientScope extends ApiError {
  /** @param needed the scope that would do; null where only the account's own key does */
  constructor(needed: string | null) {
    const remedy = needed === null ? "Use the account's own key." : `It needs: ${needed}.`;
    super(`This API key may not do this. ${remedy}`, {
      code: 'INSUFFICIENT_SCOPE',
      status: 403,
      data: { required_scope: needed },
      companion: { data: { code: 'INSUFFICIENT_SCOPE', required_scope: needed } },
    });
  }
}

/** The same for a key that is limited to channels, where the request reaches, or might reach, beyond them. */
export class BeyondChannels extends ApiError {
  constructor() {
    super('This API key is limited to channels and may not do this.', {
      code: 'INSUFFICIENT_SCOPE',
      status: 403,
      data: { required_scope: null },
      companion: { data: { code: 'INSUFFICIENT_SCOPE', required_scope: null } },
    });
  }
}

/** The endpoint is closed to guests. */
export class NotForGuests extends refusal('Not allowed for guest users', { companion: { status: 403 } }) {}

/** The endpoint is closed to bots. */
export class NotForBots extends refusal('This endpoint does not accept bot requests.', {
  companion: { status: 403 },
}) {}

/** Credentials are missing or refused: 401 with the Basic challenge. */
export class Unauthorized extends ApiError {
  constructor(message: string) {
    super(message, {
      code: 'UNAUTHORIZED',
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="zulip"' },
    });
  }
}

const DEACTIVATED = 'This organization has been deactivated';

/** The request has no credentials, and what it asks for is not for strangers. */
export class NotLoggedIn extends Unauthorized {
  constructor() {
    super('Not logged in: API authentication or user session required');
  }
}

/** The organization is deactivated, perhaps only since the request was authenticated. */
export class OrganizationDeactivated extends Unauthorized {
  constructor() {
    super(DEACTIVATED);
  }
}

/** The same at sign-in, and for anonymous callers. */
export class OrganizationClosed extends refusal(DEACTIVATED, {
  code: 'REALM_DEACTIVATED',
  status: 401,
  companion: { status: 403 },
}) {}

/** The caller's own account is deactivated, perhaps only since the request was authenticated. */
export class CallerDeactivated extends Unauthorized {
  constructor() {
    super('Account is deactivated');
  }
}

/** A browser session is too old for what is dangerous; its owner has to prove again who they are. */
export class ReauthenticationRequired extends refusal(
  'For your security, confirm who you are by signing in again first.',
  {
    code: 'REAUTHENTICATION_REQUIRED',
    status: 403,
    companion: { data: { code: 'REAUTHENTICATION_REQUIRED' } },
  },
) {}
