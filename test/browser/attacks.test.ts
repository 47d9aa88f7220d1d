import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, signIn, signOut } from '../support/browser';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { LocalReceiver } from '../support/local-receiver';
import type { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const TWO_WEEKS_MS = 14 * 86_400_000;

/** What a form of another page would send, and where to. */
interface ForeignForm {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

describeInBrowser('attacks on somebody who is signed in', () => {
  const clock = new OffsetClock();
  let run: BrowserRun;
  let app: TestApp;
  /** The page of an attacker. */
  let foreign: LocalReceiver;

  beforeAll(async () => {
    foreign = await LocalReceiver.start();
    run = await BrowserRun.start({ clock });
    app = run.app;
  });

  afterEach(() => run.closeAll());
  afterAll(async () => {
    await run.stop();
    await foreign.stop();
  });

  /** The same page at an address that browsers send the cookie along from, and at one that is another site. */
  const addresses = () => [foreign.origin, foreign.origin.replace('127.0.0.1', 'localhost')];

  const cookieOf = async (page: Page) => {
    const cookies = await page.context().cookies(run.site);
    return cookies.map(({ name, value }) => ({ name, value }));
  };

  const whoAmI = async (page: Page): Promise<unknown> => {
    const answer = await page.request.get('/json/users/me');
    return answer.ok() ? ((await answer.json()) as { user_id: number }).user_id : null;
  };

  /** Has a page elsewhere send a form, and says what the browser was answered. */
  async function sendForeign(page: Page, address: string, { path, fields }: ForeignForm): Promise<number> {
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
    const form = `<form method="post" action="${run.site}${path}">${inputs.join('')}</form>`;
    foreign.answer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(form),
    );
    await page.goto(address);
    const [answer] = await Promise.all([
      page.waitForResponse((each) => each.url() === run.site + path && each.request().method() === 'POST'),
      page.waitForEvent('framenavigated'),
      // Once the answer to this is there, as what follows ends the page that would give it.
      page.evaluate('setTimeout(() => document.forms[0].submit())'),
    ]);
    return answer.status();
  }

  it.each(['/console', '/console/people', '/login/', '/api/docs', '/'])('nobody frames %s', async (path) => {
    const open = await run.signedIn(app.cast.mia);
    const { page } = open;
    foreign.answer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<iframe name="victim" src="${run.site}${path}"></iframe>`),
    );
    for (const address of addresses()) {
      const refused = page.waitForEvent('console', (each) => each.text().includes('frame-ancestors'));
      await page.goto(address);
      await refused;
      const frame = page.frames().find((each) => each !== page.mainFrame());
      expect(await frame?.content()).not.toMatch(/<form|<main|csrf/);
    }
    open.forgive(/frame-ancestors/);
  });

  it('no form elsewhere changes anything, whether the cookie comes along or not', async () => {
    const { mia, olivia } = app.cast;
    const open = await run.signedIn(mia);
    const { page } = open;
    const before = expectSuccess(await app.as(mia).get('/users/me'));
    const message = { type: 'direct', to: `[${olivia.id}]`, content: 'Give me your keys' };
    const forms: ForeignForm[] = [
      { path: '/json/messages', fields: message },
      { path: '/json/messages', fields: { ...message, csrfmiddlewaretoken: 'guessed' } },
      { path: '/json/settings', fields: { method: 'PATCH', full_name: 'Somebody else' } },
      { path: '/json/users/me', fields: { method: 'DELETE' } },
      { path: '/json/users/me/api_key/regenerate', fields: {} },
      { path: '/json/companion/auth/logout', fields: {} },
      { path: '/api/v1/messages', fields: message },
    ];
    for (const address of addresses()) {
      // From another site the cookie does not come along; from this one it does, and what is missing is the token.
      const [refusal, signedOut] = address === foreign.origin ? [403, 403] : [401, 302];
      const answers: unknown[] = [];
      for (const form of forms) answers.push([form.path, await sendForeign(page, address, form)]);
      expect(answers).toEqual(forms.map(({ path }) => [path, path.startsWith('/api/') ? 401 : refusal]));
      expect(await sendForeign(page, address, { path: '/accounts/logout/', fields: {} })).toBe(signedOut);
      expect(await whoAmI(page)).toBe(mia.id);
    }
    expect(expectSuccess(await app.as(mia).get('/users/me'))).toEqual(before);
    const { messages } = expectSuccess(
      await app.as(mia).get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 }),
    );
    expect(messages.map(({ content }: { content: string }) => content)).not.toContain('Give me your keys');
    open.forgive(/status of 40[13]/);
  });

  it('no script elsewhere reads or changes anything', async () => {
    const { mia } = app.cast;
    const open = await run.signedIn(mia);
    const { page } = open;
    foreign.answer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
    );
    const tries: [string, string, RequestInit][] = [
      ['reads', '/json/users/me', {}],
      ['reads', '/json/messages?anchor=newest&num_before=10&num_after=0', {}],
      ['reads', '/console', {}],
      ['changes', '/json/mark_all_as_read', { method: 'POST' }],
      ['changes', '/json/settings', { method: 'PATCH', body: 'full_name=X' }],
      ['changes', '/json/users/me', { method: 'DELETE' }],
      ['changes', '/json/messages', { method: 'POST', headers: { 'x-csrftoken': 'guessed' } }],
    ];
    for (const address of addresses()) {
      await page.goto(address);
      for (const [what, path, init] of tries) {
        const outcome = await page.evaluate(
          `fetch(${JSON.stringify(run.site + path)}, { credentials: 'include', ...${JSON.stringify(init)} })
            .then((answer) => answer.text().then((text) => answer.status + ' ' + text), () => 'refused by the browser')`,
        );
        expect([what, path, outcome]).toEqual([what, path, 'refused by the browser']);
      }
    }
    expect(expectSuccess(await app.as(mia).get('/users/me'))).toMatchObject({ full_name: mia.fullName });
    open.forgive(/CORS|ERR_FAILED|status of 40[13]/);
  });

  it('nobody is signed in as somebody else by a form elsewhere', async () => {
    const { mia, max } = app.cast;
    const open = await run.signedIn(mia);
    const form = { path: '/login/', fields: { username: max.email, password: PASSWORD } };
    for (const address of addresses()) {
      expect(await sendForeign(open.page, address, form)).toBe(403);
      expect(await whoAmI(open.page)).toBe(mia.id);
    }
    const stranger = await run.visitor();
    expect(await sendForeign(stranger.page, foreign.origin, form)).toBe(403);
    expect(await whoAmI(stranger.page)).toBeNull();
    for (const each of [open, stranger]) each.forgive(/status of 403/);
  });

  it('a session that was planted is not the one that somebody gets', async () => {
    const { mia, max } = app.cast;
    const attacker = await run.signedIn(max);
    const planted = await cookieOf(attacker.page);
    expect(planted).toHaveLength(1);
    const victim = await run.visitor();
    const { page } = victim;
    await page.context().addCookies(planted.map((cookie) => ({ ...cookie, url: run.site })));
    // The victim sees that somebody else is signed in, and signs in as herself.
    await page.goto('/console');
    await signOut(page);
    await signIn(page, mia);
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    expect(await whoAmI(page)).toBe(mia.id);
    expect((await cookieOf(page)).map(({ name }) => name)).toEqual(planted.map(({ name }) => name));
    expect(await cookieOf(page)).not.toEqual(planted);
    expect(await whoAmI(attacker.page)).toBeNull();
    for (const each of [attacker, victim]) each.forgive(/status of 401/);
  });

  it('a cookie that nobody signed is as none', async () => {
    const [own] = await cookieOf((await run.signedIn(app.cast.mia)).page);
    const open = await run.visitor();
    const { page } = open;
    for (const value of ['x', `${own?.value.slice(0, -2)}AA`, 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.']) {
      await page.context().addCookies([{ name: String(own?.name), value, url: run.site }]);
      await page.goto('/console');
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    }
    open.forgive(/status of 401/);
  });

  it('no script of the page can read the cookie', async () => {
    const { page } = await run.signedIn(app.cast.mia);
    expect(await cookieOf(page)).toHaveLength(1);
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  // The last: two weeks pass for all of them.
  it('a session that was forgotten on some machine ends', async () => {
    const open = await run.signedIn(app.cast.mia, '/console/starred');
    const { page } = open;
    // The page tells that its reader is here before their session is over, and not just then.
    await Promise.all([page.waitForResponse(/me\/presence$/), page.reload()]);
    clock.aheadMs += TWO_WEEKS_MS;
    expect(await whoAmI(page)).toBeNull();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await signIn(page, app.cast.mia);
    await page.getByRole('heading', { level: 1, name: 'Starred' }).waitFor();
    open.forgive(/status of 40[013]/);
  });
});
