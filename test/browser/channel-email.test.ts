import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, PHONE } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { startKitchen } from '../support/kitchen';
import { deliver, mailOf } from '../support/mail-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

describeInBrowser("a channel's email address", () => {
  const kitchen = startKitchen({ env: { EMAIL_GATEWAY_PATTERN: 'chat+%s@mail.example.org' } });
  const path = () => `/console/channel-settings/${kitchen.channel}`;
  const shown = (page: Page, name = 'Email address') => page.getByRole('region', { name });
  const addressIn = async (page: Page) => (await shown(page).textContent()) ?? '';

  it('is copied by members, and what is sent there is posted as they chose', async () => {
    const { mia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, path());
    const { page } = open;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Show address' }).click();
    const first = await addressIn(page);
    expect(first).toMatch(/^chat\+kitchen\.[0-9a-f]{32}\.show-sender@mail\.example\.org$/);
    await page.getByLabel('Post as').selectOption('You');
    await shown(page).filter({ hasNotText: first }).waitFor();
    await page.getByRole('checkbox', { name: 'Show the sender’s address' }).uncheck();
    await page.getByRole('checkbox', { name: 'Prefer HTML' }).check();
    await page.getByRole('checkbox', { name: 'Keep quoted messages' }).check();
    const chosen = await addressIn(page);
    expect(chosen).toMatch(/^chat\+kitchen\.[0-9a-f]{32}\.include-quotes\.prefer-html@mail/);
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(chosen);
    expect(await page.getByLabel('Post as').locator('option').allTextContents()).toContain('Robo Bot');
    expect(await deliver(kitchen.app, chosen, mailOf({ Subject: 'From the market' }, 'Leeks\n'))).toBe(
      'accepted',
    );
    await page.goto(kitchen.topicPath('From the market'));
    const posted = page.locator('.message', { hasText: 'Leeks' });
    await posted.getByText('Mia Member').waitFor();
    expect(await posted.textContent()).not.toContain('elsewhere.example');
  });

  it('is offered in German on a phone, until one may no longer post', async () => {
    const { olivia, max } = kitchen.app.cast;
    const owner = kitchen.app.as(olivia);
    expectSuccess(await kitchen.app.as(max).patch('/settings', { default_language: 'de' }));
    const open = await kitchen.run.signedIn(max, path(), PHONE);
    const { page } = open;
    await page.getByRole('button', { name: 'Adresse anzeigen' }).click();
    await shown(page, 'E-Mail-Adresse').waitFor();
    await open.expectAccessible();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    const can_send_message_group = { new: systemGroupId(kitchen.app, 'role:owners') };
    expectSuccess(await owner.patch(`/streams/${kitchen.channel}`, { can_send_message_group }));
    await shown(page, 'E-Mail-Adresse').waitFor({ state: 'detached' });
    expect(await page.getByText('E-Mail-Adresse').count()).toBe(0);
  });
});
