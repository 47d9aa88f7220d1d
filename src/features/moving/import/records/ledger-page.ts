import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { htmlTag, Html, markup } from '../../../../platform/pages/web-page';
import type { ImportOutcome, LedgerLine } from './ledger';

/** Maximum number of groups, against malicious archives. Further ones are counted together. */
const MOST_GROUPS = 200;

/** Maximum number of objects listed per group, so that browsers stay fast; the ledger has all of them. */
const MOST_NAMED = 100;

/** Maximum number of characters shown of an ID or reason. */
const MOST_CHARACTERS = 300;

/** One line of the summary. */
export interface LedgerSum {
  readonly fate: ImportOutcome;
  readonly what: string;
  readonly reason: string;
  readonly count: number;
}

interface Group extends LedgerSum {
  count: number;
  readonly named: Pick<LedgerLine, 'id' | 'reason'>[];
}

const STYLE = `
:root{color-scheme:light dark}
body{max-width:60rem;margin:0 auto;padding:1.5rem 1rem;font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.5rem}h2{margin:2rem 0 .5rem;font-size:1.1rem}
table{border-collapse:collapse}
th,td{padding:.15rem 0;padding-inline-end:1rem;text-align:start;vertical-align:top;overflow-wrap:anywhere}
td.count{text-align:end;font-variant-numeric:tabular-nums}
`;

/** The page loads no resources and runs no scripts. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Writes the ledger as a page for browsers next to it, grouped by outcome and reason, largest groups first.
 * @returns the groups
 */
export async function writeLedgerPage(path: string): Promise<LedgerSum[]> {
  const { groups, total } = await groupsOf(path);
  groups.sort((one, other) => other.count - one.count);
  const page = path.replace(/\.jsonl$/, '.html');
  await fs.writeFile(page, pageOf(basename(path), groups, total), { mode: 0o600 });
  return groups.map(({ fate, what, reason, count }) => ({ fate, what, reason, count }));
}

async function groupsOf(path: string): Promise<{ groups: Group[]; total: number }> {
  const groups = new Map<string, Group>();
  let total = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const { fate, what, id, reason } = JSON.parse(line) as LedgerLine;
    total++;
    const general = reason.replace(/\(.*\)|".*"/g, '…');
    const key = JSON.stringify([fate, what, general]);
    let group = groups.get(key);
    if (!group) {
      if (groups.size >= MOST_GROUPS) continue;
      groups.set(key, (group = { fate, what, reason: general, count: 0, named: [] }));
    }
    group.count++;
    if (group.named.length < MOST_NAMED) group.named.push({ id, reason });
  }
  return { groups: [...groups.values()], total };
}

function pageOf(list: string, groups: readonly Group[], total: number): string {
  const others = total - groups.reduce((sum, { count }) => sum + count, 0);
  return markup`<!doctype html>${htmlTag('en')}<head><meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
    <meta name="viewport" content="width=device-width,initial-scale=1" />
    <title>Import ledger</title>${new Html(`<style>${STYLE}</style>`)}</head><body>
    <h1>Import ledger</h1>
    <p>${total === 0 ? 'Everything was imported as it was.' : markup`What was not imported as it was: ${total} in all. ${list} lists each.`}</p>
    <table>
    <tr><th>Number</th><th>Outcome</th><th>Table</th><th>Reason</th></tr>
    ${groups.map(overviewRow)}
    ${others === 0 ? '' : markup`<tr><td class="count">${others}</td><td></td><td></td><td>Other reasons</td></tr>`}
    </table>
    ${groups.map((group, at) => section(group, at, list))}
    </body></html>\n`.text;
}

function overviewRow({ fate, what, reason, count }: Group, at: number): Html {
  return markup`<tr><td class="count">${count}</td><td>${fate}</td><td>${what}</td>
    <td><a href="#group-${at}">${shown(reason)}</a></td></tr>\n`;
}

function section({ fate, what, reason, count, named }: Group, at: number, list: string): Html {
  const left = count - named.length;
  return markup`<h2 id="group-${at}">${what}, ${fate}: ${shown(reason)}</h2>
    <table>${named.map((each) => markup`<tr><td>${shown(String(each.id ?? ''))}</td><td>${each.reason === reason ? '' : shown(each.reason)}</td></tr>\n`)}</table>
    ${left === 0 ? '' : markup`<p>and ${left} more in ${list}</p>`}`;
}

/** Text from an archive may have any length, and either direction. */
function shown(text: string): Html {
  const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return markup`<bdi>${cut.toWellFormed()}</bdi>`;
}
