import { Role } from '../../src/platform/actor';
import { Database } from '../../src/platform/database/database.service';
import { SessionUse } from '../../src/features/users/sessions/session-use.service';
import { addAccount, PASSWORD, type Member } from '../support/cast';
import { type CompanionClient } from '../support/companion-client';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const EIGHT_HOURS = 8 * 3600;
const ENDED = { status: 401, body: { detail: 'Invalid or expired token' } };
const NO_SESSION = { status: 404, body: { detail: 'No such session' } };

interface Session {
  readonly id: number;
  readonly is_current: boolean;
  readonly last_used_at: number;
}

describe('Sessions of the companion interface', () => {
  const clock = new StoppedClock();
  let app: TestApp;
  let passwordHash: string;
  let counter = 0;

  beforeAll(async () => {
    app = await TestApp.start({ clock, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const [row] = await app
      .get(Database)
      .read.query<{ password_hash: string }>('SELECT password_hash FROM account WHERE id = ?', [
        app.cast.mia.id,
      ]);
    passwordHash = row!.password_hash;
  });

  afterAll(() => app.stop());

  /** Somebody new, with the cast's password. */
  const newcomer = (role: Role = Role.member): Promise<Member> => {
    const name = `Newcomer ${++counter}`;
    return addAccount(app.nest, {
      deliveryEmail: `newcomer${counter}@example.com`,
      fullName: name,
      role,
      passwordHash,
    });
  };

  const signIn = async (who: Member, userAgent: string, from: string): Promise<CompanionClient> => {
    const headers = { 'user-agent': userAgent, 'x-forwarded-for': from };
    const { body } = await app
      .companion()
      .post('/auth/login', { email: who.email, password: PASSWORD }, headers);
    return app.companion().withToken(body.access_token as string);
  };

  const sessionsOf = async (client: CompanionClient, path = '/auth/sessions'): Promise<Session[]> => {
    const { status, body } = await client.get(path);
    expect(status).toBe(200);
    return body.items as Session[];
  };

  const idOf = async (client: CompanionClient): Promise<number> =>
    (await sessionsOf(client)).find(({ is_current }) => is_current)!.id;

  const expectEnded = async (client: CompanionClient) =>
    expect(await client.get('/auth/me')).toMatchObject(ENDED);

  const expectSignedIn = async (client: CompanionClient) =>
    expect((await client.get('/auth/me')).status).toBe(200);

  it('are listed to whoever they are of: since when, from where and with what [COMP-sessions-own]', async () => {
    const who = await newcomer();
    const first = await signIn(who, 'Mozilla/5.0 (one)', '192.0.2.1');
    clock.now += 60_000;
    const second = await signIn(who, `curl/8 ${'x'.repeat(500)}`, '2001:db8::1');
    const now = clock.nowSeconds();
    const listed = [
      {
        id: expect.any(Number),
        kind: 'token',
        created_at: now - 60,
        expires_at: now - 60 + EIGHT_HOURS,
        last_used_at: now - 60,
        address: '192.0.2.1',
        user_agent: 'Mozilla/5.0 (one)',
        is_current: false,
      },
      {
        id: expect.any(Number),
        kind: 'token',
        created_at: now,
        expires_at: now + EIGHT_HOURS,
        last_used_at: now,
        address: '2001:db8::1',
        user_agent: `curl/8 ${'x'.repeat(193)}`,
        is_current: true,
      },
    ];
    expect((await second.get('/auth/sessions')).body).toEqual({
      items: listed,
      total: 2,
      page: 1,
      page_size: 20,
      next_cursor: null,
    });
    const current = (await sessionsOf(first)).map(({ is_current }) => is_current);
    expect(current).toEqual([true, false]);
    clock.now += (EIGHT_HOURS - 60) * 1000;
    expect(await sessionsOf(second)).toEqual([{ ...listed[1], last_used_at: expect.any(Number) }]);
  });

  it('are listed with their last use, to five minutes', async () => {
    const who = await newcomer();
    const [used, unused] = [await app.companionAs(who), await app.companionAs(who)];
    const began = clock.nowSeconds();
    const uses = async () => {
      await app.get(SessionUse).settled();
      return (await sessionsOf(unused)).map(({ last_used_at }) => last_used_at - began);
    };
    clock.now += 299_000;
    await expectSignedIn(used);
    expect(await uses()).toEqual([0, 0]);
    clock.now += 1_000;
    await expectSignedIn(used);
    expect((await uses())[0]).toBe(300);
    clock.now += 299_000;
    await expectSignedIn(used);
    expect((await uses())[0]).toBe(300);
  });

  it('are listed without anything that opens them', async () => {
    const who = await newcomer();
    const client = await app.companionAs(who);
    const [row] = await app
      .get(Database)
      .read.query<{ token_id: string }>('SELECT token_id FROM login_session WHERE user_id = ?', [who.id]);
    const { body } = await client.get('/auth/sessions');
    expect(row!.token_id).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(body)).not.toContain(row!.token_id);
  });

  it('are listed in pages, to nobody without one', async () => {
    const who = await newcomer();
    const clients: CompanionClient[] = [];
    for (let i = 0; i < 5; i++) clients.push(await app.companionAs(who));
    const [client] = clients as [CompanionClient];
    const ids = (await sessionsOf(client)).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const page = await client.get('/auth/sessions?limit=2&page=2');
    expect(page.body).toMatchObject({ total: 5, page: 2, page_size: 2 });
    expect((page.body.items as Session[]).map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const { next_cursor } = page.body;
    const last = (await client.get(`/auth/sessions?cursor=${next_cursor}`)).body;
    expect(last).toMatchObject({ items: [{ id: ids[4] }], next_cursor: null });
    expect((await client.get('/auth/sessions?limit=2&page_size=2')).status).toBe(422);
    expect((await client.get('/auth/sessions?limit=1000')).body.page_size).toBe(100);
    expect((await app.companion().get('/auth/sessions')).status).toBe(401);
    expect((await app.companion().delete('/auth/sessions')).status).toBe(401);
  });

  it('end everywhere else at once [COMP-sessions-own]', async () => {
    const who = await newcomer();
    const [here, there, elsewhere] = [
      await app.companionAs(who),
      await app.companionAs(who),
      await app.companionAs(who),
    ];
    const stranger = await app.companionAs(await newcomer());
    expect(await here.delete('/auth/sessions')).toMatchObject({ status: 200, body: { ended: 2 } });
    for (const client of [there, elsewhere]) await expectEnded(client);
    for (const client of [here, stranger]) await expectSignedIn(client);
    expect((await here.delete('/auth/sessions')).body).toEqual({ ended: 0 });
  });

  it('count as ended by somebody only while they went on', async () => {
    const who = await newcomer();
    const old = await app.companionAs(who);
    const id = await idOf(old);
    clock.now += EIGHT_HOURS * 1000;
    const client = await app.companionAs(who);
    expect(await client.delete(`/auth/sessions/${id}`)).toMatchObject(NO_SESSION);
    expect((await client.delete('/auth/sessions')).body).toEqual({ ended: 0 });
  });

  it('end one by one, one’s own alone [COMP-sessions-own]', async () => {
    const who = await newcomer();
    const [here, there] = [await app.companionAs(who), await app.companionAs(who)];
    const stranger = await app.companionAs(app.cast.olivia);
    const id = await idOf(there);
    expect(await stranger.delete(`/auth/sessions/${id}`)).toMatchObject(NO_SESSION);
    await expectSignedIn(there);
    expect(await here.delete(`/auth/sessions/${id}`)).toMatchObject({ status: 204, body: '' });
    await expectEnded(there);
    expect(await here.delete(`/auth/sessions/${id}`)).toMatchObject(NO_SESSION);
    for (const none of ['0', '2147483647', '2147483648', 'x', '-1', '1e3', '%00']) {
      expect((await here.delete(`/auth/sessions/${none}`)).status).toBe(404);
    }
    expect((await here.delete(`/auth/sessions/${await idOf(here)}`)).status).toBe(204);
    await expectEnded(here);
  });

  it('end once when fifty want it at the same instant', async () => {
    const who = await newcomer();
    const [here, there] = [await app.companionAs(who), await app.companionAs(who)];
    const id = await idOf(there);
    const answers = await Promise.all(Array.from({ length: 50 }, () => here.delete(`/auth/sessions/${id}`)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array<number>(49).fill(404)]);
    await expectSignedIn(here);
  });

  describe('of other people', () => {
    it('are seen and ended by administrators [COMP-sessions-administrators]', async () => {
      const who = await newcomer();
      const [one, other, third] = [
        await app.companionAs(who),
        await app.companionAs(who),
        await app.companionAs(who),
      ];
      const admin = await app.companionAs(app.cast.adam);
      const path = `/auth/users/${who.id}/sessions`;
      const listed = await sessionsOf(admin, path);
      expect(listed).toEqual((await sessionsOf(one)).map((session) => ({ ...session, is_current: false })));
      expect((await admin.get(`${path}?page_size=2`)).body).toMatchObject({ total: 3, page_size: 2 });
      expect((await admin.delete(`${path}/${listed[0]!.id}`)).status).toBe(204);
      await expectEnded(one);
      await expectSignedIn(other);
      expect(await admin.delete(path)).toMatchObject({ status: 200, body: { ended: 2 } });
      for (const client of [other, third]) await expectEnded(client);
      await expectSignedIn(admin);
      expect(await admin.delete(`${path}/${listed[1]!.id}`)).toMatchObject(NO_SESSION);
    });

    it('are found under the person they are of', async () => {
      const [who, another] = [await newcomer(), await newcomer()];
      const client = await app.companionAs(who);
      const admin = await app.companionAs(app.cast.adam);
      const path = `/auth/users/${another.id}/sessions/${await idOf(client)}`;
      expect(await admin.delete(path)).toMatchObject(NO_SESSION);
      await expectSignedIn(client);
    });

    it.each(['mona', 'mia', 'gus'] as const)(
      'are nobody else’s business, as %s finds [COMP-sessions-administrators]',
      async (name) => {
        const client = await app.companionAs(app.cast[name]);
        const who = await newcomer();
        const signedIn = await app.companionAs(who);
        const path = `/auth/users/${who.id}/sessions`;
        for (const answer of [
          await client.get(path),
          await client.delete(path),
          await client.delete(`${path}/${await idOf(signedIn)}`),
        ]) {
          expect(answer.status).toBe(403);
        }
        await expectSignedIn(signedIn);
        expect((await app.companion().get(path)).status).toBe(401);
      },
    );

    it('are those of owners for owners alone [COMP-sessions-administrators]', async () => {
      const owner = await newcomer(Role.owner);
      const signedIn = await app.companionAs(owner);
      const id = await idOf(signedIn);
      const path = `/auth/users/${owner.id}/sessions`;
      const admin = await app.companionAs(app.cast.adam);
      for (const answer of [
        await admin.get(path),
        await admin.delete(path),
        await admin.delete(`${path}/${id}`),
      ]) {
        expect(answer.status).toBe(403);
      }
      await expectSignedIn(signedIn);
      const otherOwner = await app.companionAs(app.cast.olivia);
      expect((await otherOwner.delete(`${path}/${id}`)).status).toBe(204);
      await expectEnded(signedIn);
    });

    it('are none of bots, deleted people and nobody', async () => {
      const admin = await app.companionAs(app.cast.adam);
      for (const id of [app.cast.robo.id, 999_999, 'x']) {
        const path = `/auth/users/${id}/sessions`;
        for (const answer of [
          await admin.get(path),
          await admin.delete(path),
          await admin.delete(`${path}/1`),
        ]) {
          expect(answer.status).toBe(404);
        }
      }
      const gone = await newcomer();
      await admin.delete(`/auth/users/${gone.id}`);
      expect((await admin.get(`/auth/users/${gone.id}/sessions`)).status).toBe(409);
      expect((await admin.delete(`/auth/users/${gone.id}/sessions`)).status).toBe(409);
    });

    it('end with their own for administrators who name themselves', async () => {
      const who = await newcomer(Role.administrator);
      const client = await app.companionAs(who);
      expect((await client.delete(`/auth/users/${who.id}/sessions`)).body).toEqual({ ended: 1 });
      await expectEnded(client);
    });
  });
});
