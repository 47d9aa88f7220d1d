import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { RateLimitHit } from '../errors/request.errors';

const WINDOW_MS = 30 * 60_000;
const MOST_FAILURES = 5;
/** Beyond it, those who tried least recently are forgotten. */
const MOST_NAMES = 100_000;

/**
 * Counts wrong passwords by user name: five within half an hour, then no more are looked at until the
 * first of them is that old (reference A6). Kept in the memory of this process.
 */
@Injectable()
export class PasswordAttempts {
  /** Times of attempts in milliseconds, oldest first; the name that tried least recently comes first. */
  private readonly attempts = new Map<string, number[]>();

  constructor(private readonly clock: Clock) {}

  /**
   * Counts an attempt as failed until {@link succeeded} takes it back, so that guesses made side by side
   * count as well.
   * @param userName in a form that is the same for every spelling of the name
   * @throws RateLimitHit
   */
  begin(userName: string): void {
    const now = this.clock.nowMs();
    const recent = (this.attempts.get(userName) ?? []).filter((time) => time > now - WINDOW_MS);
    const [oldest = now] = recent;
    if (recent.length >= MOST_FAILURES) throw new RateLimitHit((oldest + WINDOW_MS - now) / 1000);
    this.attempts.delete(userName);
    this.attempts.set(userName, [...recent, now]);
    if (this.attempts.size > MOST_NAMES) this.forgetOldest();
  }

  /** The password was right: earlier failures no longer count. */
  succeeded(userName: string): void {
    this.attempts.delete(userName);
  }

  private forgetOldest(): void {
    for (const name of this.attempts.keys()) {
      this.attempts.delete(name);
      return;
    }
  }
}
