import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

/** A menu or dialog that is open. */
const WINDOW = ':is(dialog[open], [popover]:popover-open)';

describeInBrowser('menus and dialogs', () => {
  const kitchen = startKitchen();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
  const item = (page: Page, name: string) => page.getByRole('menu').getByText(name, { exact: true });
  const message = (page: Page) => page.locator('.message').first();

  /** Opens what the message, the topic, the channel and the reader have menus for. */
  const ofMenu = (menu: string, name: string) => async (page: Page) => {
    await button(page, menu).click();
    await item(page, name).click();
  };
  const ofMessage = (name: string) => async (page: Page) => {
    await message(page).hover();
    await ofMenu('More actions', name)(page);
  };
  const press = (key: string) => async (page: Page) => {
    await message(page).focus();
    await page.keyboard.press(key);
  };
  const click = (name: string) => (page: Page) => button(page, name).click();

  const inTopic: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    'actions for a message': press('i'),
    'edit history': ofMessage('Edit history'),
    forwarding: ofMessage('Forward'),
    'moving a message': ofMessage('Move message'),
    reminding: ofMessage('Remind me'),
    'read receipts': ofMessage('Read by'),
    'deleting a message': ofMessage('Delete message'),
    'the emoji picker': press(':'),
    'the card of a person': press('u'),
    'the list of keys': press('?'),
    'the palette': press('Control+k'),
    'topic actions': click('Topic actions'),
    'moving a topic': ofMenu('Topic actions', 'Rename or move topic'),
    'deleting a topic': ofMenu('Topic actions', 'Delete topic'),
    'the menu of the reader': (page) => page.locator('.self:visible').click(),
    'setting a status': async (page) => {
      await page.locator('.self:visible').click();
      await item(page, 'Set status').click();
    },
    'starting a poll': click('Create poll'),
    'starting a to-do list': click('Create to-do list'),
    scheduling: async (page) => {
      await page.locator('.composer textarea').fill('Later');
      await click('Schedule message')(page);
    },
    'inserting emoji': click('Insert emoji'),
  };
  const onPages: readonly (readonly [path: string, open: (page: Page) => Promise<void>])[] = [
    ['channels/:channel', click('Channel actions')],
    ['channels/:channel', ofMenu('Channel actions', 'Channel color')],
    ['channels/:channel', ofMenu('Channel actions', 'Leave channel')],
    ['people', click('Add person')],
    ['bots', click('Create bot')],
    ['channels', click('Create channel')],
    ['groups', click('Create group')],
    ['channel-settings/:channel', click('Archive')],
    ['settings/account', click('Change email address')],
    ['settings/account', click('Change password')],
  ];

  it.each(['light', 'dark'] as const)('hinder nobody on %s pages', async (colorScheme) => {
    const { olivia } = kitchen.app.cast;
    const topic = `windows ${colorScheme}`;
    const id = await sendTo(kitchen.app, olivia, kitchen.channel, topic, 'Sup');
    expectSuccess(await kitchen.app.as(olivia).patch(`/messages/${id}`, { content: 'Soup' }));
    const open = await kitchen.run.signedIn(olivia, kitchen.topicPath(topic), {
      colorScheme,
      viewport: { width: 1280, height: 900 },
    });
    const { page } = open;
    const seen: string[] = [];
    const look = async (name: string, show: (page: Page) => Promise<void>) => {
      await show(page);
      const shown = page.locator(WINDOW).last();
      await shown.waitFor();
      await shown.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      await open.expectAccessible();
      await page.keyboard.press('Escape');
      await page.locator(WINDOW).waitFor({ state: 'detached' });
      seen.push(name);
    };
    for (const [name, show] of Object.entries(inTopic)) await look(name, show);
    for (const [path, show] of onPages) {
      await page.goto(`/console/${path.replace(':channel', String(kitchen.channel))}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await look(path, show);
    }
    expect(seen).toHaveLength(Object.keys(inTopic).length + onPages.length);
  });

  it('have parts that hinder nobody, each by itself in light and dark', async () => {
    const { olivia, mia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(olivia, '/console/kit');
    const { page } = open;
    await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor();
    await open.expectAccessible();
    for (const scheme of ['light', 'dark']) {
      const specimens = page.getByRole('region', { name: scheme, exact: true });
      const colors = `getComputedStyle(document.querySelector('.kit.${scheme}')).colorScheme`;
      expect(await page.evaluate(colors)).toBe(scheme);
      for (const name of ['Menu', 'Dialog', 'Form dialog', 'Dangerous action']) {
        await specimens.getByRole('button', { name, exact: true }).click();
        await page.locator(WINDOW).waitFor();
        await open.expectAccessible();
        await page.keyboard.press('Escape');
        await page.locator(WINDOW).waitFor({ state: 'detached' });
      }
      await specimens.getByRole('combobox', { name: 'Picker' }).click();
      await page.getByRole('listbox', { name: `Picker, ${scheme}` }).waitFor();
      await open.expectAccessible();
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Toast' }).first().click();
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).waitFor();
    await open.expectAccessible();
    const { page: hers } = await kitchen.run.signedIn(mia, '/console/kit');
    await hers.getByRole('heading', { level: 1, name: 'You don’t have access to this page' }).waitFor();
  });
});
