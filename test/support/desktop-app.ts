import { createDecipheriv } from 'node:crypto';
import type { Answer } from './api-client';
import type { BrowserClient } from './browser-client';

/** How the desktop app names itself. */
export const ELECTRON = {
  'user-agent': 'Mozilla/5.0 (X11; Linux) ZulipElectron/5.12.4 Chrome/140.0 Safari/537.36',
};

/** What the desktop app reads from the page that a person's browser shows in the end. @returns the token */
export function tokenIn(page: unknown, key: Buffer): string {
  const [, data = ''] = /name="desktop_data" value="([0-9a-f]+)"/.exec(String(page)) ?? [];
  const bytes = Buffer.from(data, 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  cipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]).toString('ascii');
}

/** Goes on with the token, as the page of the app does, which puts it into a cookie. */
export function takeOver(browser: BrowserClient, token: string): Promise<Answer> {
  browser.cookies.set('parley_desktop', token);
  return follow(browser, token);
}

/** As a link does. */
export function follow(browser: BrowserClient, token: string): Promise<Answer> {
  return browser.send({ url: `/accounts/login/subdomain/${token}`, headers: ELECTRON });
}
