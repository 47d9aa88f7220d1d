import type { ConsoleEntries, ConsoleIcons } from './console-assets.service';
import { inEach, type PageLanguage } from '../../../platform/pages/languages';
import { markup, SAYS_ITS_SITE } from '../../../platform/pages/web-page';
import * as de from './words.de';
import * as en from './words';

const wordsIn = inEach<typeof en>({ en, de });

/**
 * What the page may do: load its own script, style and pictures, register its own worker, and call this server. Text becomes HTML in one place of
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
  // It holds the token of a session.
  'cache-control': 'no-store',
} as const;

/** Where the manifest of the console is. */
const MANIFEST_PATH = '/console/manifest.webmanifest';

/** What the page tells its script beside what the API answers. */
interface ShellFacts {
  readonly csrfToken: string;
  /** Whether mail to the addresses of channels arrives. */
  readonly receivesMail: boolean;
}

/** The page that loads the console. All of its addresses have the same one; the script shows what each stands for. */
export function renderShell(
  entries: ConsoleEntries,
  { csrfToken, receivesMail }: ShellFacts,
  language: PageLanguage,
): string {
  return markup`<!doctype html>
    <html lang="${entries.language}">
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

/** What systems need to know to install the console as an app (Web App Manifest). */
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
    // Signing in is part of it.
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

/** The sign that browsers show beside the name of the page. */
export const ICON = svg(`<rect width="32" height="32" rx="8" fill="#3558c8"/>${BUBBLE('#fff')}`);

/** The same to the edges, for systems that cut icons to a form of their own. */
export const FULL_ICON = svg(`<rect width="32" height="32" fill="#3558c8"/>${BUBBLE('#fff')}`);

/** The outline alone, for the status bar of phones, which take nothing but its shape. */
export const BADGE = svg(BUBBLE('#fff'));
