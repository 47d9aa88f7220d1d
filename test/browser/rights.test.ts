import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, type OpenPage } from '../support/browser';
import { browserOf } from '../support/browser-client';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup, systemGroupId } from '../support/group-setup';
import { sendTo } from '../support/message-setup';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

describeInBrowser('what people are offered in the console', () => {
  let run: BrowserRun;
  let app: TestApp;
  let channel: number;
  let team: number;

  beforeAll(async () => {
    run = await BrowserRun.start();
    app = run.app;
    const { olivia, mia, max, gus } = app.cast;
    channel = await createChannelWith(app, olivia, [mia, max, gus], 'kitchen');
    expectSuccess(
      await app.as(olivia).patch(`/streams/${channel}`, { description: 'Soup, **daily** and `hot`' }),
    );
    team = await makeGroup(app, olivia, 'cooks', { members: [mia.id] });
  });

  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  async function show({ page }: OpenPage, path: string): Promise<void> {
    await page.goto(`/console/${path}`);
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    await page.getByText('Loading…').waitFor({ state: 'detached' });
  }

  it.each(['mia', 'gus'] as const)('%s sees settings that are not theirs to change, and why', async (who) => {
    const open = await run.signedIn(app.cast[who]);
    const { page } = open;
    for (const path of [`channel-settings/${channel}`, `groups/${team}?part=general`]) {
      await show(open, path);
      await page.getByText('You don’t have permission to change this.').waitFor();
      await page.getByLabel('Description').and(page.locator(':disabled')).waitFor();
      expect(await page.getByRole('button', { name: /Archive|Deactivate|Remove/ }).count()).toBe(0);
    }
    await page.getByRole('main').getByRole('link', { name: 'Why?' }).last().click();
    await page.getByRole('heading', { level: 2, name: /can’t: update/ }).waitFor();
    await show(open, 'why?action=can_add_custom_emoji_group');
    const verdict = page.getByRole('heading', {
      level: 2,
      name: /the permission “Who can add custom emoji”/,
    });
    await verdict.waitFor();
    expect(await page.getByText(/^can [a-z ]+$/).allInnerTexts()).toEqual([]);
    await show(open, `groups/${systemGroupId(app, 'role:members')}`);
    await page.getByText('Membership is based on roles.').waitFor();
    expect(await page.getByRole('button', { name: /^(Add|Remove)/ }).count()).toBe(0);
    await show(open, `channel-settings/${channel}`);
    await page.locator('.about strong', { hasText: 'daily' }).waitFor();
  });

  it('an owner may change all of them, and reads what numbers stand for', async () => {
    const open = await run.signedIn(app.cast.olivia);
    const { page } = open;
    await show(open, `channel-settings/${channel}`);
    await page.getByLabel('Description').and(page.locator(':enabled')).waitFor();
    await show(open, 'organization?q=history');
    await page.getByLabel('Edit history shows').selectOption('Moves only');
    await page.getByText('Saved').waitFor();
    const { state } = await app.queue(app.cast.mia, { fetch_event_types: ['realm'] });
    expect(state['realm_message_edit_history_visibility_policy']).toBe('moves');
  });

  it('who stands beside everybody already stands alone', async () => {
    const { olivia } = app.cast;
    const open = await run.signedIn(olivia);
    await show(open, `channel-settings/${channel}?part=permissions`);
    const field = open.page.locator('.field', { hasText: 'Who can post' });
    const pick = async (name: string) => {
      await open.page.getByRole('combobox', { name: 'Who can post' }).fill(name);
      await open.page.getByRole('option', { name }).click();
      await field.locator('.chip', { hasText: name }).waitFor();
    };
    await field.locator('.chip', { hasText: 'Everyone' }).waitFor();
    await pick('cooks');
    await field.locator('.chip', { hasText: 'Everyone' }).waitFor({ state: 'detached' });
    expect(await field.locator('.chip').allInnerTexts()).toEqual(['cooks']);
    // A role that does not have them stays.
    await pick('Administrators');
    await pick('Mia Member');
    expect(await field.locator('.chip').count()).toBe(2);
    await pick('Everyone');
    await field.locator('.chip', { hasText: 'Mia' }).waitFor({ state: 'detached' });
    await open.page.getByText('Saved').waitFor();
  });

  it('the audit log is for owners, and finds people by name', async () => {
    const { olivia, adam, mia } = app.cast;
    const { page: his } = await run.signedIn(adam, '/console/people');
    await his.getByRole('link', { name: 'Health' }).waitFor();
    expect(await his.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { role: 300 }));
    expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { role: 400 }));
    const { page } = await run.signedIn(olivia, '/console/people');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('Affected person').selectOption('Mia Member');
    await page.waitForURL((url) => url.searchParams.get('target_user_id') === String(mia.id));
    const line = (text: string) => page.locator('.audit li').filter({ hasText: text });
    const says = 'Owner changed the role of Mia Member from Moderator to Member';
    await line(says).getByRole('link', { name: 'Mia Member' }).waitFor();
    await page.getByLabel('About').selectOption('People and sign-in');
    await page.getByLabel('What happened').selectOption('signed in as …');
    await line(says).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await line(says).waitFor();
    await page.getByLabel('To', { exact: true }).fill('2001-01-01');
    await page.getByText('No results').waitFor();
  });

  it('the audit log says in sentences what was done', async () => {
    const { olivia, mia } = app.cast;
    const api = app.as(olivia);
    const id = await createChannelWith(app, olivia, [mia], 'design');
    expectSuccess(await api.patch(`/streams/${id}`, { is_private: true }));
    expectSuccess(await api.patch(`/streams/${id}`, { new_name: 'sketches', description: 'All of them' }));
    expectSuccess(await api.post('/invites/multiuse', { stream_ids: [id] }));
    await sendTo(app, mia, id, 'colors', 'one');
    const message = await sendTo(app, mia, id, 'colors', 'two');
    const move = { propagate_mode: 'change_all', send_notification_to_new_thread: false };
    expectSuccess(await api.patch(`/messages/${message}`, { ...move, topic: 'shades' }));
    const elsewhere = await createChannelWith(app, olivia, [], 'attic');
    expectSuccess(await api.patch(`/messages/${message}`, { ...move, stream_id: elsewhere }));
    expectSuccess(await api.patch('/realm/user_settings_defaults', { web_suggest_update_timezone: false }));
    const targets = { user_ids: [mia.id], skip_if_already_edited: false };
    expectSuccess(await api.patch('/settings', { target_users: targets, color_scheme: 2 }));
    const open = await run.signedIn(olivia, '/console/audit-log');
    const { page } = open;
    const line = (text: string) => page.locator('.audit li').filter({ hasText: text });
    await line('Owner created #sketches').waitFor();
    await line('Owner made #sketches private').waitFor();
    const changed = line('Owner changed #sketches: Name, Description');
    await changed.getByText('Details').click();
    await changed.getByText('design → sketches').waitFor();
    await line('Owner subscribed Mia Member to #sketches').waitFor();
    await line('Owner renamed a topic in #sketches').waitFor();
    await line('Owner moved messages from #sketches to #attic').waitFor();
    await line('changed the default settings of new members: Suggest the device’s time zone').waitFor();
    const chosen = line('Owner changed personal settings of Mia Member: Theme');
    await chosen.getByText('Details').click();
    await chosen.getByText('Same as the system → Dark').waitFor();
    await open.expectAccessible();
    expectSuccess(await api.patch('/settings', { default_language: 'de' }));
    await page.goto('/console/audit-log');
    await line('Owner hat #sketches privat gemacht').waitFor();
    const invited = line('Owner hat eine Einladung erzeugt');
    expect(await invited.locator('dt').allTextContents()).toContain('Mehrfach nutzbarer Link');
    expect(await invited.locator('dd').allTextContents()).toContain('#sketches');
    // Names of details that are not translated begin with small letters.
    const names = await page.locator('.audit dt').allTextContents();
    expect(names.filter((name) => /^[a-z]/.test(name))).toEqual([]);
    expectSuccess(await api.patch('/settings', { default_language: 'en' }));
  });

  it('everybody sees where they are signed in, and signs out there', async () => {
    const { mia } = app.cast;
    const elsewhere = await browserOf(app, mia);
    const open = await run.signedIn(mia);
    const { page } = open;
    await page.getByRole('contentinfo').getByRole('button', { name: 'Mia Member' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByRole('link', { name: 'Devices' }).click();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    await page.getByRole('cell', { name: 'This session', exact: true }).waitFor();
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Sign out all other sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all other sessions' }).click();
    await page.getByText('Done').waitFor();
    expect((await elsewhere.call('GET', '/json/users/me')).status).toBe(401);
    await page.getByRole('link', { name: 'Preferences' }).click();
    await page.getByLabel('Theme').selectOption('Dark');
    await page.locator('html.dark').waitFor({ state: 'attached' });
    await open.expectAccessible();
  });

  it('a channel that nobody knows has no topics, and muted ones do not count', async () => {
    const { mia, max } = app.cast;
    await sendTo(app, max, channel, 'noise', 'psst');
    await sendTo(app, max, channel, 'news', 'hear, hear');
    const open = await run.signedIn(mia);
    const inbox = (name: RegExp) => open.page.getByRole('link', { name });
    await inbox(/^Inbox 2 unread$/).waitFor();
    await app.as(mia).post('/user_topics', { stream_id: channel, topic: 'noise', visibility_policy: 1 });
    await inbox(/^Inbox 1 unread$/).waitFor();
    await open.page.goto('/console/channels/99999/topic/lunch');
    await open.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    open.forgive(/status of 400/);
  });
});
