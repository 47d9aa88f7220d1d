import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { PASSWORD, type Member } from './cast';
import { freePort } from './free-port';
import { TestApp, type TestAppOptions } from './test-app';

/** The browser installed on this machine, if tests can drive one. */
const program = [process.env['PARLEY_TEST_BROWSER'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);

/** The same without the browser's own user interface, which takes a third less time; it has no notifications. */
const PAGES_ALONE = '/usr/bin/chromium-headless-shell';
const quickProgram = !process.env['PARLEY_TEST_BROWSER'] && existsSync(PAGES_ALONE) ? PAGES_ALONE : program;

/** A group of browser tests. Without a browser they are reported as skipped, except in CI. */
export function describeInBrowser(title: string, tests: () => void): void {
  const isSkipped = !program && process.env['CI'] !== 'true';
  if (isSkipped) test.todo(`${title}: no browser is installed here`);
  (isSkipped ? describe.skip : describe)(title, tests);
}

/** Starting a browser and checking accessibility take time beside other tests. */
export const BROWSER_TIMEOUT_MS = 300_000;

/** The window of a phone. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The title of a page. */
export const pageTitle = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

/** Maximum time for one action on a page, on a machine that is busy with other tests. */
const PATIENCE_MS = 90_000;

const axe = () => readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** An open page, with a record of everything that should not happen on it. */
export class OpenPage {
  private readonly complaints: string[] = [];

  constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        const complaint = `console: ${message.text()} ${message.location().url}`;
        // Drafts and typing notifications are sent whether or not the session has ended.
        if (/status of 401.*\/json\/(typing|messages|drafts)/.test(complaint)) return;
        this.complaints.push(complaint);
      }
    });
    page.on('dialog', (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** Removes complaints caused by a test, such as those about refused requests. */
  forgive(pattern: RegExp): void {
    this.complaints.splice(0, Infinity, ...this.complaints.filter((each) => !pattern.test(each)));
  }

  /** Asserts that the page ran without errors or violations of the policy. */
  expectClean(): void {
    expect(this.complaints).toEqual([]);
  }

  /**
   * Asserts that the page has no accessibility problem that a machine can find: WCAG 2.2 A and AA, and best practices.
   * @param without selects excluded elements, if they are numerous and another test checks them
   */
  async expectAccessible(without?: string): Promise<void> {
    // Not as an element of the page, whose policy forbids that.
    const session = await this.page.context().newCDPSession(this.page);
    const options = { resultTypes: ['violations'] };
    const context = without === undefined ? 'document' : JSON.stringify({ exclude: [without] });
    // Colors in transition are meaningless.
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

/** A listening server, with a browser to view it. */
export class BrowserRun {
  private readonly pages: OpenPage[] = [];

  private constructor(
    private current: TestApp,
    readonly site: string,
    private readonly browser: Browser,
  ) {}

  /**
   * @param options `hasName`: reached as `localhost`, for features that browsers disable for IP addresses
   * @param what features of the browser the pages need
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

  /** The most recently started server. */
  get app(): TestApp {
    return this.current;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.app.stop();
  }

  /** Restarts the server at the same address, on the same data. */
  async restart(): Promise<void> {
    this.current = await this.app.restarted();
    await this.app.nest.listen(Number(new URL(this.site).port), '127.0.0.1');
  }

  /** A separate window without a session. */
  async visitor(options: BrowserContextOptions = {}): Promise<OpenPage> {
    const context = await this.browser.newContext({ baseURL: this.site, locale: 'en', ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = new OpenPage(await context.newPage());
    this.pages.push(page);
    return page;
  }

  /** A window in which the person has signed in with the form and reached the requested page. */
  async signedIn(member: Member, path = '/console', options: BrowserContextOptions = {}): Promise<OpenPage> {
    const open = await this.visitor(options);
    await open.page.goto(path);
    await signIn(open.page, member);
    await open.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    return open;
  }

  /** Asserts that no page had problems since the last call, and closes all pages. */
  async closeAll(): Promise<void> {
    const pages = this.pages.splice(0);
    for (const { page } of pages) await page.context().close();
    for (const open of pages) open.expectClean();
  }
}

/** Fills in the sign-in form. */
export async function signIn(
  page: Page,
  { email }: Pick<Member, 'email'>,
  password = PASSWORD,
): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens the menu of the signed-in user. */
export async function openOwnMenu(page: Page): Promise<void> {
  await page.locator('.self:visible').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
}

/** Signs out through that menu. */
export async function signOut(page: Page): Promise<void> {
  await openOwnMenu(page);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** Waits until a field contains a text. */
export async function holds(field: Locator, text: string): Promise<void> {
  while (!(await field.inputValue()).includes(text)) await pause(20);
}

/** Waits until a field is empty. */
export async function becomesEmpty(field: Locator): Promise<void> {
  while ((await field.inputValue()) !== '') await pause(20);
}
