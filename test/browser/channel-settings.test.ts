import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, PHONE } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup, systemGroupId } from '../support/group-setup';
import { sendTo } from '../support/message-setup';
import { startKitchen } from '../support/kitchen';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const PARTS = ['general', 'permissions', 'subscribers', 'own'];

const fieldOf = (page: Page, label: string) => page.locator('.field', { hasText: label });

/** Kinds of privacy that can be chosen. */
const offered = async (page: Page) =>
  (await page.getByLabel('Privacy').locator('option:enabled').allTextContents()).map(
    (text) => text.split(':')[0],
  );

describeInBrowser('the settings of a channel', () => {
  const kitchen = startKitchen();
  const pathOf = (part: string) => `/console/channel-settings/${kitchen.channel}?part=${part}`;
  const recordOf = async () =>
    expectSuccess(await kitchen.app.as(kitchen.app.cast.olivia).get(`/streams/${kitchen.channel}`))[
      'stream'
    ] as Record<string, unknown>;
  /** Waits until the server has these values, as only what is saved counts. */
  const becomes = async (values: Record<string, unknown>) => {
    const isSo = (record: Record<string, unknown>) =>
      Object.entries(values).every(([name, value]) => JSON.stringify(record[name]) === JSON.stringify(value));
    for (let tries = 0; !isSo(await recordOf()); tries++) {
      if (tries > 300) expect(await recordOf()).toMatchObject(values);
      await pause(50);
    }
  };

  const isDefault = async (wanted: boolean): Promise<void> => {
    const { olivia } = kitchen.app.cast;
    const { state } = await kitchen.app.queue(olivia, { fetch_event_types: ['default_streams'] });
    const ids = state['realm_default_streams'] as readonly number[];
    if (ids.includes(kitchen.channel) !== wanted) return pause(50).then(() => isDefault(wanted));
  };

  it('are changed by an owner, and are saved at once', async () => {
    const { olivia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(olivia, pathOf('general'));
    const { page } = open;
    await page.getByLabel('Description').fill('What we **cook**');
    await page.keyboard.press('Tab');
    await page.getByText('Saved', { exact: true }).waitFor();
    await becomes({ description: 'What we **cook**' });
    await page.getByLabel('Folder').selectOption('New folder…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('House');
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByLabel('Folder')
      .locator('option:checked', { hasText: 'House' })
      .waitFor({ state: 'attached' });
    await page.getByRole('switch', { name: 'Subscribe new members' }).check();
    await isDefault(true);
    // No mail arrives at this server.
    expect(await page.getByText('Email address').count()).toBe(0);
    // New members cannot be subscribed to a private channel.
    await fieldOf(page, 'Privacy').getByText('can’t subscribe new members').waitFor();
    expect(await offered(page)).toEqual(['Public']);
    await page.getByRole('switch', { name: 'Subscribe new members' }).uncheck();
    await isDefault(false);
    await page.getByLabel('Privacy').selectOption('Private: new subscribers see new messages only');
    await becomes({ invite_only: true, history_public_to_subscribers: false });
    await page.getByLabel('Privacy').selectOption('Public: members can find, read and join it');
    await becomes({ invite_only: false, history_public_to_subscribers: true });
    await page.getByLabel('Messages without a topic').selectOption('Not allowed');
    await becomes({ topics_policy: 'disable_empty_topic' });
    await page.getByLabel('Keep messages for', { exact: true }).selectOption('Custom…');
    await page.getByLabel('Keep messages for: number').fill('45');
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('dialog');
    await confirm.getByText('Messages older than 45 days are deleted for good').waitFor();
    await confirm.getByRole('button', { name: 'Delete older messages' }).click();
    await becomes({ message_retention_days: 45 });
    await page
      .getByLabel('Keep messages for', { exact: true })
      .selectOption('As in the organization (Forever)');
    await becomes({ message_retention_days: null });
    await page.getByLabel('Name', { exact: true }).fill('galley');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '#galley' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('kitchen');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '#kitchen' }).waitFor();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor();
  });

  it('offer kinds of privacy that the reader may choose, and say why not the others', async () => {
    const { olivia, mia } = kitchen.app.cast;
    const owner = kitchen.app.as(kitchen.app.cast.olivia);
    const setting = (group: 'role:owners' | 'role:members') =>
      owner.patch('/realm', { can_create_private_channel_group: { new: systemGroupId(kitchen.app, group) } });
    expectSuccess(await setting('role:owners'));
    const name = 'pantry';
    const id = await createChannelWith(kitchen.app, olivia, [mia], name);
    const administer = {
      can_administer_channel_group: { new: { direct_members: [mia.id], direct_subgroups: [] } },
    };
    expectSuccess(await owner.patch(`/streams/${id}`, administer));
    const path = `/console/channel-settings/${id}`;
    const { page: hers } = await kitchen.run.signedIn(mia, path);
    await fieldOf(hers, 'Privacy')
      .getByText('You don’t have permission to create private channels.')
      .waitFor();
    expect(await offered(hers)).toEqual(['Public']);
    expectSuccess(await setting('role:members'));
    await hers.locator('main option[value=shared]:enabled').waitFor({ state: 'attached' });
    expect(await offered(hers)).toEqual(['Public', 'Private', 'Private']);
  });

  it.each([
    [
      'en',
      'Name',
      'A channel with this name already exists.',
      'Messages without a topic',
      'Some messages of the channel have a topic. Move them to “general chat” first.',
    ],
    [
      'de',
      'Name',
      'Einen Kanal mit diesem Namen gibt es schon.',
      'Nachrichten ohne Thema',
      'Einige Nachrichten des Kanals haben ein Thema. Verschiebe sie zuerst nach „general chat“.',
    ],
  ])(
    'say in the language "%s" what the server refuses',
    async (language, label, taken, policy, hasTopics) => {
      const { olivia } = kitchen.app.cast;
      const speak = async (default_language: string) =>
        expectSuccess(await kitchen.app.as(olivia).patch('/settings', { default_language }));
      await speak(language);
      await createChannelWith(kitchen.app, olivia, [], `taken-${language}`);
      await sendTo(kitchen.app, olivia, kitchen.channel, 'menu');
      const open = await kitchen.run.signedIn(olivia, pathOf('general'));
      const { page } = open;
      await page.getByLabel(label, { exact: true }).fill(`taken-${language}`);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: taken }).waitFor();
      await page.getByLabel(policy).selectOption({ index: 3 });
      await page.getByRole('alert').filter({ hasText: hasTopics }).waitFor();
      open.forgive(/status of 400/);
      await speak('en');
    },
  );

  it('say who may do what, chosen by keys alone', async () => {
    const { olivia, mia } = kitchen.app.cast;
    const team = await makeGroup(kitchen.app, olivia, 'cooks', { members: [mia.id] });
    const open = await kitchen.run.signedIn(olivia, pathOf('permissions'));
    const { page } = open;
    await page.getByRole('combobox', { name: 'Who can move messages to another topic' }).focus();
    await page.keyboard.type('moder');
    await page.getByRole('option', { name: 'Moderators' }).waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Enter');
    await becomes({ can_move_messages_within_channel_group: systemGroupId(kitchen.app, 'role:moderators') });
    await page.keyboard.type('cooks');
    await page.keyboard.press('Enter');
    const both = [systemGroupId(kitchen.app, 'role:moderators'), team];
    await becomes({ can_move_messages_within_channel_group: { direct_members: [], direct_subgroups: both } });
  });

  it('are for whoever administers it, less what the organization keeps to itself', async () => {
    const { olivia, mia, max, adam } = kitchen.app.cast;
    const administer = {
      can_administer_channel_group: { new: { direct_members: [mia.id], direct_subgroups: [] } },
    };
    expectSuccess(await kitchen.app.as(olivia).patch(`/streams/${kitchen.channel}`, administer));
    const { page: hers } = await kitchen.run.signedIn(mia, pathOf('general'));
    await fieldOf(hers, 'Keep messages for').getByText('Only owners can change this.').waitFor();
    await fieldOf(hers, 'Subscribe new members').getByText('Only administrators can change this.').waitFor();
    expect(await hers.getByLabel('Keep messages for', { exact: true }).isDisabled()).toBe(true);
    expect(await hers.getByLabel('Messages without a topic').isEnabled()).toBe(true);
    await hers.goto(pathOf('permissions'));
    const deleting = fieldOf(hers, 'Who can delete any message');
    await deleting.getByText('Your organization doesn’t let you change this.').waitFor();
    expect(await hers.getByRole('combobox', { name: 'Who can post' }).count()).toBe(1);
    const { page: his } = await kitchen.run.signedIn(adam, pathOf('general'));
    await fieldOf(his, 'Keep messages for').getByText('Only owners can change this.').waitFor();
    expect(await his.getByRole('switch', { name: 'Subscribe new members' }).isEnabled()).toBe(true);
    const open = await kitchen.run.signedIn(max, pathOf('permissions'));
    await open.page.getByText('You don’t have permission to change this.').waitFor();
    await open.page.locator('.chip', { hasText: 'Everyone' }).first().waitFor();
    expect(await open.page.locator('.sections').locator('input, select, button').count()).toBe(0);
    await open.expectAccessible();
  });

  it('are personal, too', async () => {
    const { max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(max, pathOf('own'));
    const { page } = open;
    const own = async () => {
      const { state } = await kitchen.app.queue(max, { fetch_event_types: ['subscription'] });
      const all = state['subscriptions'] as { stream_id: number }[];
      return all.find(({ stream_id }) => stream_id === kitchen.channel) as unknown as Record<string, unknown>;
    };
    await page.getByRole('switch', { name: 'Pin to the top of the sidebar' }).check();
    while ((await own())['pin_to_top'] !== true) await pause(20);
    await page.getByLabel('Desktop notifications').selectOption('On');
    while ((await own())['desktop_notifications'] !== true) await pause(20);
    await page.getByLabel('Email').selectOption('On');
    while ((await own())['email_notifications'] !== true) await pause(20);
    await page
      .getByLabel('Sounds')
      .locator('option:checked', { hasText: 'As in all channels (off)' })
      .waitFor({ state: 'attached' });
    await page.getByLabel('Desktop notifications').selectOption('Off');
    while ((await own())['desktop_notifications'] !== false) await pause(20);
    await page.getByRole('button', { name: 'Choose color' }).click();
    await page.getByRole('radio', { name: 'Red' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Set color' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    while ((await own())['color'] !== '#e4523d') await pause(20);
  });

  it.each([
    ['on light pages', { colorScheme: 'light' }],
    ['on dark pages', { colorScheme: 'dark' }],
    ['on a phone, in German', PHONE],
  ] as const)('hinder nobody %s', async (_, options) => {
    const { olivia } = kitchen.app.cast;
    const isGerman = 'hasTouch' in options;
    const speak = async (default_language: string) =>
      expectSuccess(await kitchen.app.as(olivia).patch('/settings', { default_language }));
    if (isGerman) await speak('de');
    const open = await kitchen.run.signedIn(olivia, '/console', options);
    const { page } = open;
    for (const part of PARTS) {
      await page.goto(pathOf(part));
      await page.locator('main h1').waitFor();
      if (part === 'permissions') {
        const label = isGerman ? 'Wer schreiben kann' : 'Who can post';
        await page.getByRole('combobox', { name: label }).click();
        await page.getByRole('listbox').waitFor();
      }
      await open.expectAccessible();
      const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([part, width]).toEqual([part, 0]);
    }
    if (isGerman) await speak('en');
  });
});
