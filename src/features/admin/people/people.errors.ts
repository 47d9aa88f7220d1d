import { ApiError } from '../../../platform/errors/api-error';
import { explainReferences, type PersonReferences } from './person-references';

/** The change would take away the caller's own administration rights. */
export class WouldLockOneselfOut extends ApiError {
  constructor(what: string) {
    super(`You cannot ${what}: nobody locks themselves out. Ask another administrator to do it.`, {
      companion: { status: 409 },
    });
  }
}

/** The caller's own password can be changed only with the old one. */
export class OwnPasswordNeedsOldOne extends ApiError {
  constructor() {
    super('To change your own password, give the current one as well: PATCH /api/auth/me/password.', {
      companion: { status: 403 },
    });
  }
}

/** Something that refers to the person would become invalid by the change. */
export class PersonInUse extends ApiError {
  constructor(advice: string, references: PersonReferences) {
    super(`${explainReferences(references)} ${advice}`, {
      companion: { status: 409, data: { references } },
    });
  }
}
