import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { AuditExpiry } from '../../src/features/audit/audit-log.service';
import { AuditReader } from '../support/audit-setup';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const DAY_MS = 86_400_000;

describe('The audit log', () => {
  const clock = new StoppedClock();
  let app: TestApp;
  let log: AuditReader;

  beforeAll(async () => {
    app = await TestApp.start({
      clock,
      env: { TRUSTED_PROXIES: '127.0.0.1', AUDIT_RETENTION_DAYS: '30' },
    });
    log = await AuditReader.of(app);
  });

  afterAll(() => app.stop());

  const ownerGet = async (query: string) => (await app.companionAs(app.cast.olivia)).get(query);
  const stored = () =>
    app
      .get(Database)
      .read.query<{ id: number; address: string }>('SELECT id, address FROM audit_entry ORDER BY id');

  it('says who did what to whom, from where and by which way', async () => {
    const { olivia, mia } = app.cast;
    const from = { 'x-forwarded-for': '192.0.2.7', 'user-agent': 'Terminal/1.2 (Linux)' };
    const answer = await app.as(olivia).send({
      method: 'PATCH',
      url: `/api/v1/users/${mia.id}`,
      headers: { ...from, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'role=300',
    });
    expectSuccess(answer);
    expect(await log.only()).toEqual({
      id: expect.any(Number),
      created_at: clock.nowSeconds(),
      way: 'main',
      address: '192.0.2.7',
      client: 'Terminal',
      actor_id: olivia.id,
      actor_name: olivia.fullName,
      action: 'user.role_changed',
      target_user_id: mia.id,
      target_user_name: mia.fullName,
      target_id: mia.id,
      details: { from: 400, to: 300 },
    });
  });

  it('knows the other interface', async () => {
    const owner = await app.companionAs(app.cast.olivia);
    await log.news();
    await owner.patch(`/auth/users/${app.cast.mia.id}`, { role: 'member' });
    expect(await log.only()).toMatchObject({ way: 'companion', details: { from: 300, to: 400 } });
  });

  it('has nothing of what was refused, and nothing of what changed nothing', async () => {
    const { adam, olivia, mia } = app.cast;
    await app.as(adam).patch(`/users/${mia.id}`, { role: 100 });
    await app.as(olivia).patch(`/users/${mia.id}`, { role: 400 });
    await app
      .as(olivia)
      .patch(`/users/${mia.id}`, { role: 300, profile_data: [{ id: 999_999, value: 'x' }] });
    expect(await log.news()).toEqual([]);
  });

  it('goes with the change, or not at all', async () => {
    const { olivia, mia } = app.cast;
    await app
      .get(TransactionService)
      .run((tx) =>
        tx.query(
          tx.engine === 'postgres'
            ? `CREATE FUNCTION full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full'; END $$`
            : `CREATE TRIGGER is_full BEFORE INSERT ON audit_entry BEGIN SELECT RAISE(ABORT, 'full'); END`,
        ),
      );
    if (app.get(Database).engine === 'postgres') {
      await app
        .get(TransactionService)
        .run((tx) =>
          tx.query(
            'CREATE TRIGGER is_full BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION full()',
          ),
        );
    }
    const { status } = await app.as(olivia).patch(`/users/${mia.id}`, { role: 300 });
    await app
      .get(TransactionService)
      .run((tx) => tx.query(`DROP TRIGGER is_full${tx.engine === 'postgres' ? ' ON audit_entry' : ''}`));
    expect(status).toBe(500);
    const { body } = await app.as(olivia).get(`/users/${mia.id}`);
    expect(body.user.role).toBe(400);
    expect(await log.news()).toEqual([]);
  });

  describe('is listed', () => {
    it('to owners only', async () => {
      for (const person of [app.cast.adam, app.cast.mona, app.cast.mia, app.cast.gus]) {
        const { status } = await (await app.companionAs(person)).get('/auth/audit-log');
        expect(status).toBe(403);
      }
      expect((await app.companion().get('/auth/audit-log')).status).toBe(401);
    });

    it('by actor, target, action and time', async () => {
      const { olivia, mia, max } = app.cast;
      clock.now += 10_000;
      const since = clock.nowSeconds();
      for (const { id } of [mia, max]) {
        expectSuccess(await app.as(olivia).patch(`/users/${id}`, { can_create_users: true }));
      }
      clock.now += 10_000;
      const until = clock.nowSeconds();
      expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { can_create_users: false }));
      const times = `since=${since}&until=${until}`;
      const targets = async (query: string) => (await log.find(query)).map((entry) => entry.target_user_id);
      expect(await targets(times)).toEqual([mia.id, max.id]);
      expect(await targets(`${times}&order=newest`)).toEqual([max.id, mia.id]);
      expect(await targets(`${times}&target_user_id=${max.id}`)).toEqual([max.id]);
      expect(await targets(`${times}&target_id=${max.id}&action=user`)).toEqual([max.id]);
      expect(await targets(`${times}&actor_id=${olivia.id}`)).toEqual([mia.id, max.id]);
      expect(await targets(`${times}&actor_id=${mia.id}`)).toEqual([]);
      expect(await targets(`${times}&action=user.can_create_users_changed`)).toEqual([mia.id, max.id]);
      expect(await targets(`${times}&action=channel`)).toEqual([]);
      expect(await targets(`since=${until}&target_user_id=${mia.id}`)).toEqual([mia.id]);
    });

    it('by pages, in both orders', async () => {
      const all = await log.find();
      for (const order of ['oldest', 'newest']) {
        const found: number[] = [];
        let cursor = '';
        do {
          const { body } = await ownerGet(`/auth/audit-log?page_size=3&order=${order}${cursor}`);
          expect(body.total).toBeGreaterThanOrEqual(all.length);
          found.push(...body.items.map(({ id }: { id: number }) => id));
          cursor = body.next_cursor && `&cursor=${body.next_cursor}`;
        } while (cursor);
        expect(found).toEqual(found.toSorted((a, b) => (order === 'oldest' ? a - b : b - a)));
        expect(new Set(found).size).toBe(found.length);
      }
      const { body } = await ownerGet('/auth/audit-log?page=2&page_size=2');
      expect(body.items.map(({ id }: { id: number }) => id)).toEqual(all.slice(2, 4).map(({ id }) => id));
    });

    it.each([
      'action=nothing',
      'since=soon',
      'actor_id=0',
      'order=random',
      'since=-1',
      'since=253402300800',
      'until=9007199254740992',
      'target_id=99999999999',
    ])('not for %s', async (query) => expect((await ownerGet(`/auth/audit-log?${query}`)).status).toBe(422));
  });

  describe('says that it was read', () => {
    const readings = async () => log.find('action=server.audit_log_read');

    it('once an hour by each reader and from each address, however many pages there are', async () => {
      const { olivia } = app.cast;
      clock.now += 3_600_000;
      await log.signIn();
      const known = (await readings()).length;
      for (let page = 1; page <= 5; page += 1) await ownerGet(`/auth/audit-log?page_size=2&page=${page}`);
      expect(await readings()).toHaveLength(known);
      const other = { 'x-forwarded-for': '192.0.2.9' };
      const companion = await app.companionAs(olivia);
      await companion.get('/auth/audit-log', other);
      await companion.get('/auth/audit-log?page=2&page_size=1', other);
      expect((await readings()).slice(known)).toMatchObject([
        { actor_id: olivia.id, way: 'companion', address: '192.0.2.9', target_user_id: null, details: {} },
      ]);
      clock.now += 3_600_000;
      await log.find();
      expect((await readings()).slice(known + 1)).toMatchObject([
        { actor_id: olivia.id, address: '127.0.0.1' },
      ]);
    });

    it('but not where it was refused', async () => {
      const known = (await readings()).length;
      await (await app.companionAs(app.cast.adam)).get('/auth/audit-log');
      await ownerGet('/auth/audit-log?action=nothing');
      expect(await readings()).toHaveLength(known);
    });
  });

  describe('is append-only', () => {
    const REFUSED = 'The audit log is append-only.';
    const attempt = (sql: string) => app.get(TransactionService).run((tx) => tx.query(sql));

    it('for every statement that takes away or changes an entry', async () => {
      await expect(attempt('DELETE FROM audit_entry')).rejects.toThrow(REFUSED);
      await expect(attempt("UPDATE audit_entry SET action = 'user.created'")).rejects.toThrow(REFUSED);
      await expect(
        attempt('UPDATE audit_entry SET actor_id = NULL WHERE actor_id IS NOT NULL'),
      ).rejects.toThrow(REFUSED);
      await expect(attempt("UPDATE audit_entry SET address = '203.0.113.1'")).rejects.toThrow(REFUSED);
      if (app.get(Database).engine === 'postgres')
        await expect(attempt('TRUNCATE audit_entry')).rejects.toThrow(REFUSED);
    });

    it('until entries are older than the operator keeps them', async () => {
      const { olivia, max } = app.cast;
      const old = (await stored()).at(-1)!.id;
      clock.now += 31 * DAY_MS;
      expectSuccess(await app.as(olivia).patch(`/users/${max.id}`, { can_create_users: false }));
      await app.get(AuditExpiry).expire();
      await log.signIn();
      const ids = (await stored()).map(({ id }) => id);
      expect(Math.min(...ids)).toBeGreaterThan(old);
      const [kept] = await log.find('action=user');
      const [expiry] = await log.find('action=server');
      expect(kept).toMatchObject({ target_user_id: max.id });
      expect(expiry).toMatchObject({ action: 'server.audit_log_expired', way: 'server', actor_id: null });
      await expect(attempt('DELETE FROM audit_entry')).rejects.toThrow(REFUSED);
    });
  });

  it('forgets from where somebody acted who was deleted for good, and keeps what they did', async () => {
    const { olivia } = app.cast;
    const email = 'passing@example.com';
    const person = { email, password: PASSWORD, full_name: 'Passing By' };
    const { user_id: id } = expectSuccess(await app.as(olivia).post('/users', person));
    await app.companion().signIn(email, PASSWORD);
    const own = (await log.find(`actor_id=${id}`)).at(-1)!;
    expect(own).toMatchObject({ action: 'user.signed_in', way: 'companion', address: '127.0.0.1' });
    expect((await (await app.companionAs(olivia)).delete(`/auth/users/${id}`)).status).toBe(204);
    expect(await log.find(`actor_id=${id}`)).toEqual([
      {
        ...own,
        address: '',
        client: '',
        actor_name: `Deleted user ${id}`,
        target_user_name: `Deleted user ${id}`,
      },
    ]);
    const done = await log.find(`target_user_id=${id}`);
    expect(done.map(({ action }) => action)).toEqual([
      'user.created',
      'user.signed_in',
      'user.deactivated',
      'user.deleted',
    ]);
    expect(JSON.stringify(done)).not.toMatch(/Passing|passing/);
    expect(done[0]).toMatchObject({ actor_id: olivia.id, address: '127.0.0.1' });
  });
});
