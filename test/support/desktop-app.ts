import { createDecipheriv } from 'node:crypto';
import type { Answer } from './api-client';
import type { BrowserClient } from './browser-client';

/** User agent of the desktop app. */
export const ELECTRON = {
  'user-agent': 'Mozilla/5.0 (X11; Linux) ZulipElectron/5.12.4 Chrome/140.0 Safari/537.36',
};

/** Decrypts the token on the final page of the person's browser, like the desktop app. @returns the token */
export function tokenIn(page: unknown, key: Buffer): string {
  const [, data = ''] = /name="desktop_data" value="([0-9a-f]+)"/.exec(String(page)) ?? [];
  const bytes = Buffer.from(data, 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  cipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]).toString('ascii');
}

/** Continues with the token like the page of the app, which puts it into a cookie. */
export function takeOver(browser: BrowserClient, token: string): Promise<Answer> {
  browser.cookies.set('parley_desktop', token);
  return follow(browser, token);
}

/** Opens the link with the token. */
export function follow(browser: BrowserClient, token: string): Promise<Answer> {
  return browser.send({ url: `/accounts/login/subdomain/${token}`, headers: ELECTRON });
}
