import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createChannelWith } from '../support/channel-setup';
import { BROWSER_TIMEOUT_MS, describeInBrowser, holds, openOwnMenu, PHONE } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { startKitchen } from '../support/kitchen';
import { plainPicture } from '../support/picture-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const PAGES = [
  'profile',
  'joining',
  'accounts',
  'channels',
  'messages',
  'groups',
  'notices',
  'defaults',
  'signIn',
];

const fieldOf = (page: Page, label: string) => page.locator('.field', { hasText: label });

describeInBrowser('the settings of the organization', () => {
  const kitchen = startKitchen();
  let team: number;
  let secret: number;

  beforeAll(async () => {
    const { olivia, mia } = kitchen.app.cast;
    team = await makeGroup(kitchen.app, olivia, 'cooks', { members: [mia.id] });
    secret = await createChannelWith(kitchen.app, olivia, [olivia], 'moderators', { invite_only: true });
  });

  const stateOf = async () => {
    const types = ['realm', 'realm_user_settings_defaults', 'realm_domains', 'realm_user_groups'];
    return (await kitchen.app.queue(kitchen.app.cast.olivia, { fetch_event_types: types })).state;
  };
  /** Waits until the server has a value, as only what is saved counts. */
  const becomes = async (name: string, value: unknown) => {
    const valueNow = async () => JSON.stringify((await stateOf())[`realm_${name}`]);
    for (let tries = 0; (await valueNow()) !== JSON.stringify(value); tries++) {
      if (tries > 300) throw new Error(`${name} is ${await valueNow()}, not ${JSON.stringify(value)}`);
      await pause(50);
    }
  };

  it('are changed by an owner with a control of each kind, and are saved at once', async () => {
    const { olivia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(olivia, '/console/organization');
    const { page } = open;
    const go = (name: string) =>
      page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name }).click();
    await page.getByLabel('Name', { exact: true }).fill('Kitchen & Co.');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await becomes('name', 'Kitchen & Co.');
    await page.getByLabel('Description').fill('We cook.');
    await go('Accounts');
    await becomes('description', 'We cook.');
    await page.getByRole('switch', { name: 'Members can change their name' }).uncheck();
    await becomes('name_changes_disabled', true);
    await page.getByRole('switch', { name: 'Show who has read a message' }).uncheck();
    await becomes('enable_read_receipts', false);
    await page.getByLabel('Picture of new accounts').selectOption('Pattern drawn by this server');
    await becomes('default_avatar_source', 'J');
    await go('Messages');
    await page.getByLabel('Time limit for editing').selectOption('1 hour');
    await becomes('message_content_edit_limit_seconds', 3600);
    await page.getByLabel('Time limit for editing').selectOption('Custom…');
    await page.getByLabel('Time limit for editing: number').fill('3');
    await page.keyboard.press('Tab');
    await page.getByLabel('Time limit for editing: unit').selectOption('days');
    await becomes('message_content_edit_limit_seconds', 3 * 86_400);
    const retention = page.getByLabel('Keep messages for');
    await retention.selectOption('90 days');
    const confirm = page.getByRole('dialog');
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await retention.locator('option:checked', { hasText: 'Forever' }).waitFor({ state: 'attached' });
    expect((await stateOf())['realm_message_retention_days']).toBe(-1);
    await retention.selectOption('90 days');
    await confirm.getByRole('button', { name: 'Delete older messages' }).click();
    await becomes('message_retention_days', 90);
    await page.getByLabel('Keep messages for').selectOption('Forever');
    await becomes('message_retention_days', -1);
    await go('Announcements');
    await page.getByLabel('Reported messages').click();
    // A private channel is asked for, so that no other is offered.
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['#moderators']);
    await open.expectAccessible();
    await page.getByRole('option', { name: '#moderators' }).click();
    await becomes('moderation_request_channel_id', secret);
    await page.getByRole('button', { name: 'Remove #moderators' }).click();
    await becomes('moderation_request_channel_id', -1);
    await go('Joining');
    await page.getByLabel('Days until a new member').fill('3');
    await page.keyboard.press('Tab');
    await becomes('waiting_period_threshold', 3);
    await go('Defaults');
    await page.getByLabel('Default language').selectOption('Deutsch');
    await becomes('default_language', 'de');
    await page.getByLabel('Time format').selectOption('21:05');
    await page.getByRole('checkbox', { name: 'Channels: desktop' }).check();
    await page.getByRole('checkbox', { name: 'Channels: email' }).check();
    await page.getByLabel('Send emails after').selectOption('10 minutes');
    const defaults = async () => (await stateOf())['realm_user_settings_defaults'] as Record<string, unknown>;
    while ((await defaults())['email_notifications_batching_period_seconds'] !== 600) await pause(20);
    expect(await defaults()).toMatchObject({
      twenty_four_hour_time: true,
      enable_stream_desktop_notifications: true,
      enable_stream_email_notifications: true,
    });
    // The settings of the reader stay as they are.
    const own = await kitchen.app.queue(olivia, { fetch_event_types: ['user_settings'] });
    expect(own.state['user_settings']).toMatchObject({ twenty_four_hour_time: false });
    expectSuccess(await kitchen.app.as(olivia).patch('/realm', { default_language: 'en' }));
  });

  it('give permissions to roles, groups and people by keys alone, and what somebody else changes shows', async () => {
    const { olivia, mia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(olivia, '/console/organization/groups');
    const { page } = open;
    const picker = page.getByRole('combobox', { name: 'Who can add custom emoji' });
    const chips = fieldOf(page, 'Who can add custom emoji').locator('.chip');
    await picker.focus();
    await page.keyboard.type('cook');
    await page.getByRole('option', { name: 'cooks' }).waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await chips.allInnerTexts()).toEqual(['Members']);
    await page.keyboard.type('cook');
    await page.keyboard.press('Enter');
    // They are all members: it is for them alone from now on.
    await becomes('can_add_custom_emoji_group', team);
    expect(await chips.allInnerTexts()).toEqual(['cooks']);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('listbox', { name: 'Who can add custom emoji' }).waitFor();
    // Everyone is not offered, as guests cannot have it.
    expect(await page.getByRole('option', { name: 'Everyone' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await becomes('can_add_custom_emoji_group', systemGroupId(kitchen.app, 'role:nobody'));
    const change = { can_add_custom_emoji_group: { new: peopleAlone(mia) } };
    expectSuccess(await kitchen.app.as(olivia).patch('/realm', change));
    await fieldOf(page, 'Who can add custom emoji').getByText('Mia Member').waitFor();
    await page.getByRole('button', { name: 'Remove Mia Member' }).click();
    await becomes('can_add_custom_emoji_group', systemGroupId(kitchen.app, 'role:nobody'));
  });

  it('say beside the field what the server refuses, and keep what was', async () => {
    const { olivia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(olivia, '/console/organization/joining');
    const { page } = open;
    const days = page.getByLabel('Days until a new member');
    await days.fill('-1');
    await page.keyboard.press('Enter');
    await fieldOf(page, 'Days until a new member').locator('.error').waitFor();
    expect(await days.getAttribute('aria-invalid')).toBe('true');
    await open.expectAccessible();
    await days.press('Escape');
    await holds(days, '3');
    await page.getByLabel('Domain', { exact: true }).fill('no domain');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByText(/Invalid domain/).waitFor();
    await page.goto('/console/organization/signIn');
    await page.getByRole('switch', { name: 'Email address and password' }).click();
    await page.getByText('At least one authentication method must be enabled.').waitFor();
    expect(await page.getByRole('switch', { name: 'Email address and password' }).isChecked()).toBe(true);
    await open.expectAccessible();
    open.forgive(/status of 400/);
  });

  it('have pictures, domains and a welcome message', async () => {
    const { olivia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(olivia, '/console/organization');
    const { page } = open;
    const buffer = await plainPicture(64, 64).png().toBuffer();
    await page
      .getByLabel('Upload icon', { exact: true })
      .and(page.locator('input'))
      .setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: 'Remove icon' }).click();
    await page.getByRole('button', { name: 'Remove icon' }).waitFor({ state: 'detached' });
    await page.goto('/console/organization/joining');
    await page.getByLabel('Domain', { exact: true }).fill('example.com');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('switch', { name: 'Subdomains of example.com, too' }).check();
    await becomes('domains', [{ domain: 'example.com', allow_subdomains: true }]);
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Remove example.com' }).click();
    await page.getByText('No domains yet').waitFor();
    await page.getByLabel('Welcome message').fill('Soup is at noon.');
    await page.keyboard.press('Tab');
    await becomes('welcome_message_custom_text', 'Soup is at noon.');
    await page.getByRole('button', { name: 'Send me a test message' }).click();
    await page.getByText('Test message sent').waitFor();
  });

  it.each(['mona', 'gus'] as const)('are there for %s to read, and say who may change them', async (who) => {
    const open = await kitchen.run.signedIn(kitchen.app.cast[who], '/console/organization');
    const { page } = open;
    for (const each of PAGES) {
      await page.goto(`/console/organization/${each}`);
      await page.getByText('Only administrators can change these settings.').waitFor();
      const controls = page.locator('.page').locator('input, select, textarea, button');
      expect([each, await controls.and(page.locator(':enabled')).count()]).toEqual([each, 0]);
      await open.expectAccessible();
    }
  });

  it('leave to owners what only they may change, and say so', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.adam, '/console/organization/joining');
    const { page } = open;
    const days = fieldOf(page, 'Days until a new member');
    await days.getByText('Only owners can change this.').waitFor();
    expect(await page.getByLabel('Days until a new member').isDisabled()).toBe(true);
    expect(await page.getByLabel('Welcome message').isEnabled()).toBe(true);
    expect(await page.getByRole('combobox', { name: 'Who can invite people by email' }).count()).toBe(0);
    await fieldOf(page, 'Who can invite people by email').getByText('Administrators').waitFor();
    await open.expectAccessible();
    await page.goto('/console/organization/signIn');
    expect(await page.getByRole('switch', { name: 'Email address and password' }).isDisabled()).toBe(true);
    await page.goto('/console/organization/accounts');
    await page.getByRole('switch', { name: 'Names must be unique' }).check();
    await becomes('require_unique_names', true);
  });

  it('are found by their words, on whatever page they are', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console/organization/messages');
    const { page } = open;
    await page.getByRole('searchbox', { name: 'Filter settings' }).fill('guests');
    await page.getByRole('heading', { level: 1, name: 'Settings that match “guests”' }).waitFor();
    await page.getByRole('combobox', { name: 'Who can see all members' }).waitFor();
    expect(await page.getByLabel('Time limit for editing').count()).toBe(0);
    await open.expectAccessible();
    await page.getByRole('searchbox', { name: 'Filter settings' }).fill('logo');
    await page.getByRole('main').getByRole('link', { name: 'Profile' }).last().click();
    await page.getByRole('button', { name: 'Upload logo', exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Filter settings' }).fill('xyzzy');
    await page.getByText('No results').waitFor();
  });

  it('are a list, then a page, where there is no room for both', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console', PHONE);
    const { page } = open;
    const main = page.getByRole('main');
    const shows = async (name: string, lists: number) => {
      await main.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      expect(await main.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect([name, await main.getByRole('navigation').count()]).toEqual([name, lists]);
      await open.expectAccessible();
    };
    const follow = (name: string) => main.getByRole('link', { name, exact: true }).tap();
    await openOwnMenu(page);
    await page.getByRole('menuitem', { name: 'Administration' }).tap();
    await shows('Administration', 1);
    await follow('Organization');
    await shows('Organization', 1);
    await follow('Channels & topics');
    await shows('Channels & topics', 0);
    await follow('Organization');
    await main.getByRole('searchbox', { name: 'Filter settings' }).fill('guests');
    await shows('Settings that match “guests”', 1);
    await main.getByRole('searchbox', { name: 'Filter settings' }).fill('');
    await shows('Organization', 1);
    await follow('Administration');
    await follow('People');
    await shows('People', 0);
    await main.getByRole('link', { name: kitchen.app.cast.mia.fullName }).tap();
    await shows(kitchen.app.cast.mia.fullName, 0);
    await follow('People');
    await shows('People', 0);
    // Turned, or in a larger window, both are there.
    await page.goto('/console/administration');
    await shows('Administration', 1);
    await page.setViewportSize({ width: 1280, height: 800 });
    await shows('People', 1);
  });

  it.each([
    ['on light pages', { colorScheme: 'light' }],
    ['on dark pages', { colorScheme: 'dark' }],
    ['on a phone', PHONE],
    ['in German', { locale: 'de', ...PHONE }],
  ] as const)('hinder nobody %s', async (_, options) => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console', {
      ...options,
      locale: 'en',
    });
    const { page } = open;
    const isGerman = 'locale' in options;
    if (isGerman) {
      const language = { default_language: 'de' };
      expectSuccess(await kitchen.app.as(kitchen.app.cast.olivia).patch('/settings', language));
    }
    for (const each of PAGES) {
      await page.goto(`/console/organization/${each}`);
      await page.locator('main h1').waitFor();
      await open.expectAccessible();
      const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([each, width]).toEqual([each, 0]);
    }
    await page.goto('/console/organization/channels');
    const label = isGerman ? 'Wer Themen als erledigt markieren kann' : 'Who can resolve topics';
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: isGerman ? 'Moderatoren' : 'Moderators' }).waitFor();
    await open.expectAccessible();
    if (isGerman) {
      const language = { default_language: 'en' };
      expectSuccess(await kitchen.app.as(kitchen.app.cast.olivia).patch('/settings', language));
    }
  });
});
