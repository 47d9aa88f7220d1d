import { ApiError, refusal } from '../../../platform/errors/api-error';
import { NotAuthenticated } from '../../../platform/errors/companion.errors';
import type { UseChallenge } from './passkey-challenges.service';

/** Maximum length of a code. */
export const MAX_CODE = 40;

/** The person already has a factor, which has to be removed first. */
export class SecondFactorAlreadySetUp extends refusal('A second factor is already set up.', {
  companion: { status: 409 },
}) {}

/** No factor is set up, or its setup was restarted. */
export class NoSecondFactor extends refusal('No second factor is set up.', { companion: { status: 409 } }) {}

/** The password is correct, and a second-factor code or a passkey is required as well. */
export class SecondFactorRequired extends ApiError {
  /**
   * @param challenge to return with the code or passkey within five minutes
   * @param passkey options for using a passkey; null if the person has none
   */
  constructor(
    readonly challenge: string,
    passkey: UseChallenge | null,
  ) {
    super('This account has a second factor. Send its code as well', {
      code: 'SECOND_FACTOR_REQUIRED',
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      companion: { data: { code: 'SECOND_FACTOR_REQUIRED', challenge, passkey } },
    });
  }
}

/** The organization requires a second factor, which the session has not verified. */
export class SecondFactorMissing extends refusal(
  'Your organization requires a second factor. Sign in with the browser to set it up.',
  { code: 'SECOND_FACTOR_REQUIRED', status: 403, companion: { data: { code: 'SECOND_FACTOR_REQUIRED' } } },
) {}

/** Only an owner with a second factor may require one from others. */
export class OwnFactorFirst extends refusal('Set up your own second factor first.', {
  companion: { status: 409 },
}) {}

/** The code for signing in is wrong, already used, or expired. */
export class WrongCode extends NotAuthenticated {
  constructor() {
    super('The code is wrong, or was used before');
  }
}

/** The code is not accepted in a session, which continues. */
export class CodeRefused extends refusal('The code is wrong, or was used before.') {}
