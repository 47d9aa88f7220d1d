import { refusal, unavailable } from '../errors/api-error';
import { RateLimitHit, ServerBusy } from '../errors/request.errors';

/** Advice for choosing a stronger password. */
export const STRONGER_PASSWORD = 'Choose a longer one, and avoid common words, names and patterns.';

/** The chosen password is too short or too easy to guess. */
export class WeakPassword extends refusal('The password is too weak.', { advice: STRONGER_PASSWORD }) {}

/** The file of breached passwords, which could be read at the start, no longer can. */
export class BreachedPasswordsUnreadable extends unavailable(
  'New passwords cannot be checked right now. Tell an administrator.',
  'PASSWORDS_UNAVAILABLE',
  60,
) {}

/** The queue for password hashing is too long. */
export class TooManyPasswordChecks extends ServerBusy {}

/** Too many recent wrong passwords; even the right one is refused now. */
export class LoginThrottled extends RateLimitHit {
  /** @param seconds until the next attempt is allowed */
  constructor(seconds: number) {
    super(Math.ceil(seconds), 'Too many failed login attempts. Please try again later.');
  }
}
