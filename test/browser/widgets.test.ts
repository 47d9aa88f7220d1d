import type { Page } from 'playwright-core';
import { becomesEmpty, BROWSER_TIMEOUT_MS, describeInBrowser } from '../support/browser';
import { startKitchen } from '../support/kitchen';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const composer = (page: Page) => page.locator('.composer textarea');
const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name, exact: true });
const poll = (page: Page) => page.getByRole('region', { name: 'Poll' });
const list = (page: Page) => page.getByRole('region', { name: 'To-do list' });

describeInBrowser('polls and to-do lists in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  it('two people vote, add an option, and see the question that the author corrects', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, topicPath('menu'));
    const { page: hers } = open;
    const { page: his } = await kitchen.run.signedIn(max, topicPath('menu'));
    await button(hers, 'Create poll').click();
    const dialog = hers.getByRole('dialog', { name: 'Create poll' });
    await dialog.getByLabel('Question').fill('Soup or salat?');
    await dialog.getByLabel('Options').fill('Soup\n\n* Salad');
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Create poll' }).click();
    await poll(hers).getByText('Soup or salat?').waitFor();
    await becomesEmpty(composer(hers));
    await poll(his).getByRole('button', { name: 'Vote for Salad, 0 votes' }).click();
    const salad = poll(hers).getByRole('button', { name: 'Vote for Salad, 1 vote', exact: true });
    await salad.waitFor();
    await poll(hers).getByText(max.fullName).waitFor();
    await salad.click();
    await poll(his).getByRole('button', { name: 'Vote for Salad, 2 votes', pressed: true }).click();
    await poll(hers).getByRole('button', { name: 'Vote for Salad, 1 vote', pressed: true }).waitFor();
    // Nobody but the author may change the question.
    expect(await button(his, 'Edit question').count()).toBe(0);
    await poll(his).getByLabel('New option').fill('Nothing');
    await poll(his).getByLabel('New option').press('Enter');
    await poll(hers).getByRole('button', { name: 'Vote for Nothing, 0 votes' }).waitFor();
    await button(hers, 'Edit question').click();
    await poll(hers).getByLabel('Edit question').fill('Soup or salad?');
    await poll(hers).getByRole('button', { name: 'Save' }).click();
    await poll(his).getByText('Soup or salad?').waitFor();
    await open.expectAccessible();
    // All of it is there for those who come later.
    await his.reload();
    await poll(his).getByText('Soup or salad?').waitFor();
    await poll(his).getByRole('button', { name: 'Vote for Nothing, 0 votes' }).waitFor();
    await poll(his).getByRole('button', { name: 'Vote for Salad, 1 vote', pressed: false }).waitFor();
  });

  it('two people share a list of tasks, and check them off', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, topicPath('chores'), { colorScheme: 'dark' });
    const { page: hers } = open;
    const { page: his } = await kitchen.run.signedIn(max, topicPath('chores'));
    await composer(hers).fill('Written');
    await hers.getByRole('button', { name: 'Create to-do list', disabled: true }).waitFor();
    await composer(hers).fill('');
    await button(hers, 'Create to-do list').click();
    const dialog = hers.getByRole('dialog', { name: 'Create to-do list' });
    await dialog.getByLabel('Title').fill('After lunch');
    await dialog.getByLabel('Tasks').fill('Dishes: the big ones first\nFloor');
    await dialog.getByRole('button', { name: 'Create to-do list' }).click();
    await list(hers).getByText('the big ones first').waitFor();
    await list(his).getByRole('checkbox', { name: 'Floor' }).click();
    await list(hers).getByRole('checkbox', { name: 'Floor', checked: true }).waitFor();
    await list(his).getByLabel('New task').fill('Windows');
    await list(his).getByLabel('Description').fill('inside');
    await list(his).getByRole('button', { name: 'Add task' }).click();
    await list(hers).getByRole('checkbox', { name: 'Windows inside' }).click();
    await list(his).getByRole('checkbox', { name: 'Windows inside', checked: true }).click();
    await list(hers).getByRole('checkbox', { name: 'Windows inside', checked: false }).waitFor();
    await open.expectAccessible();
    await hers.reload();
    await list(hers).getByRole('checkbox', { name: 'Floor', checked: true }).waitFor();
    expect(await list(hers).getByRole('checkbox').count()).toBe(3);
  });
});
