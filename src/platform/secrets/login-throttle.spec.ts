import { loadConfig } from '../config/load-config';
import { Clock } from '../clock';
import { Metrics } from '../metrics/metrics';
import { LoginFailuresInMemory } from './login-failures';
import { type LoginAttempt, LoginThrottle } from './login-throttle';

class SetClock extends Clock {
  now = 10_000_000;
  override nowMs(): number {
    return this.now;
  }
}

const MIA = { address: '192.0.2.1', email: 'mia@example.com' };
const REFUSED = 'Too many failed login attempts';

describe('The login throttle', () => {
  let clock: SetClock;
  let throttle: LoginThrottle;
  let verifications: number;

  const start = (env: Record<string, string> = {}) => {
    clock = new SetClock();
    throttle = new LoginThrottle(new LoginFailuresInMemory(), loadConfig(env), clock, new Metrics());
    verifications = 0;
  };
  beforeEach(() => start());

  const attempt = (isRight: boolean, who: LoginAttempt = MIA) =>
    throttle.verify(who, () => {
      verifications++;
      return Promise.resolve(isRight);
    });
  const fail = async (times: number, who?: LoginAttempt) => {
    for (let i = 0; i < times; i++) await attempt(false, who);
  };

  it('refuses even the right password after five failures within fifteen minutes [LIM-2a, LIM-2b]', async () => {
    await fail(4);
    await expect(attempt(true)).resolves.toBe(true);
    await fail(1);
    await expect(attempt(true)).rejects.toThrow(REFUSED);
    expect(verifications).toBe(6);
  });

  it('counts neither refused attempts nor failures older than the window [LIM-2d]', async () => {
    await fail(1);
    clock.now += 60_000;
    await fail(4);
    clock.now += 839_999;
    await expect(attempt(true)).rejects.toMatchObject({ status: 429, data: { 'retry-after': 1 } });
    clock.now += 1;
    await expect(attempt(true)).resolves.toBe(true);
    await fail(1);
    await expect(attempt(true)).rejects.toMatchObject({ data: { 'retry-after': 60 } });
  });

  it('counts by address and trimmed, lower-cased email address together [LIM-2a]', async () => {
    await fail(3);
    await fail(2, { ...MIA, email: ' MIA@Example.com ' });
    await expect(attempt(true)).rejects.toThrow(REFUSED);
    await expect(attempt(true, { ...MIA, address: '192.0.2.2' })).resolves.toBe(true);
    await expect(attempt(true, { ...MIA, email: 'max@example.com' })).resolves.toBe(true);
    await expect(attempt(true, { userId: 1 })).resolves.toBe(true);
  });

  it('allows fifty parallel guesses only five verifications [LIM-2b]', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => attempt(false)));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(45);
    expect(verifications).toBe(5);
  });

  it('verifies all of fifty parallel right passwords', async () => {
    await Promise.all(Array.from({ length: 50 }, () => attempt(true)));
    expect(verifications).toBe(50);
  });

  it('continues after a failed verification', async () => {
    await expect(throttle.verify(MIA, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(attempt(true)).resolves.toBe(true);
  });

  it('ignores failures in the future after the clock was set back', async () => {
    await fail(5);
    await expect(attempt(true)).rejects.toThrow(REFUSED);
    clock.now -= 3_600_000;
    await expect(attempt(true)).resolves.toBe(true);
    await fail(5);
    await expect(attempt(true)).rejects.toMatchObject({ data: { 'retry-after': 900 } });
  });

  it('reads maximum and window from the configuration [LIM-2c]', async () => {
    start({ LOGIN_RATE_LIMIT_MAX_ATTEMPTS: '1', LOGIN_RATE_LIMIT_WINDOW_SECONDS: '1' });
    await fail(1);
    await expect(attempt(true)).rejects.toThrow(REFUSED);
    clock.now += 1000;
    await expect(attempt(true)).resolves.toBe(true);
    expect(() => loadConfig({ LOGIN_RATE_LIMIT_MAX_ATTEMPTS: '0' })).toThrow('LOGIN_RATE_LIMIT_MAX_ATTEMPTS');
    expect(() => loadConfig({ LOGIN_RATE_LIMIT_WINDOW_SECONDS: '0' })).toThrow(
      'LOGIN_RATE_LIMIT_WINDOW_SECONDS',
    );
  });

  it('limits the accounts that an address fails for', async () => {
    start({});
    for (let account = 0; account < 49; account++)
      await fail(4, { ...MIA, email: `p${account}@example.com` });
    await expect(attempt(true)).resolves.toBe(true);
    await fail(1, { ...MIA, email: 'max@example.com' });
    await expect(attempt(true)).rejects.toThrow(REFUSED);
    await expect(attempt(true, { ...MIA, address: '192.0.2.2' })).resolves.toBe(true);
    start({ LOGIN_RATE_LIMIT_ADDRESS_MAX_ATTEMPTS: '0' });
    for (let account = 0; account < 100; account++)
      await fail(1, { ...MIA, email: `p${account}@example.com` });
    await expect(attempt(true)).resolves.toBe(true);
  });

  it('limits parallel attempts from an address', async () => {
    start({ LOGIN_RATE_LIMIT_ADDRESS_MAX_ATTEMPTS: '3' });
    const guesses = Array.from({ length: 20 }, (_, i) =>
      attempt(false, { ...MIA, email: `p${i}@example.com` }),
    );
    await Promise.allSettled(guesses);
    expect(verifications).toBe(3);
    await expect(attempt(true)).rejects.toThrow(REFUSED);
    await expect(attempt(true, { ...MIA, address: '192.0.2.2' })).resolves.toBe(true);
  });

  it('treats an IPv6 network as one address', async () => {
    await fail(5, { ...MIA, address: '2001:db8::1' });
    await expect(attempt(true, { ...MIA, address: '2001:db8::2' })).rejects.toThrow(REFUSED);
    await expect(attempt(true, { ...MIA, address: '2001:db9::2' })).resolves.toBe(true);
  });
});
