import { BrowserClient, browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { expectSuccess } from '../support/expect-answer';
import { GOOD_PASSWORD, makeLink } from '../support/invitation-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } });
});

afterAll(() => app.stop());

const HOST = { host: 'chat.example.com' };
const strangerFrom = (accepted?: string) =>
  new BrowserClient(app.nest, {
    ...HOST,
    ...(accepted === undefined ? {} : { 'accept-language': accepted }),
  });
const german = () => strangerFrom('de-AT, en;q=0.5');
const post = (browser: BrowserClient, url: string, form: Record<string, string>, headers = FROM_OWN_PAGE) =>
  browser.send({ method: 'POST', url, headers, form });
const pathOf = (url: string) => new URL(url).pathname;
const languageIn = (body: unknown) => /<html lang="(\w+)" dir="ltr">/.exec(String(body))?.[1];
const alertIn = (body: unknown) => /role="alert">([^<]*)</.exec(String(body))?.[1];

/** The page is German, and has these texts. */
function expectGerman(body: unknown, ...texts: readonly string[]): void {
  expect(languageIn(body)).toBe('de');
  for (const text of texts) expect(body).toContain(text);
}

describe('The sign-in page', () => {
  it('is in the language that the browser asks for', async () => {
    const languages = ['de', 'en, de', 'fr, de;q=0.3', 'fr', 'de;q=0', 'DE-ch', '*', undefined];
    const shown: (string | undefined)[] = [];
    for (const each of languages)
      shown.push(languageIn((await strangerFrom(each).send({ url: '/login/' })).body));
    expect(shown).toEqual(['de', 'en', 'de', 'en', 'en', 'de', 'en', 'en']);
    const { body } = await german().send({ url: '/login/' });
    expectGerman(body, '<title>Anmelden</title>', 'E-Mail-Adresse', 'Passwort vergessen?');
  });

  it('says in German what was wrong', async () => {
    const answer = await german().signIn(app.cast.mia.email, 'not this one');
    expect(answer.status).toBe(401);
    expect(alertIn(answer.body)).toBe('E-Mail-Adresse oder Passwort ist falsch.');
    for (let attempt = 0; attempt < 20; attempt++) {
      const { status, body } = await german().signIn(app.cast.mona.email, 'not this one');
      if (status !== 429) continue;
      expect(alertIn(body)).toMatch(/^Zu viele Fehlversuche. Versuche es in \d+ Minuten? noch einmal.$/);
      return;
    }
    throw new Error('was never throttled');
  });

  it('says in German that a form came from elsewhere, while the API speaks English', async () => {
    const { status, body } = await post(german(), '/login/', {}, { origin: 'https://evil.example' });
    expect(status).toBe(403);
    expectGerman(
      body,
      'Etwas ist schiefgegangen',
      'Dieses Formular kam nicht von einer Seite dieses Servers.',
    );
    const refusal = await german().send({ url: '/json/users/me' });
    expect(refusal.body.msg).toBe('Not logged in: API authentication or user session required');
  });

  it('marks as English what is in no other language', async () => {
    const email = 'x'.repeat(2000);
    const { status, body } = await post(german(), '/accounts/password/reset/', { email });
    expect(status).toBe(400);
    expectGerman(body, '<span lang="en">');
  });

  it('is German where an identity provider leads back to it', async () => {
    const { status, body } = await german().send({ url: '/accounts/login/social/oidc/none' });
    expect(status).toBe(404);
    expectGerman(body, 'Anmeldung fehlgeschlagen', 'Zurück zur Anmeldung');
  });
});

describe('An invitation', () => {
  it('is in German from the form to what was wrong with it', async () => {
    const link = pathOf(await makeLink(app, app.cast.adam));
    const browser = german();
    expectGerman((await browser.send({ url: link })).body, 'hat dich zu', 'Dein Name', 'Beitreten');
    const sent = { email: 'neu@example.com', full_name: 'Neu', password: GOOD_PASSWORD };
    const wrong = async (form: Record<string, string>) => {
      const { status, body } = await post(browser, link, { ...sent, ...form });
      expect(status).toBe(400);
      return alertIn(body);
    };
    expect(await wrong({ password: '123456' })).toContain('Das Passwort ist zu schwach.');
    expect(await wrong({ email: 'x' })).toBe('Gib eine gültige E-Mail-Adresse ein.');
    expect(await wrong({ email: app.cast.mia.email })).toContain('wird schon verwendet');
    expect(await wrong({ full_name: '' })).toBe('Der Name ist zu kurz.');
    expect(await wrong({ full_name: 'x'.repeat(200) })).toBe('Der Name ist zu lang.');
    expect(await wrong({ full_name: 'a*b' })).toBe('Der Name enthält ungültige Zeichen.');
    expect(await wrong({ full_name: 'Ada|9' })).toMatch(
      /^(Der Name enthält ungültige Zeichen|Dieser Name ist nicht erlaubt)\.$/,
    );
    const domains = { emails_restricted_to_domains: 'true' };
    expectSuccess(
      await app
        .as(app.cast.olivia)
        .post('/realm/domains', { domain: 'acme.example', allow_subdomains: 'false' }),
    );
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', domains));
    expect(await wrong({})).toBe('Diese E-Mail-Adresse ist in dieser Organisation nicht erlaubt.');
    expect(await wrong({ email: 'a+b@acme.example' })).toBe('E-Mail-Adressen mit + sind nicht erlaubt.');
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { emails_restricted_to_domains: 'false' }));
    const { status } = await post(browser, link, sent);
    expect(status).toBe(302);
  });

  it('that does not exist says so in German', async () => {
    const { status, body } = await german().send({ url: '/join/nothing' });
    expect(status).toBe(404);
    expectGerman(body, 'Einladung nicht gefunden');
  });
});

describe('A new password', () => {
  it('is asked for in German', async () => {
    expectGerman((await german().send({ url: '/accounts/password/reset/' })).body, 'Link senden');
    const { status, body } = await post(german(), '/accounts/password/reset/', { email: 'x' });
    expect([status, alertIn(body)]).toEqual([400, 'Gib eine gültige E-Mail-Adresse ein.']);
    const over = await german().send({ url: '/accounts/password/reset/1-2-x' });
    expect(over.status).toBe(404);
    expectGerman(over.body, 'Dieser Link funktioniert nicht');
    expectGerman((await german().send({ url: '/login/first?code=x' })).body, 'Mit Passwort anmelden');
  });

  it('is chosen in German', async () => {
    const { body } = await (
      await app.companionAs(app.cast.olivia)
    ).post(`/auth/users/${app.cast.max.id}/password-link`);
    const link = pathOf(body.url);
    expectGerman((await german().send({ url: link })).body, 'Wähle ein neues Passwort für');
    const weak = await post(german(), link, { password: '123456' });
    expect([weak.status, alertIn(weak.body)]).toEqual([
      400,
      expect.stringContaining('Das Passwort ist zu schwach.'),
    ]);
  });
});

describe('The language of a person', () => {
  it('comes before that of the browser, and that of the organization behind it', async () => {
    const { max, olivia } = app.cast;
    const page = async (browser: BrowserClient) =>
      languageIn((await post(browser, '/accounts/logout/', {}, {})).body);
    expectSuccess(await app.as(max).patch('/settings', { default_language: 'de' }));
    expect(await page(await browserOf(app, max, { 'accept-language': 'en' }))).toBe('de');
    expectSuccess(await app.as(olivia).patch('/realm', { default_language: 'de' }));
    const shown = async (accepted?: string) =>
      languageIn((await strangerFrom(accepted).send({ url: '/login/' })).body);
    expect([await shown(), await shown('fr'), await shown('en')]).toEqual(['de', 'de', 'en']);
    expectSuccess(await app.as(olivia).patch('/realm', { default_language: 'en' }));
  });
});
