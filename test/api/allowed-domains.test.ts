import { idsOf } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { PASSWORD } from '../support/cast';
import { stateOf } from '../support/initial-state';
import { changeOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let everybody: number[];

beforeAll(async () => {
  app = await TestApp.start();
  everybody = idsOf(...Object.values(app.cast));
  await app.writeRows(async (tx) => {
    await tx.query('UPDATE account SET can_create_users = ? WHERE id = ?', [true, app.cast.adam.id]);
    tx.touch('accounts', [app.cast.adam.id]);
  });
});

afterAll(() => app.stop());

const PATH = '/realm/domains';
const olivia = () => app.as(app.cast.olivia);
const add = (domain: string, allow_subdomains = false) => olivia().post(PATH, { domain, allow_subdomains });
const list = async () => expectSuccess(await app.as(app.cast.gus).get(PATH)).domains;

const ownEmail = (email: string) =>
  app.as(app.cast.mia).patch('/settings', { email, old_password: PASSWORD });

let people = 0;
const create = (email: string) =>
  app.as(app.cast.adam).post('/users', {
    email,
    password: 'eleven brass trumpets',
    full_name: `Person ${++people}`,
  });

afterEach(async () => {
  for (const { domain } of await list()) expectSuccess(await olivia().delete(`${PATH}/${domain}`));
});

describe('The domains of the organization', () => {
  it('are added, changed and removed, and told to everybody', async () => {
    const events = await app.captureEvents(async () => {
      const answer = expectSuccess(await add(' Example.ORG '));
      expect(answer.new_domain).toEqual([expect.any(Number), 'example.org']);
      expectSuccess(await add('acme.test', true));
      await expect(list()).resolves.toEqual([
        { domain: 'example.org', allow_subdomains: false },
        { domain: 'acme.test', allow_subdomains: true },
      ]);
      expectSuccess(await olivia().patch(`${PATH}/example.org`, { allow_subdomains: true }));
      expectSuccess(await olivia().patch(`${PATH}/example.org`, { allow_subdomains: true }));
      expectSuccess(await olivia().delete(`${PATH}/example.org`));
    });
    const domain = (name: string, allow_subdomains: boolean) => ({ domain: name, allow_subdomains });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'realm_domains', op: 'add', realm_domain: domain('example.org', false) }, everybody],
      [{ type: 'realm_domains', op: 'add', realm_domain: domain('acme.test', true) }, everybody],
      [{ type: 'realm_domains', op: 'change', realm_domain: domain('example.org', true) }, everybody],
      [{ type: 'realm_domains', op: 'remove', domain: 'example.org' }, everybody],
    ]);
    const state = await stateOf(app, app.cast.gus, { wanted: ['realm_domains'] });
    expect(state).toEqual({ realm_domains: [domain('acme.test', true)] });
  });

  it('are names of domains, each there once', async () => {
    expectError(await add('localhost'), 'Invalid domain: Domain must have at least one dot (.)');
    expectError(await add('a\0.org'), "Invalid domain: Domain can only have letters, numbers, '.' and '-'s.");
    expectSuccess(await add(`${'x.'.repeat(125)}org`));
    expectSuccess(await add('example.org'));
    expectError(await add('EXAMPLE.org'), 'The domain example.org is already a part of your organization.');
    const missing = 'No entry found for domain EXAMPLE.org.';
    expectError(await olivia().delete(`${PATH}/EXAMPLE.org`), missing);
    expectError(await olivia().patch(`${PATH}/EXAMPLE.org`, { allow_subdomains: true }), missing);
  });

  it('are as many as can be sent', async () => {
    const domains = Array.from({ length: 500 }, (_, id) => ({
      id,
      domain: `d${id}.test`,
      withSubdomains: true,
    }));
    const store = (value: unknown) =>
      app.writeRows(async (tx) => {
        await tx.query(
          `INSERT INTO organization_setting (name, value) VALUES ('allowed_domains', ?)
           ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
          [JSON.stringify(value)],
        );
        tx.touch('organization', [1]);
      });
    await store(domains);
    expectError(await add('one-more.test'), 'There can be at most 500 domains.');
    await store([]);
  });

  it.each(['adam', 'mia', 'gus'] as const)('are not changed by %s', async (who) => {
    expectSuccess(await add('example.org'));
    const client = app.as(app.cast[who]);
    for (const answer of [
      await client.post(PATH, { domain: 'evil.test', allow_subdomains: true }),
      await client.patch(`${PATH}/example.org`, { allow_subdomains: true }),
      await client.delete(`${PATH}/example.org`),
    ]) {
      expectError(answer, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' });
    }
    await expect(list()).resolves.toEqual([{ domain: 'example.org', allow_subdomains: false }]);
  });
});

describe('New addresses', () => {
  it('belong to the domains of the organization while it restricts them', async () => {
    expectSuccess(await add('example.org'));
    expectSuccess(await add('acme.test', true));
    expectSuccess(await create('before@elsewhere.test'));
    await changeOrganization(app, { emails_restricted_to_domains: true });
    for (const email of ['a@elsewhere.test', 'b@mail.example.org', 'c@notacme.test', 'd@mailinator.com']) {
      expectError(await create(email), `Email '${email}' not allowed in this organization`);
    }
    expectError(await create('x+y@example.org'), 'Email addresses containing + are not allowed.');
    expectSuccess(await create('x@EXAMPLE.org'));
    expectSuccess(await create('x@acme.test'));
    expectSuccess(await create('y@mail.acme.test'));
  });

  it('are any again without the last domain', async () => {
    expectSuccess(await add('example.org'));
    await changeOrganization(app, { emails_restricted_to_domains: true });
    const events = await app.captureEvents(() => olivia().delete(`${PATH}/example.org`));
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
      { type: 'realm_domains', op: 'remove', domain: 'example.org' },
    ]);
    expectSuccess(await create('anybody@elsewhere.test'));
  });

  it('are not disposable, unless the organization says so', async () => {
    const refusal = 'Disposable email addresses are not allowed in this organization';
    expectError(await create('somebody@Mailinator.com'), refusal);
    expectError(await ownEmail('mia@mailinator.com'), refusal);
    const { id } = app.cast.mia;
    expectError(await olivia().patch(`/users/${id}`, { new_email: 'mia@mailinator.com' }), refusal);
    await changeOrganization(app, { disallow_disposable_email_addresses: false });
    expectSuccess(await create('somebody@mailinator.com'));
    await changeOrganization(app, { disallow_disposable_email_addresses: true });
  });

  it('are checked wherever a person gets one, and not where the old one stays', async () => {
    const { mia, gus } = app.cast;
    expectSuccess(await add('example.org'));
    await changeOrganization(app, { emails_restricted_to_domains: true });
    const refusal = "Email 'new@elsewhere.test' not allowed in this organization";
    expectError(await ownEmail('new@elsewhere.test'), refusal);
    expectError(await olivia().patch(`/users/${gus.id}`, { new_email: 'new@elsewhere.test' }), refusal);
    expectSuccess(await ownEmail(mia.email));
    expectSuccess(await ownEmail('mia@example.org'));
    expectSuccess(await olivia().patch(`/users/${mia.id}`, { new_email: 'mia@example.org' }));
  });

  it('are restricted by owners alone', async () => {
    for (const setting of ['emails_restricted_to_domains', 'disallow_disposable_email_addresses']) {
      expectError(
        await app.as(app.cast.adam).patch('/realm', { [setting]: true }),
        'Must be an organization owner',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      );
    }
    const state = await stateOf(app, app.cast.gus, { wanted: ['realm'] });
    expect(state).toMatchObject({
      realm_emails_restricted_to_domains: false,
      realm_disallow_disposable_email_addresses: true,
    });
  });
});
