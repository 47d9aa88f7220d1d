import { Passwords } from '../../src/platform/secrets/passwords';
import { PASSWORD } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const MINUTE_MS = 60_000;
const REFUSED = { detail: 'Too many failed login attempts. Please try again later.' };

describe('Failed logins', () => {
  const clock = new StoppedClock();
  let app: TestApp;
  let verifications: jest.SpyInstance;

  /** A server for the tests of a group; before each, all failures are forgotten. */
  const startWith = (env: Record<string, string> = {}) => {
    beforeAll(async () => {
      app = await TestApp.start({ clock, env });
      verifications = jest.spyOn(app.get(Passwords), 'verifyAny');
    });
    beforeEach(() => {
      clock.now += 60 * MINUTE_MS;
      verifications.mockClear();
    });
    afterAll(() => app.stop());
  };

  const login = (email: string, password: string = PASSWORD, forwardedFor?: string) =>
    app
      .companion()
      .post('/auth/login', { email, password }, forwardedFor ? { 'x-forwarded-for': forwardedFor } : {});

  const fail = async (email: string, times: number, forwardedFor?: string) => {
    for (let i = 0; i < times; i++) expect((await login(email, `guess ${i}`, forwardedFor)).status).toBe(401);
  };

  const fetchKey = (username: string, password: string = PASSWORD) =>
    app.client().post('/fetch_api_key', { username, password });

  describe('on a server as it comes', () => {
    startWith();

    it('end after five, with whole seconds to wait, the right password too [COMP-login, LIM-2a, LIM-2b, ERR-login]', async () => {
      await fail('mia@example.com', 4);
      clock.now += MINUTE_MS + 1;
      expect((await login('mia@example.com')).status).toBe(200);
      await fail('mia@example.com', 1);
      const refused = await login('mia@example.com');
      expect(refused).toMatchObject({ status: 429, body: REFUSED, headers: { 'retry-after': '840' } });
      expect(Object.keys(refused.body)).toEqual(['detail']);
      expect(verifications).toHaveBeenCalledTimes(6);
    });

    it('have five verifications when fifty are made at once, and forty-five refusals [LIM-2b]', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => login('mia@example.com', `guess ${i}`)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(45).fill(429)]);
      expect(verifications).toHaveBeenCalledTimes(5);
    });

    it('are the same for addresses that nobody has: one verification each', async () => {
      await fail('nobody@example.com', 5);
      expect(verifications).toHaveBeenCalledTimes(5);
      expect((await login('nobody@example.com')).status).toBe(429);
      expect(verifications).toHaveBeenCalledTimes(5);
      await fail('robo-bot@example.com', 1);
      expect(verifications).toHaveBeenCalledTimes(6);
    });

    it('are not forgiven by a success, and refusals are not counted [LIM-2d]', async () => {
      await fail('mia@example.com', 4);
      for (let i = 0; i < 3; i++) expect((await login('mia@example.com')).status).toBe(200);
      await fail('mia@example.com', 1);
      clock.now += 14 * MINUTE_MS;
      for (let i = 0; i < 20; i++) expect((await login('mia@example.com', 'guess')).status).toBe(429);
      clock.now += MINUTE_MS - 1;
      expect(await login('mia@example.com')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
      clock.now += 1;
      expect((await login('mia@example.com')).status).toBe(200);
    });

    it('are counted by the address without case or white space around it [LIM-2a]', async () => {
      for (const [i, email] of [
        ' mia@example.com',
        'MIA@EXAMPLE.COM',
        'Mia@Example.com\t',
        'mia@example.com',
        '\nmia@example.com',
      ].entries()) {
        expect((await login(email, `guess ${i}`)).status).toBe(401);
      }
      expect((await login('mia@example.com')).status).toBe(429);
      expect((await login('max@example.com')).status).toBe(200);
    });

    it('count for both interfaces together', async () => {
      await fail('mia@example.com', 3);
      expect((await fetchKey('MIA@example.com', 'guess')).status).toBe(401);
      expectSuccess(await fetchKey('mia@example.com'));
      expect((await fetchKey('mia@example.com', 'guess')).status).toBe(401);
      expect(await login('mia@example.com')).toMatchObject({ status: 429, body: REFUSED });
      expectError(await fetchKey('mia@example.com'), REFUSED.detail, {
        status: 429,
        code: 'RATE_LIMIT_HIT',
        data: { 'retry-after': 900 },
      });
      await fail('max@example.com', 5);
      expect((await fetchKey('max@example.com')).status).toBe(429);
    });

    it('come from the address of the connection, whatever a stranger says [LIM-2a]', async () => {
      for (let i = 0; i < 5; i++) await fail('mia@example.com', 1, `192.0.2.${i}`);
      expect((await login('mia@example.com', PASSWORD, '192.0.2.9')).status).toBe(429);
    });

    it('do not come of requests that are no logins', async () => {
      for (let i = 0; i < 6; i++) {
        expect((await login('mia@example.com', 'x'.repeat(5000))).status).toBe(422);
        expect((await app.companion().post('/auth/login', { email: 'mia@example.com' })).status).toBe(422);
        expect((await app.companion().get('/auth/login')).status).toBe(405);
      }
      expect(verifications).not.toHaveBeenCalled();
      expect((await login('mia@example.com')).status).toBe(200);
    });
  });

  describe('behind a proxy', () => {
    startWith({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });

    it('come from the address that the proxy names [LIM-2a]', async () => {
      await fail('mia@example.com', 5, '192.0.2.1');
      expect((await login('mia@example.com', PASSWORD, '192.0.2.1')).status).toBe(429);
      expect((await login('mia@example.com', PASSWORD, '192.0.2.2')).status).toBe(200);
      expect((await login('mia@example.com')).status).toBe(200);
    });

    it('come from the last address before those of proxies, not from what the client put in front', async () => {
      for (let i = 0; i < 5; i++) await fail('mia@example.com', 1, `198.51.100.${i}, 192.0.2.1, 10.1.2.3`);
      expect((await login('mia@example.com', PASSWORD, '192.0.2.1')).status).toBe(429);
      expect((await login('mia@example.com', PASSWORD, '203.0.113.1, 192.0.2.1')).status).toBe(429);
    });

    it('from many addresses lock nobody out who comes from another one', async () => {
      const addresses = Array.from({ length: 100 }, (_, i) => `198.51.100.${i}`);
      await Promise.all(addresses.map((address) => fail('mia@example.com', 5, address)));
      expect((await login('mia@example.com', PASSWORD, addresses[0])).status).toBe(429);
      expect((await login('mia@example.com', PASSWORD, '192.0.2.7')).status).toBe(200);
    });

    it('for one password and many accounts end after fifty, for this address alone', async () => {
      const spray = (i: number) => login(`p${i}@example.com`, 'spring2026', '192.0.2.8');
      const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => spray(i)));
      const refused = answers.filter(({ status }) => status === 429);
      expect([refused.length, answers.filter(({ status }) => status === 401).length]).toEqual([10, 50]);
      expect((await login('mia@example.com', PASSWORD, '192.0.2.9')).status).toBe(200);
    });
  });

  describe('where an address is limited as a whole', () => {
    startWith({ LOGIN_RATE_LIMIT_ADDRESS_MAX_ATTEMPTS: '7', TRUSTED_PROXIES: '127.0.0.1' });

    it('end whoever they were meant for', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => login(`p${i}@example.com`, 'spring2026', '192.0.2.1')),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
      expect(verifications).toHaveBeenCalledTimes(7);
      expect(await login('mia@example.com', PASSWORD, '192.0.2.1')).toMatchObject({
        status: 429,
        body: REFUSED,
        headers: { 'retry-after': '900' },
      });
      expect((await login('mia@example.com', PASSWORD, '192.0.2.2')).status).toBe(200);
      clock.now += 15 * MINUTE_MS;
      expect((await login('mia@example.com', PASSWORD, '192.0.2.1')).status).toBe(200);
    });
  });

  describe('with limits of the operator’s own', () => {
    startWith({ LOGIN_RATE_LIMIT_MAX_ATTEMPTS: '2', LOGIN_RATE_LIMIT_WINDOW_SECONDS: '10' });

    it('end and are forgotten accordingly [LIM-2c, LIM-2d]', async () => {
      await fail('mia@example.com', 2);
      expect(await login('mia@example.com')).toMatchObject({ status: 429, headers: { 'retry-after': '10' } });
      clock.now += 9_500;
      expect(await login('mia@example.com')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
      clock.now += 500;
      expect((await login('mia@example.com')).status).toBe(200);
    });
  });
});
