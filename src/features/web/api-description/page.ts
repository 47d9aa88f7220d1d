import { createHash } from 'node:crypto';
import type { OpenApiDocument, Operation } from './openapi';
import { operationHtml } from './operation-html';
import { anchorOf, keysOf, kindOf } from './schema-html';
import { Html, markup, prose } from '../../../platform/pages/web-page';

/** The style of the page; small enough to be inline, allowed by its hash. */
const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--dim:#5d6877;--line:#dfe4ea;--paper:#fff;--shade:#f5f7f9;--link:#1f5fbf;
--get:#1a7f4b;--post:#1f5fbf;--patch:#9a6100;--put:#7a3fb0;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e3e8ee;--dim:#97a3b2;--line:#2d3641;--paper:#13181e;--shade:#1b222a;
--link:#7fb2ff;--get:#5fcf95;--post:#7fb2ff;--patch:#e0ae5a;--put:#c79bf2;--delete:#ff8a80}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;color:var(--ink);background:var(--paper);font:1rem/1.5 system-ui,sans-serif}
a{color:var(--link);overflow-wrap:anywhere}nav a,h3 a{text-decoration:none}nav a:hover,h3 a:hover{text-decoration:underline}
code{font:.9em ui-monospace,Consolas,monospace;overflow-wrap:anywhere}
i{color:var(--dim);font-style:normal;font-size:.85rem}
p{margin:.3rem 0}
.page{display:grid;grid-template-columns:18rem minmax(0,52rem);gap:2.5rem;max-width:76rem;margin:0 auto;padding:0 1.25rem}
nav{position:sticky;top:0;max-height:100vh;overflow-y:auto;padding:1.5rem 0;font-size:.9rem;border-right:1px solid var(--line)}
nav summary{cursor:pointer;padding:.2rem 0;font-weight:600}
nav ul{list-style:none;margin:0 0 .5rem;padding:0}
nav li a{display:block;padding:.1rem .5rem .1rem 0;color:var(--ink);overflow-wrap:anywhere}
nav li b{display:inline-block;width:3.7rem;font-size:.7rem}
main{padding:1.5rem 0 6rem}
main.alone{max-width:36rem;margin:0 auto;padding:4rem 1.25rem}
h1{margin:0 0 .5rem;font-size:1.9rem}
h2{margin:3rem 0 .25rem;padding-top:1rem;border-top:2px solid var(--line);font-size:1.4rem}
h3{margin:0;font-size:1rem;font-weight:600}h3 a{color:inherit}
h4{margin:.9rem 0 .2rem;font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--dim)}
h5{margin:.6rem 0 .1rem;font-size:.85rem;color:var(--dim)}
article{margin:1.25rem 0;padding:1rem 1.25rem;background:var(--shade);border:1px solid var(--line);border-radius:.5rem}
article.old h3 code{text-decoration:line-through;color:var(--dim)}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.put{color:var(--put)}.delete{color:var(--delete)}
.status{font-variant-numeric:tabular-nums}.kind{color:var(--dim)}
dl{margin:.2rem 0;border-top:1px solid var(--line)}
dl>div{display:grid;grid-template-columns:minmax(8rem,15rem) minmax(0,1fr);gap:.75rem;padding:.25rem 0;border-bottom:1px solid var(--line)}
dt{overflow-wrap:anywhere}dd{margin:0}dd p{font-size:.92rem}dd dl{margin-top:.3rem}dd dl>div{display:block}dd dl dd{padding-left:1.25rem}
[hidden]{display:none!important}
pre{margin:.4rem 0;padding:.6rem .8rem;max-height:24rem;overflow:auto;background:var(--paper);border:1px solid var(--line);border-radius:.35rem;font-size:.88rem}
details.example{margin-top:.6rem}details.example summary{cursor:pointer;font-size:.85rem;color:var(--dim)}
label{display:block;margin:.5rem 0 .1rem;font-size:.85rem;font-weight:600}
input,select{width:100%;padding:.4rem .5rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--dim);border-radius:.3rem}
input[type=radio]{width:auto}input[type=radio]+label,.who p label{display:inline;font-weight:400;font-size:1rem}
fieldset{margin:1rem 0;padding:.6rem 1rem;border:1px solid var(--line);border-radius:.35rem}legend{padding:0 .4rem;font-weight:600}
button{margin:.7rem 0 0;padding:.35rem .9rem;font:inherit;font-weight:600;color:var(--link);background:var(--paper);border:1px solid var(--link);border-radius:.35rem;cursor:pointer}
:focus-visible{outline:3px solid var(--link);outline-offset:1px}
.found{min-height:1.5em;color:var(--dim)}.outcome{font-weight:600}
@media(max-width:56rem){.page{display:block}nav{position:static;max-height:none;border:0;padding-bottom:0}
dl>div{display:block}dd{padding-left:1rem}article{padding:.8rem .9rem}}
@media print{nav{display:none}.page{display:block}}
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** URL of the page's script. */
const SCRIPT_PATH = '/api/docs.js';

/**
 * The page runs only this server's script, which cannot create HTML from text or contact other hosts; its only style
 * sheet is allowed by hash.
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

/** The description as one page. It is complete without its script, which finds operations and tries them. */
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

/** Converts `user-groups` to `User groups`. */
function titleOf(tag: string): string {
  return (tag[0]!.toUpperCase() + tag.slice(1).replaceAll('-', ' ')).replace(/^Api\b/, 'API');
}
