import { TransactionService } from '../../src/platform/database/transaction.service';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, signIn, signOut } from '../support/browser';
import { browserOf } from '../support/browser-client';
import { createChannelWith } from '../support/channel-setup';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { GOOD_PASSWORD, makeLink } from '../support/invitation-setup';
import { sendTo } from '../support/message-setup';
import type { TestApp } from '../support/test-app';

const END_ALL = 'Sign out all other sessions';

jest.setTimeout(BROWSER_TIMEOUT_MS);

describeInBrowser('sessions in the console', () => {
  let run: BrowserRun;
  let app: TestApp;

  beforeAll(async () => {
    run = await BrowserRun.start();
    app = run.app;
  });

  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  it('somebody signs in from the bare address, and out', async () => {
    const open = await run.visitor();
    const { page } = open;
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, app.cast.mia, 'not the password');
    await page.getByRole('alert').waitFor();
    await signIn(page, app.cast.mia);
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console');
    await signOut(page);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.goto('/console');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    open.forgive(/status of 401/);
  });

  it('an invitation ends signed in, in #general, and so does the first password link', async () => {
    const { olivia } = app.cast;
    const link = await makeLink(app, olivia, { include_realm_default_subscriptions: true });
    const open = await run.visitor();
    await open.page.goto(new URL(link).pathname);
    await open.page.getByLabel('Email address').fill('nora@example.com');
    await open.page.getByLabel('Your name').fill('Nora Newcomer');
    await open.page.getByLabel('Password').fill('short');
    await open.page.getByRole('button', { name: 'Join' }).click();
    await open.page.getByRole('alert').waitFor();
    await open.page.getByLabel('Password').fill(GOOD_PASSWORD);
    await open.page.getByRole('button', { name: 'Join' }).click();
    await open.page.getByRole('heading', { level: 1, name: '#general' }).waitFor();
    expect(new URL(open.page.url()).pathname).toMatch(/^\/console\/channels\/\d+$/);
    open.forgive(/status of 400/);
    const person = { email: 'ada@example.com', full_name: 'Ada', password: PASSWORD };
    const { user_id: id } = expectSuccess(await app.as(olivia).post('/users', person));
    const { body } = await (await app.companionAs(olivia)).post(`/auth/users/${id}/password-link`);
    const { page } = await run.visitor();
    await page.goto(new URL(body.url).pathname);
    await page.getByLabel('New password').fill(GOOD_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { level: 1, name: '#general' }).waitFor();
    await page.getByRole('contentinfo').getByRole('button', { name: 'Ada' }).waitFor();
  });

  it('signing in leads to the page that somebody wanted', async () => {
    const { page } = await run.signedIn(app.cast.max, '/console/search?q=heron');
    await page.getByRole('heading', { level: 1, name: 'Search results for “heron”' }).waitFor();
  });

  it('a session that ends elsewhere ends here, and the page comes back after signing in', async () => {
    const open = await run.signedIn(app.cast.max, '/console/starred');
    const { page } = open;
    const elsewhere = await browserOf(app, app.cast.max);
    const answer = await elsewhere.call('DELETE', '/json/companion/auth/sessions');
    expect([200, 204]).toContain(answer.status);
    // The poll that waits ends with the session.
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await signIn(page, app.cast.max);
    await page.getByRole('heading', { level: 1, name: 'Starred' }).waitFor();
    open.forgive(/status of 401/);
  });

  it('an old session asks for the password before what is dangerous, and goes on with it', async () => {
    const open = await run.signedIn(app.cast.max, '/console/settings/devices');
    const { page } = open;
    const elsewhere = await browserOf(app, app.cast.max);
    await page.reload();
    await app.get(TransactionService).run((tx) => tx.query('UPDATE login_session SET authenticated_at = 0'));
    await page.getByRole('button', { name: END_ALL }).click();
    await page.getByRole('dialog').getByRole('button', { name: END_ALL }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm that it’s you' });
    await asked.getByLabel('Your password').fill('not the password');
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
    await asked.getByText('Wrong password.').waitFor();
    expect(await elsewhere.whoAmI()).toBe(app.cast.max.id);
    await asked.getByLabel('Your password').fill(PASSWORD);
    await asked.getByRole('button', { name: 'Confirm', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: END_ALL }).waitFor({ state: 'detached' });
    expect(await elsewhere.whoAmI()).toBeNull();
    open.forgive(/status of 40[03]/);
  });

  it('nothing that people can name or write runs', async () => {
    const { olivia, mia } = app.cast;
    const html = '<img src=x onerror=alert(1)>';
    const channel = await createChannelWith(app, olivia, [mia], `${html}"'`);
    expectSuccess(await app.as(olivia).patch(`/streams/${channel}`, { description: html }));
    expectSuccess(await app.as(mia).patch('/settings', { full_name: "'onload=alert(1) x" }));
    expectSuccess(await app.as(olivia).patch('/realm', { name: `<b>Team</b>` }));
    expectSuccess(
      await app.as(olivia).post('/user_groups/create', { name: html, description: html, members: [mia.id] }),
    );
    const contents = [
      html,
      '<script>alert(1)</script>',
      '[link](javascript:alert(1))',
      '<svg/onload=alert(1)>',
      '```spoiler <img src=x onerror=alert(1)>\n<img src=x onerror=alert(1)>\n```',
      '$$<img src=x onerror=alert(1)>$$',
      '<time:2030-01-01T00:00:00Z"onmouseover="alert(1)>',
      '![x](https://attacker.example.com/x.png)',
      '[x](//attacker.example.com/x.png)',
    ];
    for (const content of contents) await sendTo(app, mia, channel, html, content);
    await app.as(mia).post('/messages', { type: 'direct', to: [olivia.id], content: html });
    const open = await run.signedIn(olivia, `/console/channels/${channel}/topic/${encodeURIComponent(html)}`);
    const { page } = open;
    await page.getByRole('heading', { level: 1, name: html }).waitFor();
    await page
      .locator('.message')
      .nth(contents.length - 1)
      .waitFor();
    expect(
      await page.locator('main script, main [onerror], main [onload], main a[href^="javascript"]').count(),
    ).toBe(0);
    expect(await page.locator('img[src*="attacker"]').count()).toBe(0);
    await page.locator('.composer textarea').pressSequentially('@');
    await page.getByRole('option').first().waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('link', { name: html }).first().waitFor();
    await page.goto(`/console/channels/${channel}`);
    await page.getByText('<b>Team</b>').waitFor();
    await page.goto(`/console/search?q=${encodeURIComponent(html)}`);
    await page.getByRole('heading', { level: 1, name: html }).waitFor();
    open.expectClean();
  });
});
