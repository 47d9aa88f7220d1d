/**
 * Builds src/platform/emoji/emoji-table.json. Run it with `node --no-warnings scripts/build-emoji-table.mjs`.
 *
 * Codes and fallback names come from the `emoji-datasource` package; `scripts/emoji-names.json` holds the names that
 * the chat interface uses where they differ from the package (code -> names, the canonical one first), and names for
 * emoji whose packaged names are all taken.
 *
 * A row of the table is `[code, canonical name, ...aliases]`; every name belongs to exactly one code.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packaged from 'emoji-datasource/emoji.json' with { type: 'json' };
import { format, resolveConfig } from 'prettier';

const namesFile = new URL('./emoji-names.json', import.meta.url);
const tableFile = fileURLToPath(new URL('../src/platform/emoji/emoji-table.json', import.meta.url));

const ownNames = new Map(Object.entries(JSON.parse(readFileSync(namesFile, 'utf8'))));
const emoji = packaged.filter(({ short_name }) => !short_name.startsWith('skin-tone-'));
const taken = new Set([...ownNames.values()].flat());

const rows = emoji.map((entry) => {
  const code = codeOf(entry);
  return [code, ...(ownNames.get(code) ?? claim(fallbackNames(entry)))];
});

const unknownCodes = [...ownNames.keys()].filter((code) => !rows.some(([known]) => known === code));
const nameless = rows.filter((row) => row.length < 2).map(([code]) => code);
if (unknownCodes.length > 0 || nameless.length > 0) {
  throw new Error(`Codes not in the package: ${unknownCodes}; codes left without a name: ${nameless}`);
}

rows.sort(([left], [right]) => (left < right ? -1 : 1));
writeFileSync(
  tableFile,
  await format(JSON.stringify(rows), { ...(await resolveConfig(tableFile)), filepath: tableFile }),
);
process.stdout.write(`${rows.length} emoji, ${rows.flat().length - rows.length} names\n`);

/** Lower-case code points joined by '-', without the variation selector. */
function codeOf({ unified }) {
  return unified.toLowerCase().replaceAll('-fe0f', '');
}

/** The package's names with underscores first, then as they are; flags also by the name of the country. */
function fallbackNames({ short_names, name, category }) {
  const words =
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const isFlag = category === 'Flags' && words.at(-1) === 'flag';
  const country = isFlag ? [`flag_${words.slice(0, -1).join('_')}`] : [];
  return [...short_names.map((each) => each.replaceAll('-', '_')), ...short_names, ...country];
}

/** Those of the names that nobody has yet; they are taken from now on. */
function claim(names) {
  const free = [...new Set(names)].filter((name) => !taken.has(name));
  free.forEach((name) => taken.add(name));
  return free;
}
