import { refusal } from '../errors/api-error';
import { RateLimitHit, ServerBusy } from '../errors/request.errors';

/** What makes a password hard enough to guess. */
export const STRONGER_PASSWORD = 'Choose a longer one, and avoid common words, names and patterns.';

/** The chosen password is too short or too easy to guess. */
export class WeakPassword extends refusal('The password is too weak.', { advice: STRONGER_PASSWORD }) {}

/** More password work is waiting than the server can do soon. */
export class TooManyPasswordChecks extends ServerBusy {}

/** Too many wrong passwords of late; even the right one does not help now. */
export class LoginThrottled extends RateLimitHit {
  /** @param seconds until the next attempt is looked at */
  constructor(seconds: number) {
    super(Math.ceil(seconds), 'Too many failed login attempts. Please try again later.');
  }
}
