import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const row = (page: Page, name: string) =>
  page.locator('.browse-row').filter({ has: page.getByRole('link', { name, exact: true }) });

describeInBrowser('finding channels in the console', () => {
  let run: BrowserRun;
  let app: TestApp;

  beforeAll(async () => {
    run = await BrowserRun.start();
    app = run.app;
    const { max, olivia } = app.cast;
    const garden = await createChannelWith(app, olivia, [max], 'garden');
    const description = 'Plants and **bees**';
    expectSuccess(await app.as(olivia).patch(`/streams/${garden}`, { description }));
    await sendTo(app, max, garden, 'roses', 'They bloom');
    await createChannelWith(app, olivia, [], 'attic');
    await createChannelWith(app, olivia, [max], 'vault', { invite_only: true });
  });

  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  it('finds a channel, reads in it, joins and leaves it, and knows how many are there', async () => {
    const { mia, max } = app.cast;
    const open = await run.signedIn(mia);
    const { page } = open;
    const navigation = page.getByRole('navigation', { name: 'Main navigation' });
    await navigation.getByRole('link', { name: 'Browse channels' }).click();
    await page.getByRole('heading', { level: 1, name: 'Browse channels' }).waitFor();
    await row(page, 'garden').getByText('Plants and bees').waitFor();
    await row(page, 'garden').getByText('2 subscribers').waitFor();
    await row(page, 'attic').getByText('1 subscriber', { exact: true }).waitFor();
    // Private channels are found by nobody.
    expect(await row(page, 'vault').count()).toBe(0);
    await open.expectAccessible();
    await page.getByRole('searchbox', { name: 'Find a channel' }).fill('bees');
    await row(page, 'attic').waitFor({ state: 'detached' });

    await row(page, 'garden').getByRole('link', { name: 'garden' }).click();
    await page.locator('.message', { hasText: 'They bloom' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Join #garden' }).click();
    await page.getByText('You joined #garden.').waitFor();
    await navigation.getByRole('link', { name: /^garden/ }).waitFor();
    await page.getByText('No channels match.').waitFor();
    await page.getByRole('button', { name: 'Subscribed', exact: true }).click();
    await row(page, 'garden').getByText('3 subscribers').waitFor();
    // Others come and go.
    const subscriptions = ['garden'];
    expectSuccess(await app.as(max).delete('/users/me/subscriptions', { subscriptions }));
    await row(page, 'garden').getByText('2 subscribers').waitFor();
    await page.getByRole('button', { name: 'Leave #garden' }).click();
    await page.getByText('You left #garden.').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await row(page, 'garden').getByText('1 subscriber', { exact: true }).waitFor();
    await navigation.getByRole('link', { name: /^garden/ }).waitFor({ state: 'detached' });
  });

  it('asks before a private channel is left, and creates new ones, on a phone', async () => {
    const { max } = app.cast;
    const viewport = { width: 390, height: 844 };
    const open = await run.signedIn(max, '/console/channels?part=subscribed', {
      viewport,
      hasTouch: true,
      isMobile: true,
    });
    const { page } = open;
    await page.getByRole('button', { name: 'Create channel' }).tap();
    await page.getByLabel('Name', { exact: true }).fill('balcony');
    await page.getByRole('dialog').getByRole('button', { name: 'Create channel' }).tap();
    await page.getByRole('heading', { level: 1, name: '#balcony' }).waitFor();
    await page.goBack();
    await row(page, 'balcony').waitFor();
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBe(390);
    await page.getByRole('button', { name: 'Leave #vault' }).tap();
    await page.getByText('This channel is private.').waitFor();
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Cancel' }).tap();
    await row(page, 'vault').waitFor();
    await page.getByRole('button', { name: 'Leave #vault' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).tap();
    await row(page, 'vault').waitFor({ state: 'detached' });
  });
});
