import { Clock } from '../clock';
import { PasswordAttempts } from './password-attempts';

class SetClock extends Clock {
  now = 1_000_000;
  override nowMs(): number {
    return this.now;
  }
}

describe('password attempts', () => {
  const clock = new SetClock();
  const attempts = new PasswordAttempts(clock);
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) attempts.begin('mia@example.com');
  };

  it('are limited to five failures in half an hour, and open up again one by one', () => {
    fail(4);
    clock.now += 60_000;
    fail(1);
    expect(() => attempts.begin('mia@example.com')).toThrow('API usage exceeded rate limit');
    attempts.begin('noah@example.com');
    clock.now += 29 * 60_000;
    fail(4);
    expect(() => attempts.begin('mia@example.com')).toThrow(
      expect.objectContaining({ status: 429, data: { 'retry-after': 60 } }) as Error,
    );
  });

  it('start anew after a success', () => {
    attempts.succeeded('mia@example.com');
    fail(5);
    expect(() => attempts.begin('mia@example.com')).toThrow();
  });
});
