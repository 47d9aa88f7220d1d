import type { Answer, Parameters } from './api-client';
import { FROM_OWN_PAGE } from './browser-client';
import type { TestApp } from './test-app';

/** A page as received by a browser. */
export interface Page {
  readonly status: number;
  readonly headers: Answer['headers'];
  readonly html: string;
}

/** Opens a page of the server by its link, without an account. */
export async function openPage(app: TestApp, link: string): Promise<Page> {
  return pageOf(await app.client().send({ method: 'GET', url: pathOf(link) }));
}

/** Submits the form of a page. */
export async function sendForm(app: TestApp, link: string, fields: Parameters): Promise<Page> {
  const payload = new URLSearchParams(fields as Record<string, string>).toString();
  const headers = { ...FROM_OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' };
  return pageOf(await app.client().send({ method: 'POST', url: pathOf(link), headers, payload }));
}

function pageOf({ status, headers, body }: Answer): Page {
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': expect.stringMatching(/^(no-referrer|strict-origin)$/),
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    ),
  });
  return { status, headers, html: String(body) };
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link, 'http://chat.example.com');
  return pathname + search;
}
