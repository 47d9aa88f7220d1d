import { createHash } from 'node:crypto';
import type { OpenApiDocument, Operation } from './openapi';
import { markup, Html, prose } from '../../../platform/pages/html';
import { operationHtml } from './operation-html';
import { anchorOf, keysOf, kindOf } from './schema-html';
import { STYLE } from './style';

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Where the script of the page is. */
const SCRIPT_PATH = '/api/docs.js';

/**
 * The page runs only this server's script, which cannot build HTML from text or call other hosts; its one style sheet
 * is hashed here.
 */
export const PAGE_POLICY =
  `default-src 'none'; style-src 'sha256-${styleHash}'; script-src 'self'; connect-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The description as one page. All of it is there without its script, which finds operations and tries them. */
export function renderPage(document: OpenApiDocument): string {
  const { info, tags, components } = document;
  const places = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Place => ({ method, path, operation })),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    places: places.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const introduction = String(info.description).split('\n\n');
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${String(info.title)}: interfaces</title>
        ${new Html(`<style>${STYLE}</style>`)}
        <script src="${SCRIPT_PATH}" defer></script>
      </head>
      <body>
        <div class="page">
          <nav aria-label="Operations">
            ${groups.map(navigation)}
            <p><a href="#schemas">Records and events</a></p>
          </nav>
          <main>
            <h1>${String(info.title)}</h1>
            ${introduction.map((paragraph) => markup`<p>${prose(paragraph)}</p>`)}
            <p>The same for programs: <a href="/api/docs-json">OpenAPI document</a>.</p>
            <p>
              In the examples, <code>$SITE</code> is the address of the server, as in your browser, and
              <code>$EMAIL</code>, <code>$KEY</code> and <code>$TOKEN</code> are your own.
            </p>
            <div id="try"></div>
            ${groups.map((group) => section(document, group))}
            <h2 id="schemas">Records and events</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                markup`<article id="${anchorOf(name)}">
                  <h3><a href="#${anchorOf(name)}">${name}</a></h3>
                  <p>${prose(schema.description ?? '')} <span class="kind">${kindOf(schema)}</span></p>
                  ${keysOf(schema)}
                </article> `,
            )}
          </main>
        </div>
      </body>
    </html> `.text;
}

interface Group {
  readonly name: string;
  readonly description?: string;
  readonly places: readonly Place[];
}

function navigation({ name, places }: Group): Html {
  const items = places.map(
    ({ method, path, operation }) =>
      markup`<li>
        <a href="#${operation.operationId}"
          ><b class="${method}">${method.toUpperCase()}</b>${path.replace('/api/v1', '')}</a
        >
      </li>`,
  );
  return markup`<details>
    <summary>${titleOf(name)}</summary>
    <ul>
      ${items}
    </ul>
  </details> `;
}

function section(document: OpenApiDocument, { name, description = '', places }: Group): Html {
  return markup`<h2 id="${name}">${titleOf(name)}</h2>
    <p>${prose(description)}</p>
    ${places.map(({ method, path, operation }) => operationHtml(document, method, path, operation))}`;
}

/** `user-groups` is `User groups`. */
function titleOf(tag: string): string {
  return (tag[0]!.toUpperCase() + tag.slice(1).replaceAll('-', ' ')).replace(/^Api\b/, 'API');
}
