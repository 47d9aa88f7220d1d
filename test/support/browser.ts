import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { PASSWORD, type Member } from './cast';
import { freePort } from './free-port';
import { TestApp, type TestAppOptions } from './test-app';

/** The browser of this machine, if it has one that tests can drive. */
const program = [process.env['PARLEY_TEST_BROWSER'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);

/** The same without what stands around its pages, which takes a third less time; it has no notifications. */
const PAGES_ALONE = '/usr/bin/chromium-headless-shell';
const quickProgram = !process.env['PARLEY_TEST_BROWSER'] && existsSync(PAGES_ALONE) ? PAGES_ALONE : program;

/** A group of tests in a browser. Where there is none, they are skipped and the list of tests says so, but not by CI. */
export function describeInBrowser(title: string, tests: () => void): void {
  const isSkipped = !program && process.env['CI'] !== 'true';
  if (isSkipped) test.todo(`${title}: no browser is installed here`);
  (isSkipped ? describe.skip : describe)(title, tests);
}

/** Starting a browser, and looking through a page for what hinders people, take their time beside other tests. */
export const BROWSER_TIMEOUT_MS = 300_000;

/** How long a page may take for one thing, on a machine that is busy with other tests. */
const PATIENCE_MS = 90_000;

const axe = () => readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A page that somebody has open, and everything about it that should not be. */
export class OpenPage {
  private readonly complaints: string[] = [];

  constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        const complaint = `console: ${message.text()} ${message.location().url}`;
        // What is being written is told and saved, whether or not the session has ended.
        if (/status of 401.*\/json\/(typing|messages|drafts)/.test(complaint)) return;
        this.complaints.push(complaint);
      }
    });
    page.on('dialog', (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** Forgets complaints that a test has caused, such as those about requests that were refused. */
  forgive(pattern: RegExp): void {
    this.complaints.splice(0, Infinity, ...this.complaints.filter((each) => !pattern.test(each)));
  }

  /** Asserts that the page ran without an error, and that the policy had nothing to stop. */
  expectClean(): void {
    expect(this.complaints).toEqual([]);
  }

  /**
   * Asserts that nothing on the page hinders people, as far as a machine sees: WCAG 2.2 A and AA and what is good
   * practice beside it.
   * @param without selects what is left out, where there is very much of it and another test looks at it
   */
  async expectAccessible(without?: string): Promise<void> {
    // Not as an element of the page, whose policy lets none in.
    const session = await this.page.context().newCDPSession(this.page);
    const options = { resultTypes: ['violations'] };
    const context = without === undefined ? 'document' : JSON.stringify({ exclude: [without] });
    // Colours that are on their way to others tell nothing.
    await this.page.evaluate(`Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))`);
    const expression = `${axe()}; axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', '))))`;
    const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
    await session.detach();
    expect(JSON.parse(String(result.value))).toEqual([]);
  }
}

interface BrowserRunOptions extends TestAppOptions {
  readonly hasName?: boolean;
}

/** A server that listens, with a browser to look at it. */
export class BrowserRun {
  private readonly pages: OpenPage[] = [];

  private constructor(
    private current: TestApp,
    readonly site: string,
    private readonly browser: Browser,
  ) {}

  /**
   * @param options `hasName`: reached as `localhost`, for what browsers do on no address
   * @param what of the browser the pages need
   */
  static async start(
    { hasName = false, ...options }: BrowserRunOptions = {},
    what: 'pages' | 'notifications' = 'pages',
  ): Promise<BrowserRun> {
    const chosen = hasName ? await freePort() : '0';
    const env = { ...(hasName && { EXTERNAL_URL: `http://localhost:${chosen}` }), ...options.env };
    const app = await TestApp.start({ ...options, env });
    await app.nest.listen(Number(chosen), '127.0.0.1');
    const { port } = app.nest.getHttpServer().address() as AddressInfo;
    const browser = await chromium.launch({
      timeout: PATIENCE_MS,
      executablePath: what === 'pages' ? quickProgram : program,
      // The sandbox of Chromium refuses to work for root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    return new BrowserRun(app, `http://${hasName ? 'localhost' : '127.0.0.1'}:${port}`, browser);
  }

  /** The server, as it was started last. */
  get app(): TestApp {
    return this.current;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.app.stop();
  }

  /** Stops the server and starts it again at its address, on the same data. */
  async restart(): Promise<void> {
    this.current = await this.app.restarted();
    await this.app.nest.listen(Number(new URL(this.site).port), '127.0.0.1');
  }

  /** A window of somebody's own, with no session. */
  async visitor(options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await this.browser.newContext({ baseURL: this.site, locale: 'en', ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = new OpenPage(await context.newPage());
    this.pages.push(page);
    return page;
  }

  /** A window in which somebody has signed in, by the form, on the page that they wanted. */
  async signedIn(member: Member, path = '/console', options: BrowserContextOptions = {}): Promise<OpenPage> {
    const open = await this.visitor(options);
    await open.page.goto(path);
    await signIn(open.page, member);
    await open.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    return open;
  }

  /** Asserts that nothing was wrong on any page since the last time, and closes them. */
  async closeAll(): Promise<void> {
    const pages = this.pages.splice(0);
    for (const { page } of pages) await page.context().close();
    for (const open of pages) open.expectClean();
  }
}

/** Fills in the form with which people sign in. */
export async function signIn(
  page: Page,
  { email }: Pick<Member, 'email'>,
  password = PASSWORD,
): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Waits until a text is in a field. */
export async function holds(field: Locator, text: string): Promise<void> {
  while (!(await field.inputValue()).includes(text)) await pause(20);
}

/** Waits until nothing is in a field. */
export async function becomesEmpty(field: Locator): Promise<void> {
  while ((await field.inputValue()) !== '') await pause(20);
}
