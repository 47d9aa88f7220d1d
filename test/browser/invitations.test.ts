import { BROWSER_TIMEOUT_MS, describeInBrowser } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { invitesOf, join } from '../support/invitation-setup';
import { startKitchen } from '../support/kitchen';
import { MailServer } from '../support/mail-server';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const PAGE = '/console/people/invitations';

describeInBrowser('invitations that are handed over', () => {
  const kitchen = startKitchen();

  it('name the addresses that are wrong, and then whose link is whose until it is used', async () => {
    const { olivia, mia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(olivia, PAGE);
    const { page } = open;
    const dialog = page.getByRole('dialog', { name: 'Invite' });
    const invite = async (addresses: string) => {
      await dialog.getByLabel('Email addresses').fill(addresses);
      await dialog.getByRole('button', { name: 'Invite' }).click();
    };
    await page.getByRole('button', { name: 'Invite' }).click();
    await invite('ada@example.com, ben');
    await dialog.getByText('No invitations sent. Check ben (not an email address).').waitFor();
    await invite(`ada@example.com, ${mia.email}`);
    const taken = `Not invited: ${mia.email} (already has an account). Everyone else is invited.`;
    await dialog.getByText(taken).waitFor();
    await open.expectAccessible();
    await invite('ben@example.com');
    await dialog.waitFor({ state: 'detached' });
    open.forgive(/status of 400/);
    await page.getByText('This server sends no email. Copy each link and send it yourself.').waitFor();
    const row = page.getByRole('row', { name: /ben@example\.com/ });
    const link = await row.locator('code').innerText();
    const records = await invitesOf(kitchen.app, olivia);
    expect(records).toContainEqual(expect.objectContaining({ email: 'ben@example.com', link_url: link }));
    expect(await page.getByRole('button', { name: 'Resend' }).count()).toBe(0);
    await open.expectAccessible();
    expect((await join(kitchen.app, link, { full_name: 'Ben Newcomer' })).status).toBe(302);
    await row.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /ada@example\.com/ }).waitFor();
  });
});

describeInBrowser('invitations that are mailed', () => {
  let server: MailServer;
  const env: Record<string, string> = { MAIL_FROM: 'chat@example.org' };

  beforeAll(async () => {
    server = await MailServer.start();
    env['SMTP_URL'] = server.url;
  });
  const kitchen = startKitchen({ env });
  afterAll(() => server.stop());

  it('are mailed again by a button', async () => {
    const { olivia } = kitchen.app.cast;
    const invited = { invitee_emails: 'ada@example.com', stream_ids: [] };
    expectSuccess(await kitchen.app.as(olivia).post('/invites', invited));
    const first = await server.mail(1);
    const { page } = await kitchen.run.signedIn(olivia, PAGE);
    const row = page.getByRole('row', { name: /ada@example\.com/ });
    await row.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Invitation resent to ada@example.com').waitFor();
    expect((await server.mail(2)).link).toBe(first.link);
    expect(await row.locator('code').count()).toBe(0);
  });
});
