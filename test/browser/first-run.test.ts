import { BROWSER_TIMEOUT_MS, describeInBrowser, openOwnMenu } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';

jest.setTimeout(BROWSER_TIMEOUT_MS);

describeInBrowser('the first run of an owner', () => {
  const kitchen = startKitchen();

  it('has four short steps, which one finds again in the menu', async () => {
    const { olivia } = kitchen.app.cast;
    const api = kitchen.app.as(olivia);
    const { members } = expectSuccess(await api.get('/users'));
    for (const { user_id: id, is_bot: isBot } of members as { user_id: number; is_bot: boolean }[])
      if (!isBot && id !== olivia.id) expectSuccess(await api.delete(`/users/${id}`));
    const open = await kitchen.run.signedIn(olivia);
    const { page } = open;
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    await heading('Your organization').waitFor();
    await page.getByText('Step 1 of 4').waitFor();
    await open.expectAccessible();
    await page.getByLabel('Organization name').fill('Acme');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading('You').waitFor();
    await page.getByRole('banner').getByText('Acme').waitFor();
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading('Channels').waitFor();
    await open.expectAccessible();
    await page.getByLabel('Channel 1').fill('news');
    await page.getByLabel('Channel 3').fill('');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading('Invite people').waitFor();
    const line = (name: string) =>
      page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });
    await line('news').waitFor();
    await line('ideas').waitFor();
    expect(await line('random').count()).toBe(0);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText(/\/join\//).waitFor();
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    await open.expectAccessible();
    await page.getByLabel('Email addresses').fill('ada@example.com');
    await page.getByRole('button', { name: 'Finish' }).click();
    await heading('#general').waitFor();
    const { invites } = expectSuccess(await api.get('/invites'));
    expect((invites as { email?: string }[]).map(({ email }) => email)).toContain('ada@example.com');
    // Once only.
    await page.goto('/console');
    await heading('Inbox').waitFor();
    await openOwnMenu(page);
    await page.getByRole('menuitem', { name: 'First steps' }).click();
    await heading('Your organization').waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
    await heading('You').waitFor();
  });
});
