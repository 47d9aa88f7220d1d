import { ApiError } from '../../../platform/errors/api-error';
import { explainReferences, type PersonReferences } from './person-references';

/** Administrators would put an end to their own administering. */
export class WouldLockOneselfOut extends ApiError {
  constructor(what: string) {
    super(`You cannot ${what}: nobody locks themselves out. Ask another administrator to do it.`, {
      companion: { status: 409 },
    });
  }
}

/** Without knowing the old one, nobody gets a new password of their own. */
export class OwnPasswordNeedsOldOne extends ApiError {
  constructor() {
    super('To change your own password, give the current one as well: PATCH /api/auth/me/password.', {
      companion: { status: 403 },
    });
  }
}

/** Something refers to a person in a way that a change would make invalid. */
export class PersonInUse extends ApiError {
  constructor(advice: string, references: PersonReferences) {
    super(`${explainReferences(references)} ${advice}`, {
      companion: { status: 409, data: { references } },
    });
  }
}
