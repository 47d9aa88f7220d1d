import type { ConsoleEntries, ConsoleIcons } from './console-assets.service';
import { directionOf, inEach, type PageLanguage } from '../../../platform/pages/languages';
import { markup, SAYS_ITS_SITE } from '../../../platform/pages/web-page';
import * as de from './words.de';
import * as en from './words';

const wordsIn = inEach<typeof en>({ en, de });

/**
 * What the page may do: load its own script, style and images, register its own worker, and call this server. Text
 * becomes HTML in only one place in the script, which the trusted types policy names. No other page may frame it or
 * access its window.
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
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types parley-rendered parley-worker',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // Contains the session's token.
  'cache-control': 'no-store',
} as const;

/** URL of the console's manifest. */
const MANIFEST_PATH = '/console/manifest.webmanifest';

/** Data for the page's script that the API does not return. */
interface ShellFacts {
  readonly csrfToken: string;
  /** Whether incoming mail to channels works. */
  readonly receivesMail: boolean;
}

/** The page that loads the console. It is the same for all URLs; the script shows what each refers to. */
export function renderShell(
  entries: ConsoleEntries,
  { csrfToken, receivesMail }: ShellFacts,
  language: PageLanguage,
): string {
  return markup`<!doctype html>
    <html lang="${entries.language}" dir="${directionOf(entries.language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content" />
        <meta name="robots" content="noindex" />
        <meta name="csrf-token" content="${csrfToken}" />
        ${receivesMail ? markup`<meta name="incoming-mail" content="on" />` : ''}
        <title>Parley</title>
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="${entries.icons.touch}" />
        <link rel="manifest" href="${MANIFEST_PATH}" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f5f7fb" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#10141b" />
        <link rel="stylesheet" href="${entries.style}" />
        <script type="module" src="${entries.script}"></script>
      </head>
      <body>
        <noscript>${wordsIn(language).needsScript}</noscript>
      </body>
    </html> `.text;
}

/** The manifest with which systems install the console as an app (Web App Manifest). */
export function manifestOf(organizationName: string, icons: ConsoleIcons): string {
  const icon = (src: string, size: number, purpose: 'any' | 'maskable') => ({
    src,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return JSON.stringify({
    id: '/console',
    name: organizationName,
    short_name: organizationName,
    start_url: '/console',
    // Includes the sign-in page.
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#3558c8',
    icons: [
      icon(icons.small, 192, 'any'),
      icon(icons.large, 512, 'any'),
      icon(icons.maskable, 512, 'maskable'),
    ],
  });
}

const BUBBLE = (color: string) =>
  `<path d="M8 9h16v11H15l-5 4v-4H8z" fill="none" stroke="${color}" stroke-width="2.5" stroke-linejoin="round"/>`;

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`;

/** The favicon. */
export const ICON = svg(`<rect width="32" height="32" rx="8" fill="#3558c8"/>${BUBBLE('#fff')}`);

/** The icon without rounded corners, for systems that crop icons to their own shape. */
export const FULL_ICON = svg(`<rect width="32" height="32" fill="#3558c8"/>${BUBBLE('#fff')}`);

/** Only the outline, for the status bar of phones, which use just its shape. */
export const BADGE = svg(BUBBLE('#fff'));
