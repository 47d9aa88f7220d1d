import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createChannelWith } from '../support/channel-setup';
import type { Member } from '../support/cast';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, holds } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { groupRecord, makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Keeps requests from the server until they are let go. */
async function held(page: Page, url: RegExp): Promise<() => void> {
  let letGo = () => {};
  const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(url, async (route) => {
    await isLetGo;
    await route.continue();
  });
  return letGo;
}

describeInBrowser('forms of the administration', () => {
  let run: BrowserRun;
  let app: TestApp;

  beforeAll(async () => {
    run = await BrowserRun.start();
    app = run.app;
  });

  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  it('a link for the password of one person is not on the page of another', async () => {
    const { page } = await run.signedIn(app.cast.olivia, '/console/people');
    const people = page.getByRole('navigation').getByRole('link', { name: 'People' });
    const inTable = (name: string) => page.getByRole('main').getByRole('link', { name });
    await inTable('Mia Member').click();
    await heading(page, 'Mia Member').waitFor();
    await people.click();
    await inTable('Max Member').click();
    await page.getByRole('button', { name: 'Create reset link' }).click();
    const link = page.getByText(/accounts\/password\/reset/);
    await link.waitFor();
    await page.evaluate('history.go(-2)');
    await heading(page, 'Mia Member').waitFor();
    await page.getByRole('button', { name: 'Create reset link' }).waitFor();
    expect(await link.count()).toBe(0);
  });

  it('whom one chose for a group is not chosen on the page of another', async () => {
    const { olivia, max } = app.cast;
    const inner = await makeGroup(app, olivia, 'inner');
    const outer = await makeGroup(app, olivia, 'outer', { subgroups: [inner] });
    const { page } = await run.signedIn(olivia, `/console/groups/${outer}`);
    const chosen = page.getByLabel('Add member');
    await chosen.selectOption(String(max.id));
    await page.getByRole('link', { name: 'inner' }).click();
    await heading(page, 'inner').waitFor();
    expect(await chosen.inputValue()).toBe('');
  });

  it('a group is put inside another when one says so, and not while one chooses by keys', async () => {
    const { olivia } = app.cast;
    const salads = await makeGroup(app, olivia, 'salads');
    const dishes = await makeGroup(app, olivia, 'dishes');
    const { page } = await run.signedIn(olivia, `/console/groups/${dishes}`);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''));
    const list = page.getByLabel('Add subgroup');
    await list.press('ArrowDown');
    await list.press('ArrowDown');
    expect(await list.inputValue()).not.toBe('');
    await list.selectOption('salads');
    await page.locator('form', { has: list }).getByRole('button', { name: 'Add' }).click();
    await page.locator('.chip', { hasText: 'salads' }).waitFor();
    expect(sent.filter((each) => each.includes('subgroups'))).toEqual([`add_subgroups=%5B${salads}%5D`]);
    expect(await groupRecord(app, dishes)).toMatchObject({ direct_subgroup_ids: [salads] });
  });

  it('a permission that somebody else changed meanwhile is not overwritten, but shown', async () => {
    const { olivia, mia, max, adam } = app.cast;
    const cooks = await makeGroup(app, olivia, 'cooks', { members: [mia.id] });
    const mayMention = (...all: readonly Member[]) =>
      app.as(olivia).patch(`/user_groups/${cooks}`, { can_mention_group: { new: peopleAlone(...all) } });
    expectSuccess(await mayMention(mia, max));
    const open = await run.signedIn(olivia, `/console/groups/${cooks}?part=permissions`);
    const { page } = open;
    const field = page.locator('.field', { hasText: 'Who can mention the group' });
    const letGo = await held(page, /json\/user_groups\/\d+$/);
    await field.getByRole('button', { name: 'Remove Max Member' }).click();
    expectSuccess(await mayMention(mia, max, adam));
    letGo();
    await page.getByText('Someone else changed this while you were editing.').waitFor();
    open.forgive(/400/);
    await field.getByText('Adam').waitFor();
    await open.expectAccessible();
    await field.getByRole('button', { name: 'Remove Max Member' }).click();
    await page.getByText('Saved').waitFor();
    expect(await groupRecord(app, cooks)).toMatchObject({ can_mention_group: peopleAlone(mia, adam) });
  });

  it('what one changes while a change is being saved is saved next', async () => {
    const { olivia } = app.cast;
    const bakers = await makeGroup(app, olivia, 'bakers');
    const { page } = await run.signedIn(olivia, `/console/groups/${bakers}?part=permissions`);
    const picker = page.getByRole('combobox', { name: 'Who can mention the group' });
    const chosen = page.locator('.field', { has: picker }).locator('.chip');
    const letGo = await held(page, /json\/user_groups\/\d+$/);
    for (const role of ['Moderators', 'Administrators']) {
      await picker.fill(role);
      await page.getByRole('option', { name: role }).click();
    }
    expect(await chosen.allTextContents()).toEqual(['Administrators']);
    const answers = [0, 1].map(() => page.waitForResponse(/json\/user_groups\/\d+$/));
    letGo();
    for (const answer of await Promise.all(answers))
      expect(await answer.json()).toMatchObject({ result: 'success' });
    const administrators = systemGroupId(app, 'role:administrators');
    while ((await groupRecord(app, bakers))?.['can_mention_group'] !== administrators) await pause(20);
    expect(await chosen.allTextContents()).toEqual(['Administrators']);
  });

  it('"Why?" says nothing of somebody before it knows, nor when it cannot know', async () => {
    const { olivia, gus, mia } = app.cast;
    const open = await run.signedIn(olivia, '/console/why');
    const { page } = open;
    const verdict = page.locator('.verdict');
    await verdict.getByText('Yes.').waitFor();
    await page.route(/permissions\/actions/, (route) => route.abort());
    await page.getByLabel('Person').selectOption(String(gus.id));
    await verdict.getByText('Can’t reach the server.').waitFor();
    open.forgive(/ERR_FAILED/);
    expect(await page.getByText('Yes.').count()).toBe(0);
    await page.unroute(/permissions\/actions/);
    const letGo = await held(page, /permissions\/actions/);
    await page.getByLabel('Person').selectOption(String(mia.id));
    await verdict.getByText('Loading…').waitFor();
    letGo();
    await verdict.getByText(/Mia Member (has|doesn’t have) the permission/).waitFor();
  });

  it('the audit log shows what was asked for last, whichever answer comes last', async () => {
    const { olivia, mia } = app.cast;
    await createChannelWith(app, olivia, [mia], 'kitchen');
    const { page } = await run.signedIn(olivia, '/console/audit-log');
    const about = page.getByLabel('About', { exact: true });
    const lines = (text: RegExp) => page.locator('.audit li').filter({ hasText: text });
    const channels = lines(/created #/);
    const others = lines(/signed in/);
    await others.first().waitFor();
    const letGo = await held(page, /action=user/);
    const late = page.waitForResponse(/action=user/);
    await Promise.all([page.waitForRequest(/action=user/), about.selectOption('People and sign-in')]);
    await about.selectOption('Channels');
    await others.first().waitFor({ state: 'detached' });
    await channels.first().waitFor();
    letGo();
    await (await late).finished();
    // Whatever the page does with that answer, it has done before this one.
    await page.evaluate("fetch('/json/users/me').then((answer) => answer.json())");
    await channels.first().waitFor();
    expect(await others.count()).toBe(0);
  });

  it('the key of a directory is shown once, works, and ends when it is revoked', async () => {
    const open = await run.signedIn(app.cast.olivia, '/console/directories');
    const { page } = open;
    await page.getByText('No keys yet').waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Not a name');
    await dialog.getByRole('button', { name: 'New key' }).click();
    await dialog.getByText('The name contains other characters.').waitFor();
    await dialog.getByLabel('Name').fill('okta');
    await dialog.getByRole('button', { name: 'New key' }).click();
    const key = await dialog.getByText(/^parley-scim-/).textContent();
    await dialog.getByText(/\/scim\/v2$/).waitFor();
    await open.expectAccessible();
    const read = async () => {
      const headers = { authorization: `Bearer ${key}` };
      return (await app.client().send({ method: 'GET', url: '/scim/v2/Users', headers })).status;
    };
    expect(await read()).toBe(200);
    await page.reload();
    await page.getByRole('row', { name: /okta/ }).waitFor();
    expect(await page.getByText(key!).count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No keys yet').waitFor();
    expect(await read()).toBe(401);
  });

  it('a dialog stays while text is selected beyond it, and closes by a click beside it', async () => {
    const { page } = await run.signedIn(app.cast.olivia, '/console/people');
    await page.getByRole('button', { name: 'Add person' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('Half a name');
    const { x, y } = (await name.boundingBox())!;
    await page.mouse.move(x + 20, y + 10);
    await page.mouse.down();
    await page.mouse.move(5, y + 10);
    await page.mouse.up();
    expect(await name.inputValue()).toBe('Half a name');
    await page.mouse.click(5, y + 10);
    await name.waitFor({ state: 'detached' });
  });

  it('a name that is being written stays when somebody changes the role, and only the name is saved', async () => {
    const { olivia, mia } = app.cast;
    const { page } = await run.signedIn(olivia, `/console/people/${mia.id}`);
    await page.getByLabel('Name').fill('Mia Meyer');
    expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { role: 300 }));
    await holds(page.getByLabel('Role'), '300');
    expect(await page.getByLabel('Name').inputValue()).toBe('Mia Meyer');
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Mia Meyer').waitFor();
    const { user } = expectSuccess(await app.as(olivia).get(`/users/${mia.id}`));
    expect(user).toMatchObject({ full_name: 'Mia Meyer', role: 300 });
    // What was saved is no longer being written: what others make of it is shown.
    await page.getByText('Saved').waitFor();
    expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { full_name: 'Mia Member', role: 400 }));
    await holds(page.getByLabel('Name'), 'Mia Member');
  });

  it('links for new people are there when one comes back', async () => {
    const { olivia } = app.cast;
    expectSuccess(await app.as(olivia).patch(`/users/${olivia.id}`, { can_create_users: true }));
    const { page } = await run.signedIn(olivia, '/console/people/import');
    await page.getByLabel('People').fill('New Person,new.person@example.com');
    await page.getByRole('button', { name: 'Add 1 person' }).click();
    const link = page.getByText(/accounts\/password\/reset/);
    const made = await link.textContent();
    await page.getByRole('navigation').getByRole('link', { name: 'People' }).click();
    await heading(page, 'People').waitFor();
    await page.goBack();
    await link.waitFor();
    expect(await link.textContent()).toBe(made);
  });
});
