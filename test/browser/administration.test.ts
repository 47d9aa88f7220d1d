import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { SecondFactor } from '../../src/features/users/factors/second-factor.entity';
import { createChannelWith } from '../support/channel-setup';
import { BROWSER_TIMEOUT_MS, describeInBrowser, type OpenPage, PHONE } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup } from '../support/group-setup';
import { startKitchen } from '../support/kitchen';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const FACTOR = { sealedSeed: '', isConfirmed: true, newestStep: 0, recoveryCodes: '[]', createdAt: 0 };
const HTML = '<img src=x onerror=alert(1)>';

/** Pages by the least role that sees them. */
const PAGES = {
  owner: ['audit-log', 'directories'],
  administrator: ['people', 'people/import', 'people/invitations', 'bots', 'linkifiers', 'exports', 'health'],
  everybody: [
    'settings',
    'settings/preferences',
    'organization',
    'organization/signIn',
    'channel-settings',
    'groups',
    'groups?roles=yes',
    'why',
    'emoji',
  ],
};

describeInBrowser('the pages of the administration', () => {
  const kitchen = startKitchen();
  let team: number;
  let bot: number;

  beforeAll(async () => {
    const { olivia, mia, max } = kitchen.app.cast;
    team = await makeGroup(kitchen.app, olivia, 'cooks', { members: [mia.id] });
    await makeGroup(kitchen.app, olivia, 'house', { members: [max.id], subgroups: [team] });
    const made = await kitchen.app.as(olivia).post('/bots', {
      full_name: 'Lunch Bot',
      short_name: 'lunch',
      bot_type: 3,
      payload_url: 'http://127.0.0.1:9/hook',
    });
    bot = expectSuccess(made).user_id;
  });

  async function show(open: OpenPage, path: string): Promise<string> {
    const { page } = open;
    await page.goto(`/console/${path}`);
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    await page.getByText('Loading…').waitFor({ state: 'detached' });
    return (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  }

  const objects = () => [
    `people/${kitchen.app.cast.mia.id}`,
    `bots/${bot}`,
    `channel-settings/${kitchen.channel}`,
    `channel-settings/${kitchen.channel}?part=permissions`,
    `channel-settings/${kitchen.channel}?part=subscribers`,
    `groups/${team}`,
    `groups/${team}?part=permissions`,
    `why?user=${kitchen.app.cast.mia.id}&channel=${kitchen.channel}`,
  ];

  it.each<[keyof TestApp['cast'], readonly (keyof typeof PAGES)[]]>([
    ['olivia', ['owner', 'administrator', 'everybody']],
    ['adam', ['administrator', 'everybody']],
    ['mia', ['everybody']],
    ['gus', ['everybody']],
  ])('%s sees those for the role, and is told of the others for whom they are', async (name, seen) => {
    const open = await kitchen.run.signedIn(kitchen.app.cast[name]);
    const refused = 'You don’t have access to this page';
    for (const [kind, paths] of Object.entries(PAGES)) {
      for (const path of paths) {
        const isSeen = seen.includes(kind as keyof typeof PAGES);
        expect([path, (await show(open, path)) !== refused]).toEqual([path, isSeen]);
      }
    }
    const lines = await open.page.getByRole('navigation').getByRole('link').allTextContents();
    expect(lines.includes('Health')).toBe(seen.includes('administrator'));
  });

  it.each([
    ['on light pages', { colorScheme: 'light' }],
    ['on dark pages', { colorScheme: 'dark' }],
    ['on a phone', PHONE],
  ] as const)('nothing hinders people %s', async (_, options) => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console', options);
    for (const path of [...Object.values(PAGES).flat(), ...objects()]) {
      await show(open, path);
      await open.expectAccessible();
      const width = Number(await open.page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      expect([path, width]).toEqual([path, 0]);
    }
  });

  it('on a phone, the table of "Why?" fits, times stand on one line, and fields are of one height', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console', PHONE);
    await show(open, `why?user=${kitchen.app.cast.mia.id}&channel=${kitchen.channel}`);
    const hidden =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table'))";
    expect(await open.page.evaluate(hidden)).toBe(0);
    await show(open, 'audit-log');
    await open.page.locator('.audit time').first().waitFor();
    const lines = "[...document.querySelectorAll('.audit time')].map((time) => time.getClientRects().length)";
    expect(new Set(await open.page.evaluate<number[]>(lines))).toEqual(new Set([1]));
    const heights =
      "[...document.querySelectorAll('main :is(input, select)')].map((field) => field.offsetHeight)";
    expect(new Set(await open.page.evaluate<number[]>(heights)).size).toBe(1);
  });

  it('an owner requires a second factor, and an administrator sees it', async () => {
    const { olivia, adam } = kitchen.app.cast;
    const path = '/console/organization/signIn';
    const open = await kitchen.run.signedIn(olivia, path);
    const choice = open.page.getByLabel('Required for');
    await choice.selectOption('Everyone');
    await open.page.getByText('Set up your own second factor first').waitFor();
    open.forgive(/409/);
    await kitchen.app.writeRows(async (tx) => {
      await tx.repository(SecondFactor).insert({ userId: olivia.id, ...FACTOR });
      await tx.query('UPDATE login_session SET has_factor = ? WHERE user_id = ?', [true, olivia.id]);
    });
    await choice.selectOption('Administrators and owners');
    await open.page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    await open.expectAccessible();
    await choice.selectOption('No one');
    const { page } = await kitchen.run.signedIn(adam, path);
    await page.getByText('Only owners can change this.').last().waitFor();
    expect(await page.getByLabel('Required for').isDisabled()).toBe(true);
    await kitchen.app.writeRows((tx) => tx.repository(SecondFactor).delete({ userId: olivia.id }));
  });

  it('an administrator changes a role, and makes a link for a password', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.adam, '/console/people');
    await page.getByRole('main').getByRole('link', { name: 'Mia Member' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mia Member' }).waitFor();
    await page.getByLabel('Role').selectOption('Moderator');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('button', { name: 'Create reset link' }).click();
    await page.getByText(/accounts\/password\/reset/).waitFor();
    await page.goto(`/console/people?q=mia`);
    // The table only says which role somebody has: a key that is pressed there changes nobody's.
    await page.getByRole('row', { name: 'Mia Member' }).getByRole('cell', { name: 'Moderator' }).waitFor();
    expect(await page.locator('table :is(select, input)').count()).toBe(0);
    const { mia, adam } = kitchen.app.cast;
    expectSuccess(await kitchen.app.as(adam).patch(`/users/${mia.id}`, { role: 400 }));
    await page
      .getByRole('row', { name: 'Mia Member' })
      .getByRole('cell', { name: 'Member', exact: true })
      .waitFor();
  });

  it('many people are added from lines, after a look at what will become of them', async () => {
    const { id } = kitchen.app.cast.olivia;
    expectSuccess(
      await kitchen.app.as(kitchen.app.cast.olivia).patch(`/users/${id}`, { can_create_users: true }),
    );
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console/people/import');
    const lines = [
      'name,email,role',
      '"Last, First",first@example.com,guest',
      'No Address',
      'Mia Again,mia@example.com',
      'Odd Role,odd@example.com,constructor',
    ];
    await page.getByLabel('People').fill(lines.join('\n'));
    await page.getByText('Email address missing').waitFor();
    await page.getByText('Email address already in use').waitFor();
    await page.getByText('Unknown role').waitFor();
    await page.getByRole('button', { name: 'Add 1 person' }).click();
    await page.getByText(/accounts\/password\/reset/).waitFor();
    const owner = await kitchen.app.companionAs(kitchen.app.cast.olivia);
    expect((await owner.get('/auth/users?search=first')).body.items).toMatchObject([
      { full_name: 'Last, First', email: 'first@example.com', role: 'guest' },
    ]);
    // A link stays with its address, whatever stands in its line, and others can be added after that.
    await page.getByLabel('People').fill('name,email\nSecond,second@example.com');
    await expect(page.getByText(/accounts\/password\/reset/).count()).resolves.toBe(0);
    await page.getByRole('button', { name: 'Add 1 person' }).click();
    await page.getByText(/accounts\/password\/reset/).waitFor();
  });

  it('permissions of a channel change, and "Why?" says what they rest on', async () => {
    const { olivia, mia } = kitchen.app.cast;
    const { page } = await kitchen.run.signedIn(
      olivia,
      `/console/channel-settings/${kitchen.channel}?part=permissions`,
    );
    const picker = page.getByRole('combobox', { name: 'Who can post' });
    const field = page.locator('.field', { hasText: 'Who can post' });
    await picker.fill('nobody');
    await page.keyboard.press('Enter');
    await field.locator('.chip', { hasText: 'Nobody' }).waitFor();
    await picker.fill('cooks');
    await page.getByRole('option', { name: 'cooks' }).click();
    // Whoever is chosen stands in place of nobody.
    await field.locator('.chip', { hasText: 'Nobody' }).waitFor({ state: 'detached' });
    await page.getByText('Saved').waitFor();
    const channel = async () =>
      expectSuccess(await kitchen.app.as(olivia).get(`/streams/${kitchen.channel}`))['stream'] as object;
    while (!JSON.stringify(await channel()).includes(`"can_send_message_group":${team}`)) await pause(20);
    await page.goto(`/console/why?user=${mia.id}&channel=${kitchen.channel}&action=send_message`);
    await page.getByRole('heading', { level: 2, name: /Mia Member can: send message/ }).waitFor();
    await page.getByRole('link', { name: 'cooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'cooks' }).waitFor();
    await page.getByRole('button', { name: 'Remove Mia Member' }).click();
    await page.goto(`/console/why?user=${mia.id}&channel=${kitchen.channel}&action=send_message`);
    const verdict = page.getByRole('heading', { level: 2, name: /Mia Member can’t: send message/ });
    await verdict.waitFor();
    expect(await page.locator('.verdict li').allTextContents()).toContain('not a member');
  });

  it('a linkifier is tried before it is added', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console/linkifiers');
    await page.getByLabel('Pattern').fill('T-(?P<id>[0-9]+)');
    await page.getByLabel('URL template').fill('https://example.com/{id}');
    await page.getByLabel('Test text').fill('See T-42');
    await page.getByText('https://example.com/42').waitFor();
    await page.getByLabel('Pattern').fill('T-(');
    await page.getByText(/Invalid regular expression/).waitFor();
    await page.getByLabel('Pattern').fill('T-(?P<id>[0-9]+)');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('rowheader', { name: 'T-(?P<id>[0-9]+)' }).waitFor();
    const { linkifiers } = expectSuccess(await kitchen.app.as(kitchen.app.cast.mia).get('/realm/linkifiers'));
    expect(linkifiers).toMatchObject([{ url_template: 'https://example.com/{id}' }]);
  });

  it('an archive of the organization is requested, downloaded and deleted', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console/exports');
    const { page } = open;
    await page.getByText('No exports yet').waitFor();
    await page.getByRole('button', { name: 'New export' }).click();
    const dialog = page.getByRole('dialog');
    const content = dialog.getByLabel('Contents');
    await content.selectOption('Public channels, and private data of people who agreed');
    await dialog.getByText(/^\d+ of \d+ people agreed/).waitFor();
    await open.expectAccessible();
    await content.selectOption('Public channels');
    await dialog.getByRole('button', { name: 'New export' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').nth(1);
    await row.getByRole('cell', { name: 'Ready' }).waitFor();
    await open.expectAccessible();
    const downloading = page.waitForEvent('download');
    await row.getByRole('link', { name: 'Download' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^zulip-export-[^.]+\.tar\.gz$/);
    const archive = await readFile(await download.path());
    expect(archive.subarray(0, 2).toString('hex')).toBe('1f8b');
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.getByRole('cell', { name: 'Deleted' }).waitFor();
    expect(await row.getByRole('link', { name: 'Download' }).count()).toBe(0);
  });

  it('nothing that people can name runs on any of them', async () => {
    const { olivia, mia } = kitchen.app.cast;
    const evil = await createChannelWith(kitchen.app, olivia, [mia], `${HTML}"'`);
    expectSuccess(await kitchen.app.as(olivia).patch(`/streams/${evil}`, { description: HTML }));
    expectSuccess(await kitchen.app.as(mia).patch('/settings', { full_name: "'onload=alert(1) x" }));
    const group = { name: HTML, description: HTML, members: [mia.id], subgroups: [team] };
    const { group_id: id } = expectSuccess(await kitchen.app.as(olivia).post('/user_groups/create', group));
    expectSuccess(await kitchen.app.as(olivia).patch('/realm', { description: HTML }));
    const filter = { pattern: '<b onclick=(?P<id>[0-9]+)>', url_template: 'javascript:alert({id})' };
    await kitchen.app.as(olivia).post('/realm/filters', filter);
    await kitchen.app
      .companion()
      .post('/auth/login', { email: HTML, password: HTML }, { 'user-agent': HTML });
    const open = await kitchen.run.signedIn(olivia);
    const more = [`groups/${id}`, `channel-settings/${evil}`, `why?user=${mia.id}&group=${id}`];
    for (const path of [...Object.values(PAGES).flat(), ...objects(), ...more]) await show(open, path);
    expect(await open.page.locator('img[src="x"], b[onclick], script:not([src])').count()).toBe(0);
  });
});
