import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser } from '../support/browser';
import { groupRecord, makeGroup } from '../support/group-setup';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

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
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = page.getByText(/accounts\/password\/reset/);
    await link.waitFor();
    await page.evaluate('history.go(-2)');
    await heading(page, 'Mia Member').waitFor();
    await page.getByRole('button', { name: 'Make a link' }).waitFor();
    expect(await link.count()).toBe(0);
  });

  it('whom one chose for a group is not chosen on the page of another', async () => {
    const { olivia, max } = app.cast;
    const inner = await makeGroup(app, olivia, 'inner');
    const outer = await makeGroup(app, olivia, 'outer', { subgroups: [inner] });
    const { page } = await run.signedIn(olivia, `/console/groups/${outer}`);
    const chosen = page.getByLabel('Somebody else');
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
    const list = page.getByLabel('Put another group inside');
    await list.press('ArrowDown');
    await list.press('ArrowDown');
    expect(await list.inputValue()).not.toBe('');
    await list.selectOption('salads');
    await page.locator('form', { has: list }).getByRole('button', { name: 'Add' }).click();
    await page.locator('.chip', { hasText: 'salads' }).waitFor();
    expect(sent.filter((each) => each.includes('subgroups'))).toEqual([`add_subgroups=%5B${salads}%5D`]);
    expect(await groupRecord(app, dishes)).toMatchObject({ direct_subgroup_ids: [salads] });
  });
});
