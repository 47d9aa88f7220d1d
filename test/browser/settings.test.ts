import { setTimeout as pause } from 'node:timers/promises';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { PASSWORD, type Member } from '../support/cast';
import { BROWSER_TIMEOUT_MS, describeInBrowser, signIn } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { GOOD_PASSWORD } from '../support/invitation-setup';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';
import { plainPicture } from '../support/picture-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const PHONE = { width: 390, height: 844 };

describeInBrowser('the settings in the console', () => {
  const kitchen = startKitchen();

  const recordOf = async (member: Member) => expectSuccess(await kitchen.app.as(member).get('/users/me'));
  const settingsOf = async (member: Member) => {
    const { state } = await kitchen.app.queue(member, { fetch_event_types: ['user_settings'] });
    return state['user_settings'] as Record<string, unknown>;
  };

  it('are found by their names', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, '/console/settings');
    const { page } = open;
    const field = page.getByRole('searchbox', { name: 'Find a setting' });
    await field.fill('emoticons');
    await page.getByRole('heading', { level: 1, name: 'Settings with “emoticons”' }).waitFor();
    await open.expectAccessible();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Turn emoticons/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor();
    await page.locator('input:focus').waitFor();
    const box = page.getByRole('switch', { name: /^Turn emoticons/ });
    expect(await box.evaluate('document.activeElement.closest(".check").textContent')).toMatch(
      /^Turn emoticons/,
    );
    await field.fill('privacy typing');
    await page.getByRole('main').getByRole('link', { name: 'Show when I’m typing in channels' }).click();
    await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor();
    await field.fill('nothing of the kind');
    await page.getByText('No results').waitFor();
  });

  it('change a picture and a name, and show them at once', async () => {
    const { mia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, '/console/settings');
    const { page } = open;
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove picture' }).count()).toBe(0);
    const file = page.locator('input[type=file]');
    await file.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByRole('alert').waitFor();
    open.forgive(/status of 400/);
    const buffer = await plainPicture(300, 200).png().toBuffer();
    await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    const remove = page.getByRole('button', { name: 'Remove picture' });
    await remove.waitFor();
    expect((await recordOf(mia)).avatar_url).toContain('/user_avatars/');
    await page.locator('.foot img.avatar').waitFor();
    await page.getByLabel('Name').fill('Mia Miller');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('contentinfo').getByRole('button', { name: 'Mia Miller' }).waitFor();
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    while ((await recordOf(mia)).timezone !== 'Asia/Tokyo') await pause(20);
    await open.expectAccessible();
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    expectSuccess(await kitchen.app.as(mia).patch('/settings', { full_name: mia.fullName }));
  });

  it('change address and password with the current one, and say beside the field what is wrong', async () => {
    const { max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(max, '/console/settings/account');
    const { page } = open;
    const errorOf = (label: string) =>
      page
        .locator('.field', { has: page.getByLabel(label) })
        .locator('.error')
        .innerText();
    await page.getByRole('button', { name: 'Change email address' }).click();
    const dialog = page.getByRole('dialog');
    const submit = (name: string) => dialog.getByRole('button', { name }).click();
    await page.getByLabel('Current password').fill('a guess');
    await page.getByLabel('New email address').fill('mia@example.com');
    await submit('Change email address');
    await dialog.getByText('Wrong password.').waitFor();
    expect(await errorOf('Current password')).toBe('Wrong password.');
    await open.expectAccessible();
    await page.getByLabel('Current password').fill(PASSWORD);
    await submit('Change email address');
    await dialog.getByText('Someone already uses this address.').waitFor();
    expect(await errorOf('New email address')).toBe('Someone already uses this address.');
    await page.getByLabel('New email address').fill('max@example.org');
    await submit('Change email address');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('max@example.org').waitFor();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('short');
    await submit('Change password');
    await dialog.locator('.error').waitFor();
    await page.getByLabel('New password').fill(GOOD_PASSWORD);
    await submit('Change password');
    await dialog.waitFor({ state: 'detached' });
    // This browser stays signed in.
    await page.getByRole('link', { name: 'Preferences' }).click();
    await page.getByRole('heading', { level: 1, name: 'Preferences' }).waitFor();
    open.forgive(/status of 400/);
    const { page: again } = await kitchen.run.visitor();
    await again.goto('/console/starred');
    await signIn(again, { email: 'max@example.org' }, GOOD_PASSWORD);
    await again.getByRole('heading', { level: 1, name: 'Starred' }).waitFor();
  });

  it('are obeyed at once', async () => {
    const { mia, olivia } = kitchen.app.cast;
    await sendTo(kitchen.app, olivia, kitchen.channel, 'clock', 'What time is it?');
    const open = await kitchen.run.signedIn(mia, '/console/settings/preferences');
    const { page } = open;
    const size = () => page.evaluate<string>('getComputedStyle(document.documentElement).fontSize');
    const before = parseFloat(await size());
    await page.getByLabel('Text size').selectOption('20');
    while (parseFloat(await size()) !== before * 1.25) await pause(20);
    await page.getByLabel('Theme').selectOption('Dark');
    await page.locator('html.dark').waitFor({ state: 'attached' });
    await page.getByLabel('High contrast').check();
    await page.locator('html.dark.contrast').waitFor({ state: 'attached' });
    await open.expectAccessible();
    await page.locator('.sample time', { hasText: '9:05 PM' }).waitFor();
    await page.getByLabel('Time format').selectOption('21:05');
    await page.locator('.sample time', { hasText: '21:05' }).waitFor();
    await page.getByLabel('Enter sends the message').check();
    await page.getByText('Saved').waitFor();
    await page.goto(`/console/channels/${kitchen.channel}/topic/clock`);
    await page.locator('.message time', { hasText: /^\d\d:\d\d$/ }).waitFor();
    await page.getByText('Enter to send, Shift+Enter for a new line.').waitFor();
    await page.goto('/console/settings/privacy');
    await page.getByLabel('Show when I’m active').uncheck();
    await page.getByLabel('Who can see my email address').selectOption('Moderators');
    while ((await settingsOf(mia))['email_address_visibility'] !== 5) await pause(20);
    expect(await settingsOf(mia)).toMatchObject({
      presence_enabled: false,
      enter_sends: true,
      twenty_four_hour_time: true,
      web_font_size_px: 20,
    });
    await open.expectAccessible();
  });

  it('have the console in the language that is chosen', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'lunch', 'Soup');
    const open = await kitchen.run.signedIn(mia, '/console/settings/preferences', { viewport: PHONE });
    const { page } = open;
    await page.getByLabel('Language', { exact: true }).selectOption('de');
    await page.getByRole('heading', { level: 2, name: 'Schreiben und Tastatur' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await open.expectAccessible();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.goto(kitchen.topicPath('lunch'));
    await page.getByRole('textbox', { name: 'Nachricht an #kitchen › lunch' }).waitFor();
    const today = new Intl.DateTimeFormat('de', { dateStyle: 'full' }).format();
    await page.locator('.divider', { hasText: today }).waitFor();
    await page.goto('/console/settings/preferences');
    await page.getByLabel('Sprache', { exact: true }).selectOption('en');
    await page.getByRole('heading', { level: 2, name: 'Writing and keyboard' }).waitFor();
  });

  it('say which language was chosen before the console has it', async () => {
    const { adam } = kitchen.app.cast;
    const { page } = await kitchen.run.visitor({ locale: 'de' });
    await page.goto('/console/settings/preferences');
    await page.getByLabel('E-Mail-Adresse').fill(adam.email);
    await page.getByLabel('Passwort').fill(PASSWORD);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    const language = page.getByLabel('Sprache', { exact: true });
    await language.waitFor();
    // Nothing was chosen: the browser's.
    expect(await language.inputValue()).toBe('de');
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked = page.waitForRequest(/\/json\/settings$/);
    await page.route(/\/json\/settings$/, async (route) => {
      await released;
      await route.continue();
    });
    await language.selectOption('en');
    await asked;
    await pause(200);
    expect(await language.inputValue()).toBe('en');
    release();
    await page.getByLabel('Language', { exact: true }).waitFor();
    expect(await page.getByLabel('Language', { exact: true }).inputValue()).toBe('en');
  });

  it('have words of one’s own that notify', async () => {
    const { mia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, '/console/settings/notifications');
    const { page } = open;
    const words = async () =>
      expectSuccess(await kitchen.app.as(mia).get('/users/me/alert_words')).alert_words as string[];
    for (const word of ['soup', 'fire drill']) {
      await page.getByLabel('Word or phrase').fill(word);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove ${word}` }).waitFor();
    }
    expect((await words()).toSorted()).toEqual(['fire drill', 'soup']);
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Remove soup' }).click();
    await page.getByRole('button', { name: 'Remove soup' }).waitFor({ state: 'detached' });
    expect(await words()).toEqual(['fire drill']);
  });

  it('list muted people and topics, and unmute them', async () => {
    const { mia, max } = kitchen.app.cast;
    const set = (topic: string, visibility_policy: number) =>
      kitchen.app.as(mia).post('/user_topics', { stream_id: kitchen.channel, topic, visibility_policy });
    expectSuccess(await set('Noise', 1));
    const open = await kitchen.run.signedIn(mia, '/console/settings/muted');
    const { page } = open;
    await page.getByLabel('Mute a person').selectOption(max.fullName);
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    const unmute = page.getByRole('button', { name: 'Unmute' });
    await unmute.waitFor();
    await sendTo(kitchen.app, max, kitchen.channel, 'lunch', 'Not told');
    await open.expectAccessible();
    await unmute.click();
    await page.getByText('You haven’t muted anyone').waitFor();
    expectSuccess(await set('News', 3));
    await page.getByRole('link', { name: '#kitchen › News' }).waitFor();
    await page.getByLabel('Notifications of #kitchen › Noise').selectOption('Default');
    await page.getByRole('link', { name: '#kitchen › Noise' }).waitFor({ state: 'detached' });
    await open.expectAccessible();
  });

  it('turn two-factor sign-in on and off, and show recovery codes once', async () => {
    const { mona } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mona, '/console/settings/security', { viewport: PHONE });
    const { page } = open;
    const codeNow = (seed: string) => codeAt(seed, Math.floor(Date.now() / 30_000));
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Current password').fill('a guess');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Wrong password.').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code with the key' }).waitFor();
    await open.expectAccessible();
    const seed = (await dialog.locator('.secret code').innerText()).replaceAll(' ', '');
    await page.getByLabel('Code from the app').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('The code is wrong, or was used before').waitFor();
    await page.getByLabel('Code from the app').fill(codeNow(seed));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = (await dialog.getByRole('region', { name: 'Recovery codes' }).innerText()).split('\n');
    expect(codes).toHaveLength(10);
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    await open.expectAccessible();
    // From now on the password alone is not enough.
    const { page: elsewhere } = await kitchen.run.visitor();
    await elsewhere.goto('/console/settings/security');
    await signIn(elsewhere, mona);
    await elsewhere.locator('input[autocomplete=one-time-code]').fill(codes[0]!);
    await elsewhere.locator('form button').first().click();
    await elsewhere.getByText('9 recovery codes left').waitFor();
    await elsewhere.getByRole('button', { name: 'Turn off' }).click();
    await elsewhere.getByLabel('Code from the app, or a recovery code').fill(codes[1]!);
    await elsewhere.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await elsewhere.getByText('Two-factor sign-in is off.').waitFor();
    open.forgive(/status of 40[01]/);
  });

  it('create API keys that are shown once, list and revoke them', async () => {
    const { mia, robo } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, '/console/settings/keys', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = open;
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Name').fill('deploys');
    await page.getByLabel('Account').selectOption(robo.fullName);
    await page.getByLabel('Send', { exact: true }).check();
    await page.getByRole('combobox', { name: 'Channels' }).click();
    await page.getByRole('option', { name: 'kitchen' }).click();
    await page.getByLabel('Current password').fill('a guess');
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Wrong password.').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'New API key' }).waitFor();
    await open.expectAccessible();
    const key = await dialog.getByRole('region', { name: 'API key', exact: true }).innerText();
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    const file = await dialog.getByRole('region', { name: 'zuliprc file' }).innerText();
    expect(file).toContain(`email=${robo.email}`);
    expect(file).toContain(`key=${key}`);
    const headers = { authorization: `Basic ${btoa(`${robo.email}:${key}`)}` };
    const ask = () => fetch(`${kitchen.run.site}/api/v1/users/me`, { headers });
    expect((await ask()).status).toBe(200);
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /deploys.*Read, Send kitchen/ }).waitFor();
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API keys yet').waitFor();
    expect((await ask()).status).toBe(401);
    open.forgive(/status of 400/);
  });
});
