import imports from './import-table.json';

function table(heading: string, rows: Readonly<Record<string, readonly string[]>>): string {
  const lines = Object.entries(rows).map(
    ([name, allowed]) => `| ${name} | ${allowed.join(', ') || 'none'} |`,
  );
  return [`| ${heading} | may import |`, '| --- | --- |', ...lines].join('\n');
}

/** The page about imports: the same table that `npm run check` holds the code to. */
export function importsPage(): string {
  const doors = imports.doors.map((door) => `\`*.${door}.ts\``);
  const files = imports.vocabulary.map((file) => `\`${file}\``);
  return [
    '# Who may import whom',
    '<!-- Generated from scripts/import-table.json by npm run docs. -->',
    'Features import the platform, and other features along this table only; the parts of the platform stand on each\n' +
      'other in one direction. `npm run check` fails otherwise.',
    '## Features',
    table('feature', imports.features),
    `Of another feature, only ${doors.join(', ')} can be imported, and these files: ${files.join(', ')}.`,
    '## Platform',
    table('part', imports.platform),
  ]
    .join('\n\n')
    .concat('\n');
}
