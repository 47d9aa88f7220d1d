import { createHash } from 'node:crypto';
import MarkdownIt from 'markdown-it';
import { ApiError } from '../errors/api-error';
import { directionOf, type PageLanguage } from './languages';

const markdown = new MarkdownIt({ html: false });

/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/** Builds HTML. Escapes every value that is not {@link Html}. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]!) : ''));
  return new Html(texts.join(''));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return markdown.utils.escapeHtml(String(part));
}

/** Renders inline Markdown, such as `code` and emphasis. */
export function prose(text: string): Html {
  return new Html(markdown.renderInline(text));
}

/** Empty markup, for an omitted part of a page. */
export const NOTHING = new Html('');

/** A page in a given language: a form, or its outcome. */
export type Page = (language: PageLanguage) => PageContent;

/** The content of a page in one language. */
export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** URL to which the browser continues automatically. */
  readonly leadsTo?: string;
  /** Runs only if the headers of the page allow it ({@link runsScript}). */
  readonly script?: string | undefined;
}

/** The style of all pages; small enough to be inlined, and allowed by its hash. */
const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--dim:#5d6877;--line:#c3cbd5;--paper:#fff;--act:#3558c8;--link:#3558c8;--no:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e3e8ee;--dim:#97a3b2;--line:#4a5665;--paper:#13181e;--act:#4263d6;--link:#8faaff;--no:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--paper);font:1rem/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:0 auto;padding:4rem 1.25rem}
h1{margin:0 0 1rem;font-size:1.6rem}
a{color:var(--link)}
label{display:block;margin:1rem 0 .2rem;font-weight:600}
input{width:100%;padding:.55rem .6rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.35rem}
input[readonly]{color:var(--dim)}
button{margin:1.5rem 0;padding:.6rem 1.2rem;font:inherit;font-weight:600;color:#fff;background:var(--act);border:0;border-radius:.35rem;cursor:pointer}
a.button{display:block;padding:.6rem 1.2rem;font-weight:600;text-align:center;color:inherit;text-decoration:none;border:1px solid var(--line);border-radius:.35rem}
code{font:.95em ui-monospace,Consolas,monospace;overflow-wrap:anywhere}
fieldset{margin:1.5rem 0 0;padding:.6rem 1rem;border:1px solid var(--line);border-radius:.35rem}
legend{padding:0 .4rem;font-weight:600}
label.choice{margin:.3rem 0;font-weight:400}.choice input{width:auto;margin:0;margin-inline-end:.4rem}
.hint{margin:.2rem 0 0;color:var(--dim);font-size:.9rem}
.no{color:var(--no);font-weight:600}
`;

/** The policy of a page. @param more additional directives */
function policy(more = ''): string {
  return (
    `default-src 'none'; style-src ${hashOf(STYLE)}; ${more}` +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
  );
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * The page loads and runs nothing, submits its form to this server only, and cannot be framed. Its URL may contain a
 * secret, so it sends no referrer and is not cached.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy(),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** For pages whose form must send its origin. With the default policy, browsers omit it. */
export const SAYS_ITS_SITE = { 'referrer-policy': 'same-origin' } as const;

/**
 * The same for pages whose URL contains a secret: browsers send only the origin in `Origin` and `Referer`, never the
 * URL, so that it does not reach a proxy's access log a second time.
 */
export const KEEPS_ITS_ADDRESS = { 'referrer-policy': 'strict-origin' } as const;

/** For pages with a script, which may send requests to this server, but must not change markup. */
export function runsScript(script: string): Readonly<Record<string, string>> {
  const more = `script-src ${hashOf(script)}; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; `;
  return { 'content-security-policy': policy(more) };
}

/** The start of a page, with its language and direction. */
export function htmlTag(language: PageLanguage): Html {
  return markup`<html lang="${language}" dir="${directionOf(language)}">`;
}

/** Renders a page. Pages work without scripts, unless their purpose requires one. */
export function renderWebPage(page: Page, language: PageLanguage): string {
  const { title, body, leadsTo, script } = page(language);
  return markup`<!doctype html>
    ${htmlTag(language)}
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${leadsTo === undefined ? NOTHING : markup`<meta http-equiv="refresh" content="0; url=${leadsTo}" />`}
        <title>${title}</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        ${script === undefined ? NOTHING : new Html(`<script>${script}</script>`)}
      </body>
    </html> `.text;
}

/** An error with its own page instead of a form. */
export class PageRefusal extends ApiError {
  constructor(
    readonly page: Page,
    status: number,
  ) {
    super(page('en').title, { status });
  }
}
