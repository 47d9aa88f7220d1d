import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, signIn } from '../support/browser';
import { sendDirect } from '../support/message-setup';
import { StandInBuild } from '../support/web-app/stand-in-build';

jest.setTimeout(BROWSER_TIMEOUT_MS);

/** What the app has written into its page, once that has a key. */
async function reported(page: Page, key: string): Promise<Record<string, unknown>> {
  await page.locator('#report', { hasText: `"${key}":` }).waitFor();
  return JSON.parse(await page.locator('#report').innerText()) as Record<string, unknown>;
}

describeInBrowser('a web app of our own in the layout of a release', () => {
  let run: BrowserRun;
  let build: StandInBuild;

  beforeAll(async () => {
    build = new StandInBuild();
    run = await BrowserRun.start({ env: { WEB_APP_DIR: build.folder } });
  });

  afterEach(() => run.closeAll());
  afterAll(async () => {
    await run.stop();
    build.remove();
  });

  /** Somebody opens the bare address and signs in. */
  async function opened(who: 'mia' | 'max', path = '/') {
    const open = await run.visitor();
    await open.page.goto(path);
    await signIn(open.page, run.app.cast[who]);
    await reported(open.page, 'me');
    return open;
  }

  it('starts after signing in, and knows who, where and what there is', async () => {
    const { page } = await opened('mia');
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await reported(page, 'me')).toMatchObject({
      language: 'en',
      languages: 3,
      me: 'Mia Member',
      queue: 'string',
      level: 497,
      people: expect.any(Number),
      hasStreams: false,
    });
    expect(await page.evaluate('document.documentElement.dataset.inline')).toBe('ran');
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(1, 2, 3)');
    expect(await page.locator('#page-params').count()).toBe(0);
  });

  it('hears of messages as they come, and has read those of the person at once', async () => {
    const { mia, max } = run.app.cast;
    const { page } = await opened('mia');
    await sendDirect(run.app, max, [mia], 'Are you there?');
    await page.getByText('Are you there?', { exact: true }).waitFor();
    await page.evaluate(
      `window.standIn.call('POST', '/messages', { type: 'direct', to: [${max.id}], content: 'I am.' })`,
    );
    await page.getByText('I am. (read)', { exact: true }).waitFor();
    expect(await page.locator('#messages li').allInnerTexts()).toEqual(['Are you there?', 'I am. (read)']);
  });

  it('uploads by the cookie alone, in pieces, and gets the file back', async () => {
    const { page } = await opened('mia');
    const file = { name: 'Übung.txt', mimeType: 'text/plain', buffer: Buffer.from('ten bytes!') };
    await page.locator('#file').setInputFiles(file);
    expect((await reported(page, 'upload')).upload).toEqual({
      status: 200,
      filename: 'Übung.txt',
      url: expect.stringMatching(/^\/user_uploads\/1\//),
      stored: 'ten bytes!',
    });
  });

  it('shows the refusal of a file that is too large', async () => {
    const open = await opened('mia');
    const { page } = open;
    await page.evaluate(
      `fetch('/api/v1/tus/', { method: 'POST', headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '99999999999' } })
        .then((answer) => answer.json()).then(({ message }) => { document.title = message; })`,
    );
    await page.waitForFunction(`document.title.startsWith('File is larger')`);
    expect(await page.title()).toMatch(/maximum upload size/);
    open.forgive(/413/);
  });

  it('fetches the state itself where the page has none', async () => {
    const { page } = await opened('mia', '/?state_data=deferred');
    expect(await reported(page, 'me')).toMatchObject({ me: 'Mia Member', queue: 'string', level: 497 });
  });

  it('shows one conversation in a window of its own', async () => {
    const { page } = await opened('mia', '/?stream=kitchen&topic=lunch');
    expect((await reported(page, 'me')).narrow).toEqual([
      { operator: 'stream', operand: 'kitchen' },
      { operator: 'topic', operand: 'lunch' },
    ]);
  });

  it('signs out by its form, and is seen no more', async () => {
    const open = await opened('mia');
    const { page } = open;
    await page.evaluate(`document.querySelector('#logout_form').submit()`);
    await page.waitForURL(/\/login\//);
    await page.goto('/');
    expect(new URL(page.url()).pathname).toBe('/login/');
    // The poll that waited ended with the session.
    open.forgive(/401 .*\/json\/events/);
  });

  it('is framed by nobody', async () => {
    const open = await opened('mia');
    await open.page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.addEventListener('load', resolve);
      frame.src = '/';
      document.body.append(frame);
    })`);
    const frame = open.page.frames().find((each) => each !== open.page.mainFrame());
    expect(await frame?.locator('#report').count()).toBe(0);
    open.forgive(/frame/i);
  });
});
