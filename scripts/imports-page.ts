import imports from './import-table.json';

function table(heading: string, rows: Readonly<Record<string, readonly string[]>>): string {
  const lines = Object.entries(rows).map(
    ([name, allowed]) => `| ${name} | ${allowed.join(', ') || 'none'} |`,
  );
  return [`| ${heading} | may import |`, '| --- | --- |', ...lines].join('\n');
}

/** The page about imports: the same table that `npm run check` holds the code to. */
export function importsPage(): string {
  return [
    '# Who may import whom',
    '<!-- Generated from scripts/import-table.json by npm run docs. -->',
    'Features import the platform, and other features along this table only; the parts of the platform stand on each\n' +
      'other in one direction. `npm run check` fails otherwise.',
    '## Features',
    table('feature', imports.features),
    'Of another feature, only what its `index.ts` offers can be imported: see [features.md](features.md).',
    '## Platform',
    table('part', imports.platform),
  ]
    .join('\n\n')
    .concat('\n');
}
