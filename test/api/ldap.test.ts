import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LdapClient } from '../../src/features/identity-providers/ldap/ldap-client.service';
import { LdapSync } from '../../src/features/identity-providers/ldap/ldap-sync.service';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { OperatorProvidersService } from '../../src/features/identity-providers/operator-providers.service';
import { Role } from '../../src/platform/actor';
import { LdapSettings } from '../../src/platform/config/ldap-settings';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Passwords } from '../../src/platform/secrets/passwords';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient, FROM_OWN_PAGE } from '../support/browser-client';
import { addAccount, PASSWORD } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { makeGroup } from '../support/group-setup';
import { ANSWER, FalseDirectory, referral, result } from '../support/ldap-mock';
import { hasSlapd, PEOPLE, Slapd } from '../support/slapd';
import { StoppedClock } from '../support/test-clocks';
import { FIRST } from '../support/tls/identities';
import { TestApp } from '../support/test-app';

if (!hasSlapd()) test.todo('sign-in with an LDAP directory: slapd is not installed here');

const clock = new StoppedClock();
const MAPPING = { [`CN=devs, ou=groups,dc=example,dc=com`]: 'developers' };

(hasSlapd() ? describe : describe.skip)('A directory', () => {
  let slapd: Slapd;
  let app: TestApp;

  beforeAll(async () => {
    slapd = await Slapd.start();
    const file = slapd.file({
      creates_accounts: true,
      links_by_email: true,
      disabled_attribute: 'employeeType',
      groups: MAPPING,
    });
    app = await TestApp.start({ clock, env: { LDAP_DIRECTORY: file } });
    await makeGroup(app, app.cast.olivia, 'developers');
    await slapd.addPerson('ada', { cn: 'Ada Lovelace' });
    await slapd.addPerson('bob');
    await slapd.addGroup('devs', 'ada');
  });

  afterAll(async () => {
    await app.stop();
    await slapd.stop();
  });

  // The throttle counts for a quarter of an hour.
  beforeEach(() => {
    clock.now += 900_000;
  });

  const fetchKey = (username: string, password: string, from = app) =>
    from.client().post('/fetch_api_key', { username, password });
  const idOf = async (uid: string, name = uid): Promise<number> =>
    expectSuccess(await fetchKey(name, `${uid}'s password`)).user_id as number;
  const developers = async (): Promise<number[]> => {
    const { user_groups } = expectSuccess(await app.as(app.cast.olivia).get('/user_groups'));
    const groups = user_groups as { name: string; members: number[] }[];
    return groups.find(({ name }) => name === 'developers')!.members;
  };
  const isActive = async (id: number): Promise<boolean> => {
    const { user } = expectSuccess(await app.as(app.cast.olivia).get(`/users/${id}`));
    return (user as { is_active: boolean }).is_active;
  };
  const sync = () => app.get(LdapSync).run();

  it('is told to clients', async () => {
    const { body } = await app.client().get('/server_settings');
    expect(body).toMatchObject({
      authentication_methods: { ldap: true, password: true, email: true },
      email_auth_enabled: true,
      require_email_format_usernames: false,
    });
    const { body: page } = await new BrowserClient(app.nest).send({ url: '/login/' });
    expect(page).toContain('Email address or username');
  });

  it('makes an account at the first sign-in, which is known again by its ID, by name or address', async () => {
    const audit = await AuditReader.of(app);
    const id = await idOf('ada');
    expect((await audit.news()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.created', 'user.identity_linked', 'user.signed_in']),
    );
    const { user } = expectSuccess(await app.as(app.cast.olivia).get(`/users/${id}`));
    expect(user).toMatchObject({ full_name: 'Ada Lovelace', delivery_email: 'ada@example.com', role: 400 });
    expect(await developers()).toContain(id);
    await slapd.change('ada', 'mail', ['countess@example.com']);
    expect(await idOf('ada', 'countess@example.com')).toBe(id);
    await slapd.change('ada', 'mail', ['ada@example.com']);
    const browser = new BrowserClient(app.nest);
    expect((await browser.signIn('ADA', "ada's password")).status).toBe(302);
    expect(await browser.whoAmI()).toBe(id);
  });

  it.each([
    ['no password', 'ada', ''],
    ['a wrong password', 'ada', 'a guess'],
    ['a name for everybody', '*', "ada's password"],
    ['a filter in the name', 'ada)(uid=*', "ada's password"],
    ['a filter that closes ours', '*)(|(objectClass=*', "ada's password"],
    ['an escaped star', '\\2a', "ada's password"],
    ['10,000 characters', 'a'.repeat(10_000), "ada's password"],
    ['an unknown name', 'nobody', "ada's password"],
    ['the service account', 'parley', 'a secret of the service'],
  ])('refuses %s like a wrong password', async (_what, name, password) => {
    expect(await fetchKey(name, password)).toMatchObject({
      status: 401,
      body: { code: 'AUTHENTICATION_FAILED', msg: 'Your username or password is incorrect' },
    });
  });

  it.each([
    ['behind the name', 'ada\0', "ada's password"],
    ['behind the password', 'ada', "ada's password\0"],
    ['in the place of a password', 'ada', '\0'],
    ['before a password', 'ada', "\0ada's password"],
  ])('is not asked with NUL %s', async (_what, name, password) => {
    const asked = jest.spyOn(app.get(LdapClient), 'authenticate');
    const browser = new BrowserClient(app.nest);
    const statuses = [
      (await fetchKey(name, password)).status,
      (await browser.signIn(name, password)).status,
      (await app.companion().post('/auth/login', { email: name, password })).status,
    ];
    expect(statuses).toEqual([400, 400, 422]);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  it('signs nobody in where two entries match', async () => {
    await slapd.addPerson('twin');
    await slapd.addPerson('other', { mail: ['twin@example.com', 'other@example.com'] });
    expect((await fetchKey('twin@example.com', "twin's password")).status).toBe(401);
    expect((await fetchKey('twin@example.com', "other's password")).status).toBe(401);
  });

  it('links the account of a member by address, and that of no administrator', async () => {
    const { max, adam } = app.cast;
    await slapd.addPerson('max');
    await slapd.addPerson('adam');
    expect(await idOf('max')).toBe(max.id);
    expect((await fetchKey('adam', "adam's password")).status).toBe(401);
    expectSuccess(await fetchKey(adam.email, PASSWORD));
    // From now on the directory has the password.
    expect((await fetchKey(max.email, PASSWORD)).status).toBe(401);
    expectError(
      await app
        .as(max)
        .patch('/settings', { old_password: "max's password", new_password: 'seven new herons' }),
      'Your password is managed in your organization’s directory.',
    );
    const email = 'maximilian@example.com';
    expectSuccess(await app.as(max).patch('/settings', { email, old_password: "max's password" }));
  });

  it('lets owners in with their own password, linked or not', async () => {
    const id = await slapd.addPerson('olivia');
    const operator = app.get(OperatorProvidersService);
    await (operator as unknown as { link(input: object): Promise<object> }).link({
      user: app.cast.olivia.email,
      provider: 'corp',
      sub: id,
    });
    expectSuccess(await fetchKey(app.cast.olivia.email, PASSWORD));
    expect(await idOf('olivia')).toBe(app.cast.olivia.id);
  });

  it('counts failures with those of other passwords', async () => {
    for (let attempt = 0; attempt < 5; attempt++) await fetchKey('bob', 'a guess');
    expect((await fetchKey('bob', "bob's password")).status).toBe(429);
  });

  it('deactivates people whom it disables, and keeps the groups up to date', async () => {
    const [ada, bob] = [await idOf('ada'), await idOf('bob')];
    await slapd.changeGroup('devs', 'bob');
    await slapd.change('ada', 'employeeType', ['TRUE']);
    expect((await fetchKey('ada', "ada's password")).status).toBe(401);
    await sync();
    expect(await isActive(ada)).toBe(false);
    expect(await developers()).toEqual(expect.arrayContaining([bob]));
    await slapd.change('ada', 'employeeType', ['FALSE']);
    expect(await fetchKey('ada', "ada's password")).toMatchObject({
      status: 401,
      body: { code: 'USER_DEACTIVATED' },
    });
    expectSuccess(await app.as(app.cast.olivia).post(`/users/${ada}/reactivate`));
    await sync();
    expect(await developers()).not.toContain(ada);
  });

  it('never deactivates the only owner', async () => {
    await slapd.change('olivia', 'employeeType', ['TRUE']);
    await sync();
    expect(await isActive(app.cast.olivia.id)).toBe(true);
    await slapd.change('olivia', 'employeeType', ['FALSE']);
  });

  it('leaves people alone who are missing, and tells owners where too many would go', async () => {
    const crowd = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
    for (const uid of crowd) await slapd.addPerson(uid);
    const ids: number[] = [];
    for (const uid of crowd) ids.push(await idOf(uid));
    await slapd.remove('c1');
    await sync();
    expect(await isActive(ids[0]!)).toBe(true);
    for (const uid of crowd.slice(1)) await slapd.change(uid, 'employeeType', ['TRUE']);
    await slapd.change('bob', 'employeeType', ['TRUE']);
    await sync();
    for (const id of ids) expect(await isActive(id)).toBe(true);
    const told = expectSuccess(
      await app.as(app.cast.olivia).get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
    );
    expect((told.messages as { content: string }[])[0]?.content).toContain(
      'would deactivate 6 people at once',
    );
  });

  it('deactivates nobody where it names nobody', async () => {
    const ada = await idOf('ada');
    const directory = app.get(LdapSettings).directory!;
    const right = { base_dn: directory.base_dn, deactivates_missing: false };
    Object.assign(directory, { base_dn: 'ou=groups,dc=example,dc=com', deactivates_missing: true });
    await app.get(TransactionService).run((tx) =>
      // Few enough to leave at once otherwise.
      tx.query(
        'DELETE FROM account_identity WHERE sub NOT IN (SELECT sub FROM account_identity WHERE user_id = ?)',
        [ada],
      ),
    );
    await sync();
    Object.assign(directory, right);
    expect(await isActive(ada)).toBe(true);
  });

  it('is tried by the operator', async () => {
    const operator = app.get(OperatorProvidersService) as unknown as {
      check(): Promise<{ providers: object[] }>;
    };
    expect((await operator.check()).providers).toMatchObject([
      { name: 'corp', redirectUri: null, problem: null },
    ]);
    const wrong: [Readonly<Record<string, unknown>>, RegExp][] = [
      [{ base_dn: 'ou=groups,dc=example,dc=com' }, /No entry below "base_dn"/],
      [{ bind_dn: 'cn=other,ou=services,dc=example,dc=com' }, /InvalidCredentials/],
      [{ starttls: true }, /self[- ]signed/i],
      [{ groups: { a: 'no such group' } }, /No user group has the name "no such group"/],
      [{ starttls: true, ca_file: FIRST.certPath }, /^null$/],
    ];
    for (const [changes, problem] of wrong) {
      const other = await TestApp.start({ env: { LDAP_DIRECTORY: slapd.file(changes) } });
      const check = other.get(OperatorProvidersService) as unknown as typeof operator;
      const [{ problem: found }] = (await check.check()).providers as [{ problem: string | null }];
      expect(String(found)).toMatch(problem);
      await other.stop();
    }
  });

  it('is asked over StartTLS with a certificate that is checked', async () => {
    const env = (changes: object) => ({
      LDAP_DIRECTORY: slapd.file({ creates_accounts: true, starttls: true, ...changes }),
    });
    const right = await TestApp.start({ env: env({ ca_file: FIRST.certPath }) });
    expectSuccess(await fetchKey('ada', "ada's password", right));
    await right.stop();
    const unknown = await TestApp.start({ env: env({}) });
    expect((await fetchKey('ada', "ada's password", unknown)).status).toBe(503);
    await unknown.stop();
    const port = Number(new URL(slapd.url).port);
    // The certificate is for 127.0.0.1.
    const elsewhere = createServer((socket) => {
      const onward = connect(port, '127.0.0.1');
      socket.on('error', () => onward.destroy()).pipe(onward);
      onward.on('error', () => socket.destroy()).pipe(socket);
    });
    await new Promise<void>((done) => elsewhere.listen(port, '127.0.0.2', done));
    const other = await TestApp.start({
      env: env({ ca_file: FIRST.certPath, url: `ldap://127.0.0.2:${port}` }),
    });
    expect((await fetchKey('ada', "ada's password", other)).status).toBe(503);
    await other.stop();
    elsewhere.close();
  });

  it('makes no accounts where the organization is deactivated', async () => {
    await slapd.addPerson('late');
    const file = slapd.file({ creates_accounts: true });
    const closed = await TestApp.start({ env: { LDAP_DIRECTORY: file } });
    expectSuccess(await closed.as(closed.cast.olivia).post('/realm/deactivate'));
    expect((await fetchKey('late', "late's password", closed)).status).toBe(401);
    const rows = closed.writeRows((tx) =>
      tx.query("SELECT id FROM account WHERE email_key = 'late@example.com'"),
    );
    await expect(rows).resolves.toEqual([]);
    await closed.stop();
  });

  it('has remembered browsers ask for a code again once the password was changed there', async () => {
    // The directory's clock is the real one.
    clock.now = Date.now() - 3_600_000;
    await slapd.addPerson('cai');
    const email = 'cai@example.com';
    const code = (seed: string) => codeAt(seed, Math.floor(clock.nowSeconds() / 30));
    const cai = await app.companion().signIn(email, "cai's password");
    const { body } = await cai.post('/auth/me/second-factor', { password: "cai's password" });
    const seed = body.secret as string;
    expect((await cai.post('/auth/me/second-factor/confirm', { code: code(seed) })).status).toBe(200);
    clock.now += 60_000;
    const browser = new BrowserClient(app.nest);
    await browser.signIn(email, "cai's password");
    const form = { code: code(seed), remember: '1' };
    await browser.send({ method: 'POST', url: '/login/code', headers: FROM_OWN_PAGE, form });
    const [NOT_ASKED, ASKED] = [302, 200];
    expect((await browser.signIn(email, "cai's password")).status).toBe(NOT_ASKED);
    await slapd.change('cai', 'userPassword', ['a changed password']);
    expect((await browser.signIn(email, 'a changed password')).status).toBe(ASKED);
  });

  it('is out of the way of people whom it does not know', async () => {
    const person = await addAccount(app.nest, {
      deliveryEmail: 'local@example.com',
      fullName: 'Local',
      role: Role.member,
      passwordHash: await app.get(Passwords).hash(PASSWORD),
    });
    expectSuccess(await fetchKey(person.email, PASSWORD));
  });
});

describe('What stands in the place of a directory', () => {
  const settingsOf = (url: string, more: object = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-ldap-'));
    writeFileSync(`${folder}/secret`, 'a secret of the service');
    const block = {
      name: 'corp',
      url,
      bind_dn: 'cn=parley',
      bind_password_file: 'secret',
      base_dn: PEOPLE,
      ...more,
    };
    writeFileSync(`${folder}/ldap.json`, JSON.stringify(block));
    return `${folder}/ldap.json`;
  };

  async function attempt(url: string, more: object = {}) {
    const app = await TestApp.start({ env: { LDAP_DIRECTORY: settingsOf(url, more) } });
    try {
      const startedAt = Date.now();
      const stranger = await app
        .client()
        .post('/fetch_api_key', { username: 'ada', password: 'a plain secret' });
      const seconds = (Date.now() - startedAt) / 1000;
      const page = await new BrowserClient(app.nest).signIn('ada', 'a plain secret');
      const owner = await app
        .client()
        .post('/fetch_api_key', { username: app.cast.olivia.email, password: PASSWORD });
      return { stranger, seconds, page, owner };
    } finally {
      await app.stop();
    }
  }

  const away = { status: 503, body: { code: 'DIRECTORY_AWAY' } };

  it('may be silent: people hear so within seconds, and owners sign in', async () => {
    const silent = await FalseDirectory.start(() => undefined);
    const { stranger, seconds, page, owner } = await attempt(silent.url);
    expect(stranger).toMatchObject(away);
    expect(seconds).toBeLessThan(8);
    expect(page.status).toBe(503);
    expect(page.body).toContain('can’t be reached');
    expectSuccess(owner);
    expect(silent.has('a plain secret')).toBe(false);
    await silent.stop();
  });

  it('gets no password where it refuses StartTLS, or hangs up after it', async () => {
    for (const code of [2, 0]) {
      const refusing = await FalseDirectory.start((socket, chunk, connection) => {
        if (connection === 1 && code === 0) socket.end(result(chunk, ANSWER.extended, 0));
        else if (code !== 0) socket.write(result(chunk, ANSWER.extended, code));
      });
      const { stranger, owner } = await attempt(refusing.url, { starttls: true });
      expect(stranger).toMatchObject(away);
      expectSuccess(owner);
      expect(refusing.has('secret')).toBe(false);
      await refusing.stop();
    }
  });

  it('may refer to another directory, which gets nothing', async () => {
    const other = await FalseDirectory.start((socket) => socket.destroy());
    for (const done of [0, 10]) {
      const referring = await FalseDirectory.start((socket, chunk) => {
        if (chunk[5] === 0x60) socket.write(result(chunk, ANSWER.bind, chunk.includes('nobody') ? 49 : 0));
        else socket.write(Buffer.concat([referral(chunk, other.url), result(chunk, ANSWER.search, done)]));
      });
      const { stranger } = await attempt(referring.url);
      expect([done, stranger.status]).toEqual([done, done === 0 ? 401 : 503]);
      expect(referring.has('a plain secret')).toBe(done === 0);
      await referring.stop();
    }
    expect(other.received).toEqual([]);
    await other.stop();
  });

  it('may hang up after the search', async () => {
    const leaving = await FalseDirectory.start((socket, chunk) => {
      if (chunk[5] === 0x60) socket.write(result(chunk, ANSWER.bind, 0));
      else socket.destroy();
    });
    expect((await attempt(leaving.url)).stranger).toMatchObject(away);
    expect(leaving.has('a plain secret')).toBe(false);
    await leaving.stop();
  });
});
