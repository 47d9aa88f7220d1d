import { randomBytes } from 'node:crypto';
import type { WebAppBuild } from './build/read-build';
import { shellNamesWire } from './web-app.api';
import { type Html, markup, NOTHING } from '../../../platform/pages/web-page';

/** The values of a page besides those in the build. */
interface PageValues {
  readonly title: string;
  readonly languageCode: string;
  readonly colorScheme: number;
  readonly csrfField: string;
  readonly csrfToken: string;
  readonly parameters: object;
  readonly translations: Readonly<Record<string, string>>;
  /** The browser's user agent. */
  readonly userAgent: string;
}

const COLOR_SCHEMES: Readonly<Record<number, string>> = { 1: 'color-scheme-automatic', 2: 'dark-theme' };

/** Creates a value that only this page knows, for its own scripts. */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** The URL of a file of the build. */
function addressIn({ names }: Pick<WebAppBuild, 'names'>, path: string): string {
  return `/static/${(names.get(path) ?? path).split('/').map(encodeURIComponent).join('/')}`;
}

/** The page with the blocks of the build's shell inserted. */
export function webAppPage(build: WebAppBuild, values: PageValues, nonce: string): string {
  const block = (name: string) => build.shell.render(name, shellValues(build, values, nonce));
  const address = (path: string) => addressIn(build, path);
  const colors = COLOR_SCHEMES[values.colorScheme];
  return markup`<!doctype html>
<html lang="${values.languageCode}" ${colors === undefined ? NOTHING : markup`class="${colors}"`}>
<head>
<meta charset="utf-8" />
<title>${values.title}</title>
<link id="favicon" rel="icon" href="${address('images/favicon.svg')}" />
<link rel="alternate icon" href="${address('images/favicon.png')}" />
${build.shell.has('meta_viewport') ? block('meta_viewport') : VIEWPORT}
${build.styles.map((path) => markup`<link rel="stylesheet" href="${address(path)}" />\n`)}
${build.scripts.map(
  (path) => markup`<script nonce="${nonce}" src="${address(path)}" defer crossorigin="anonymous"></script>\n`,
)}
${block('customhead')}
</head>
<body>
${block('content')}
<div hidden id="page-params" data-params="${JSON.stringify(values.parameters)}"></div>
</body>
</html>
`.text;
}

const VIEWPORT = markup`<meta name="viewport" content="width=device-width, initial-scale=1" />`;

function shellValues(build: WebAppBuild, values: PageValues, nonce: string) {
  return {
    names: {
      ...shellNamesWire(values),
      csrf_input: csrfInput(values),
      csp_nonce: nonce,
    },
    translate: (text: string) => values.translations[text] ?? text,
    addressOf: (path: string) => addressIn(build, path),
  };
}

function csrfInput({ csrfField, csrfToken }: PageValues): Html {
  return markup`<input type="hidden" name="${csrfField}" value="${csrfToken}" />`;
}

/** Always enforced: no framing, and forms submit only to this server. */
const ENFORCED = "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * What the app is known to need. It was not written for a policy, so violations are only reported in the browser's
 * console.
 */
function reported(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "media-src 'self' https:",
    "frame-src 'none'",
    "worker-src 'none'",
    ENFORCED,
  ].join('; ');
}

/** Headers of the page: it contains the token of a session and personal data, so it must not be cached. */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': ENFORCED,
    'content-security-policy-report-only': reported(nonce),
    'cache-control': 'no-cache, no-store, must-revalidate',
    'referrer-policy': 'same-origin',
  };
}
