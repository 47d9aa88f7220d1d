import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as ts from 'typescript';
import imports from './import-table.json';

const features = join(__dirname, '..', 'src', 'features');

/** Something that a feature offers to others. */
interface Offer {
  readonly name: string;
  /** The first sentence of its docstring; empty where it has none. */
  readonly about: string;
  readonly isType: boolean;
}

/** Exports of an `index.ts` below one comment; the first ones may have none. */
interface Group {
  readonly title: string;
  readonly offers: Offer[];
}

/** A hook or port, with the features that act on it. */
interface Moment {
  readonly name: string;
  readonly kind: 'hook' | 'port';
  readonly feature: string;
  readonly about: string;
  readonly answeredBy: readonly string[];
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The first sentence of a docstring, in one line, without links. */
function summary(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = (ts.getTextOfJSDocComment(doc?.comment) ?? '').replaceAll(/\{@link (\w+)\}/g, '$1');
  const [sentence = ''] = /^.*?(?:\.(?=\s|$)|$)/s.exec(text.trim()) ?? [];
  return sentence.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

/** What a file declares, by name. */
function declarations(path: string): Map<string, string> {
  const found = new Map<string, string>();
  if (!existsSync(path)) return found;
  for (const statement of parse(path).statements) {
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name)
      : [(statement as { name?: ts.Node }).name];
    for (const name of names) if (name && ts.isIdentifier(name)) found.set(name.text, summary(statement));
  }
  return found;
}

/** What an `index.ts` exports, in its order. */
function offersOf(feature: string): Group[] {
  const path = join(features, feature, 'index.ts');
  const source = parse(path);
  const groups: Group[] = [{ title: '', offers: [] }];
  source.statements.forEach((statement, position) => {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return;
    const comments = ts.getLeadingCommentRanges(source.text, statement.pos) ?? [];
    // The comment of the whole file stands before its first export.
    const own = position === 0 ? comments.slice(1) : comments;
    const title = own.map(({ pos, end }) => source.text.slice(pos, end)).at(-1);
    if (title !== undefined)
      groups.push({ title: title.replaceAll(/^\/\*+|^\/\/|\*\/$|^ *\*/gm, '').trim(), offers: [] });
    const target = join(dirname(path), (statement.moduleSpecifier as ts.StringLiteral).text);
    const declared = declarations(`${target}.ts`);
    const clause = statement.exportClause;
    const named = clause && ts.isNamedExports(clause) ? [...clause.elements] : [];
    for (const { name, isTypeOnly } of named) {
      const isType = statement.isTypeOnly || isTypeOnly;
      groups.at(-1)?.offers.push({ name: name.text, about: declared.get(name.text) ?? '', isType });
    }
  });
  return groups.map(({ title, offers }) => ({ title, offers: offers.filter(isWorthALine) }));
}

/** Modules are for wiring; types without a docstring are understood where they are used. */
function isWorthALine({ name, about, isType }: Offer): boolean {
  return !name.endsWith('Module') && !(isType && about === '');
}

/** Every hook and port, and the features that listen to it or provide it. */
function moments(): Moment[] {
  const texts = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?<!\.spec)\.ts$/.test(path))
    .sort()
    .map((path) => ({
      path,
      feature: path.split('/')[0] ?? '',
      text: readFileSync(join(features, path), 'utf8'),
    }));
  return texts.flatMap(({ path, feature, text }) => {
    const declared = path.endsWith('.hooks.ts')
      ? declarations(join(features, path))
      : new Map<string, string>();
    return [...text.matchAll(/export const (\w+)\s*=\s*define(Hook|Port)\b/g)].map(([, name = '', kind]) => {
      const isAnswered = new RegExp(`\\.(on|provide)\\(\\s*${name}\\b`);
      const answering = texts.filter((each) => isAnswered.test(each.text)).map((each) => each.feature);
      return {
        name,
        kind: kind === 'Port' ? ('port' as const) : ('hook' as const),
        feature,
        about: declared.get(name) ?? '',
        answeredBy: [...new Set(answering)],
      };
    });
  });
}

function sectionOf(feature: string): string[] {
  const groups = offersOf(feature).filter(({ offers }) => offers.length > 0);
  if (groups.length === 0) return [];
  return [
    `## ${feature}`,
    ...groups.flatMap(({ title, offers }) => [
      ...(title === '' ? [] : [title]),
      offers.map(({ name, about }) => `- \`${name}\`${about === '' ? '' : `: ${about}`}`).join('\n'),
    ]),
  ];
}

/** The page about what features offer each other: what each `index.ts` exports, in the words of the docstrings. */
export function featuresPage(): string {
  const rows = moments().map(
    ({ name, kind, feature, about, answeredBy }) =>
      `| \`${name}\` | ${kind} | ${feature} | ${answeredBy.join(', ') || 'nobody'} | ${about} |`,
  );
  return [
    '# What features offer each other',
    '<!-- Generated from the index.ts and .hooks.ts files of src/features by npm run docs. -->',
    'Of another feature, only this can be imported, along the [table of imports](../ARCHITECTURE.md).',
    ...Object.keys(imports.features).flatMap(sectionOf),
    '## Hooks and ports',
    'A lower feature declares them; higher ones listen to a hook, and one of them provides a port. A program that leaves a\n' +
      'feature out runs on: a hook without listeners does nothing, and who asks for a port that nobody provides gets null and\n' +
      'says what is so without it.',
    [
      '| name | kind | declared by | listened to or provided by | when, or what for |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}
