import { markup } from '../../../platform/pages/html';
import { SAYS_ITS_SITE } from '../../../platform/pages/web-page';
import type { ConsoleEntries } from './console-assets.service';

/**
 * What the page may do: load its own script, style and pictures, and call this server. Text becomes HTML in one place of
 * the script only, which the policy of trusted types names. No other page may frame it or get hold of its window.
 */
export const SHELL_HEADERS = {
  ...SAYS_ITS_SITE,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types parley-rendered',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // It holds the token of a session.
  'cache-control': 'no-store',
} as const;

/** The page that loads the console. All of its addresses have the same one; the script shows what each stands for. */
export function renderShell(entries: ConsoleEntries, csrfToken: string): string {
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,interactive-widget=resizes-content" />
        <meta name="robots" content="noindex" />
        <meta name="csrf-token" content="${csrfToken}" />
        <title>Parley</title>
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <link rel="stylesheet" href="${entries.style}" />
        ${entries.start.map((part) => markup`<link rel="modulepreload" href="${part}" />`)}
        <script type="module" src="${entries.script}"></script>
      </head>
      <body>
        <noscript>This page needs JavaScript.</noscript>
      </body>
    </html> `.text;
}

/** The sign that browsers show beside the name of the page. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3558c8"/>' +
  '<path d="M8 9h16v11H15l-5 4v-4H8z" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round"/></svg>';
