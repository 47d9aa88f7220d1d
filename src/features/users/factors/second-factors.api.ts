import { ApiError, refusal } from '../../../platform/errors/api-error';
import { NotAuthenticated } from '../../../platform/errors/companion.errors';
import type { UseChallenge } from './passkey-challenges.service';

/** Longest text that is taken for a code. */
export const MAX_CODE = 40;

/** The person has a factor, which has to be taken away first. */
export class SecondFactorIsOn extends refusal('A second factor is already set up.', {
  companion: { status: 409 },
}) {}

/** No factor is set up, or its setup was started again. */
export class NoSecondFactor extends refusal('No second factor is set up.', { companion: { status: 409 } }) {}

/** The password is right, and a code of the second factor or a passkey is wanted as well. */
export class SecondFactorRequired extends ApiError {
  /**
   * @param challenge to be sent with the code or passkey within five minutes
   * @param passkey what people need to use one; null where there is none
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

/** The organization requires a second factor, which was not shown for this session. */
export class SecondFactorMissing extends refusal(
  'Your organization requires a second factor. Sign in with the browser to set it up.',
  { code: 'SECOND_FACTOR_REQUIRED', status: 403, companion: { data: { code: 'SECOND_FACTOR_REQUIRED' } } },
) {}

/** Only an owner with a second factor may require one of others. */
export class OwnFactorFirst extends refusal('Set up your own second factor first.', {
  companion: { status: 409 },
}) {}

/** The code of someone who signs in is wrong, was used before, or comes too late. */
export class WrongCode extends NotAuthenticated {
  constructor() {
    super('The code is wrong, or was used before');
  }
}

/** The same in a session, which goes on. */
export class CodeRefused extends refusal('The code is wrong, or was used before.') {}
