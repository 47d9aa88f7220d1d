import { ApiError, refusal } from './api-error';

/** A plain refusal: 400 `BAD_REQUEST` with the given message. */
export class BadRequest extends ApiError {}

/** A permission group or role does not allow the request. */
export class InsufficientPermission extends refusal('Insufficient permission', {
  companion: { status: 403 },
}) {}

/** A role is missing; code `UNAUTHORIZED_PRINCIPAL`, status 400. */
class RoleRequired extends ApiError {
  constructor(role: string) {
    super(`Must be an organization ${role}`, {
      code: 'UNAUTHORIZED_PRINCIPAL',
      companion: { status: 403 },
    });
  }
}

/** The caller is neither an owner nor an administrator. */
export class MustBeAdministrator extends RoleRequired {
  constructor() {
    super('administrator');
  }
}

/** The caller is not an owner. */
export class MustBeOwner extends RoleRequired {
  constructor() {
    super('owner');
  }
}

/** The scopes of the caller's named API key are insufficient. Never 401: clients interpret that as a revoked key. */
export class InsufficientScope extends ApiError {
  /** @param needed the sufficient scope; null if only the account's own key is sufficient */
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

/** The caller's key is limited to channels, and the request reaches, or might reach, beyond them. */
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

/** Credentials are missing or invalid: 401 with the Basic challenge. */
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

/** The request requires credentials and has none. */
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

/** A browser session is too old for a dangerous action; its owner must authenticate again. */
export class ReauthenticationRequired extends refusal(
  'For your security, confirm who you are by signing in again first.',
  {
    code: 'REAUTHENTICATION_REQUIRED',
    status: 403,
    companion: { data: { code: 'REAUTHENTICATION_REQUIRED' } },
  },
) {}
