import type { Locator, Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';
import { plainPicture } from '../support/picture-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

/** Waits until the focus is on something. */
const isOn = (page: Page, what: Locator) => what.and(page.locator(':focus')).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name });

describeInBrowser('the focus', () => {
  const kitchen = startKitchen();

  it('goes to the next domain, the one before it, and the field for another one', async () => {
    const { olivia } = kitchen.app.cast;
    for (const domain of ['a.example', 'b.example', 'c.example']) {
      const api = kitchen.app.as(olivia);
      expectSuccess(await api.post('/realm/domains', { domain, allow_subdomains: false }));
    }
    const { page } = await kitchen.run.signedIn(olivia, '/console/organization/joining');
    await page.getByRole('button', { name: 'Remove b.example' }).focus();
    await page.keyboard.press('Enter');
    await isOn(page, button(page, 'Remove c.example'));
    await page.keyboard.press('Enter');
    await isOn(page, button(page, 'Remove a.example'));
    await page.keyboard.press('Enter');
    await page.getByText('No domains yet').waitFor();
    await isOn(page, page.getByLabel('Domain', { exact: true }));
  });

  it('begins at the first field of a dialog, and where something is deleted, at what deletes nothing', async () => {
    const { olivia } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, olivia, kitchen.channel, 'dialogs');
    const { page } = await kitchen.run.signedIn(olivia, '/console/people/invitations');
    await page.getByRole('button', { name: 'Invite' }).click();
    await isOn(page, page.getByLabel('Email addresses'));
    await page.goto(kitchen.topicPath('dialogs'));
    await page.locator(`[data-id="${id}"]`).focus();
    await page.keyboard.press('i');
    await page.getByRole('menuitem', { name: 'Delete message' }).click();
    await isOn(page, button(page, 'Cancel'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator(`[data-id="${id}"]`).count()).toBe(1);
  });

  it('stays at a picture that is removed', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console/organization');
    const buffer = await plainPicture(64, 64).png().toBuffer();
    const file = { name: 'icon.png', mimeType: 'image/png', buffer };
    await page.locator('.of-icon input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Remove icon' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove icon' }).waitFor({ state: 'detached' });
    await isOn(page, button(page, 'Upload icon'));
  });

  it('goes to the next row of a table, also after a question was asked', async () => {
    const { olivia } = kitchen.app.cast;
    for (const name of ['one', 'two']) {
      const linkifier = { pattern: `${name}-(?P<id>[0-9]+)`, url_template: `https://${name}.example/{id}` };
      expectSuccess(await kitchen.app.as(olivia).post('/realm/filters', linkifier));
    }
    const { page } = await kitchen.run.signedIn(olivia, '/console/linkifiers');
    await page.getByRole('button', { name: 'Delete' }).first().focus();
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    await confirm.focus();
    await page.keyboard.press('Enter');
    await page.getByText('https://one.example').waitFor({ state: 'detached' });
    await isOn(page, page.getByRole('row', { name: 'two.example' }).getByRole('button'));
  });

  it('goes to the next message when one is deleted, but not back to what one has left', async () => {
    const { olivia, mia } = kitchen.app.cast;
    const ids = [];
    for (const content of ['first', 'second', 'third'])
      ids.push(await sendTo(kitchen.app, olivia, kitchen.channel, 'focus', content));
    const { page } = await kitchen.run.signedIn(mia, kitchen.topicPath('focus'));
    await page.locator(`[data-id="${ids[1]}"]`).focus();
    expectSuccess(await kitchen.app.as(olivia).delete(`/messages/${ids[1]}`));
    await isOn(page, page.locator(`[data-id="${ids[2]}"]`));
    await page.evaluate('document.activeElement.blur()');
    expectSuccess(await kitchen.app.as(olivia).delete(`/messages/${ids[2]}`));
    await page.locator(`[data-id="${ids[2]}"]`).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
  });

  it('is not needed for keys to wait for a window that is still loaded', async () => {
    const { mia } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, mia, kitchen.channel, 'keys');
    const { page } = await kitchen.run.signedIn(mia, kitchen.topicPath('keys'));
    await page.locator(`[data-id="${id}"]`).focus();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/part-*.js', async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest(/part-.*\.js/);
    await page.keyboard.press('i');
    await asked;
    await page.keyboard.press('I');
    release();
    await page.getByRole('menu').waitFor();
    expect(new URL(page.url()).pathname).toBe(kitchen.topicPath('keys'));
  });
});
