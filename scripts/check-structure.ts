import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import * as ts from 'typescript';
import imports from './import-table.json';
import { tableOwners } from './table-owners';

/**
 * Checks structure beyond dependency-cruiser: imports inside a feature run one way, SQL uses only the tables of its
 * feature, no class is declared twice, and comments cite nothing outside this repository. Prints one line per problem
 * and fails if there are any.
 */
const root = join(__dirname, '..');
const allowedImports: Readonly<Record<string, readonly string[]>> = imports.features;
const { exceptions } = imports;

interface Source {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  readonly tree: ts.SourceFile;
  /** Imported files of the program. */
  readonly imported: readonly string[];
}

function readSources(folder: string): Source[] {
  const paths = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.spec)\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const known = new Set(paths);
  return paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const imported = ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => {
      if (!fileName.startsWith('.')) return [];
      const target = join(dirname(path), fileName).split(sep).join('/');
      return [`${target}.ts`, `${target}/index.ts`].filter((candidate) => known.has(candidate));
    });
    return { path, imported, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
  });
}

/**
 * The room of a file: its sub-folder within the feature or part of the platform, or the file itself if it is directly
 * in that folder. Null if it belongs to neither.
 */
function roomOf(path: string): { readonly house: string; readonly room: string } | null {
  const [, house, room] = /^src\/((?:features|platform)\/[^/]+)\/([^/]+)/.exec(path) ?? [];
  return house && room ? { house, room } : null;
}

/** Rooms of one feature, or of one part of the platform, with circular imports. */
function circles(sources: readonly Source[]): string[] {
  const ways = new Map<string, Map<string, string>>();
  for (const { path, imported } of sources) {
    const from = roomOf(path);
    for (const target of imported) {
      const to = roomOf(target);
      if (!from || to?.house !== from.house || to.room === from.room) continue;
      const start = `${from.house}/${from.room}`;
      const known = ways.get(start) ?? new Map<string, string>();
      known.set(`${to.house}/${to.room}`, `${path} imports ${target}`);
      ways.set(start, known);
    }
  }
  const problems: string[] = [];
  const done = new Set<string>();
  const walk = (room: string, trail: readonly string[]): void => {
    const at = trail.indexOf(room);
    if (at >= 0) {
      const circle = [...trail.slice(at), room];
      const steps = circle.slice(1).map((next, step) => `\n  ${ways.get(circle[step] ?? '')?.get(next)}`);
      problems.push(`A circle of rooms: ${circle.join(' -> ')}${steps.join('')}`);
      return;
    }
    if (done.has(room)) return;
    for (const next of ways.get(room)?.keys() ?? []) walk(next, [...trail, room]);
    done.add(room);
  };
  for (const room of ways.keys()) walk(room, []);
  return problems;
}

/** The text of each string and template in a file; inserted values become blanks. */
function textsOf(tree: ts.SourceFile): { readonly text: string; readonly line: number }[] {
  const texts: { text: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    let text: string | undefined;
    if (ts.isStringLiteralLike(node)) text = node.text;
    else if (ts.isTemplateExpression(node)) {
      text = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(' ');
    }
    if (text !== undefined) {
      texts.push({ text, line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1 });
    }
    node.forEachChild(visit);
  };
  visit(tree);
  return texts;
}

const reads = /\b(?:FROM|JOIN)\s+"?([a-z_]+)"?/g;
const writes = /\b(?:INSERT (?:OR \w+ )?INTO|(?<!FOR |DO |KEY )UPDATE|DELETE FROM)\s+"?([a-z_]+)"?/g;

function isException(list: Readonly<Record<string, string>>, feature: string, table: string): boolean {
  return feature in list || `${feature} ${table}` in list;
}

/** SQL of features that reads tables they may not import, or writes tables of others. */
function trespasses(sources: readonly Source[]): string[] {
  const owners = tableOwners(root);
  return sources.flatMap(({ path, tree }) => {
    const feature = /^src\/features\/([^/]+)\//.exec(path)?.[1];
    if (feature === undefined) return [];
    const mayRead = new Set([feature, 'platform', ...(allowedImports[feature] ?? [])]);
    return textsOf(tree).flatMap(({ text, line }) => {
      const tables = (pattern: RegExp) => [
        ...new Set([...text.matchAll(pattern)].map(([, table]) => table ?? '')),
      ];
      const at = `${path}: line ${line}:`;
      const touched = tables(writes);
      const written = touched.filter((table) => {
        const owner = owners.get(table);
        return owner !== undefined && owner !== feature && !isException(exceptions.writes, feature, table);
      });
      const read = tables(reads).filter((table) => {
        const owner = owners.get(table);
        const isFar = owner !== undefined && !mayRead.has(owner) && !touched.includes(table);
        return isFar && !isException(exceptions.reads, feature, table);
      });
      return [
        ...written.map((table) => `${at} writes "${table}", a table of ${owners.get(table)}`),
        ...read.map(
          (table) =>
            `${at} reads "${table}", a table of ${owners.get(table)}, which ${feature} may not import`,
        ),
      ];
    });
  });
}

/** Repositories of other features' tables, which could write to them. */
function foreignRepositories(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, tree }) => {
    const feature = /^src\/features\/([^/]+)\//.exec(path)?.[1];
    if (feature === undefined) return [];
    const foreign = new Map<string, string>();
    for (const statement of tree.statements) {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
      const door = /^(?:\.\.\/)+([a-z-]+)\/\1\.module$/.exec(statement.moduleSpecifier.text)?.[1];
      const bindings = statement.importClause?.namedBindings;
      if (door === undefined || !(door in allowedImports) || !bindings || !ts.isNamedImports(bindings))
        continue;
      for (const { name } of bindings.elements) foreign.set(name.text, door);
    }
    const problems: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        const [entity] = node.arguments;
        const owner = entity && ts.isIdentifier(entity) ? foreign.get(entity.text) : undefined;
        if (node.expression.name.text === 'repository' && owner !== undefined) {
          const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
          problems.push(
            `${path}: line ${line + 1}: a repository of ${entity?.getText(tree)}, a table of ${owner}`,
          );
        }
      }
      node.forEachChild(visit);
    };
    visit(tree);
    return problems;
  });
}

/** Classes and exported types with the same name in one program. */
function twins(sources: readonly Source[]): string[] {
  const places = new Map<string, string>();
  return sources.flatMap(({ path, tree }) =>
    tree.statements.flatMap((statement) => {
      const isClass = ts.isClassDeclaration(statement);
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      if ((!isClass && !isType) || !statement.name) return [];
      const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (!isClass && !isExported) return [];
      const name = statement.name.text;
      const other = places.get(name);
      places.set(name, path);
      return other === undefined || other === path ? [] : [`${path}: ${name} stands in ${other} as well`];
    }),
  );
}

/** Phrases that cite a document unavailable to readers of this repository. */
const citations =
  /\b(?:messages|groups|channels|users|personal|organization|behaviou?r) reference\b|\breference [A-Z]?\d|\(spec[,)]|\bspec, (?:endpoint|section|rule)|\bspec \d/i;

function strayCitations(): string[] {
  return ['src', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mjs|cjs)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((path) => basename(path) !== 'check-structure.ts')
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, index) => {
            const [found] = citations.exec(line) ?? [];
            if (found === undefined) return [];
            return [
              `${path}: line ${index + 1}: "${found}" cites what is not here; say the fact, or the rule's ID`,
            ];
          }),
      ),
  );
}

/** Rows of the import table for nonexistent features, parts of the platform and rooms. */
function ghosts(): string[] {
  const houses = [
    ...Object.keys(imports.features).map((feature) => `features/${feature}`),
    ...Object.keys(imports.platform).map((part) => `platform/${part}`),
    ...Object.keys(imports.rooms).map((room) => (room.startsWith('platform/') ? room : `features/${room}`)),
  ];
  return houses
    .filter((house) => !existsSync(join(root, 'src', house)) && !existsSync(join(root, 'src', `${house}.ts`)))
    .map((house) => `scripts/import-table.json names ${house}, which does not exist`);
}

const sources = readSources('src');
const problems = [
  ...circles(sources),
  ...trespasses(sources),
  ...foreignRepositories(sources),
  ...twins(sources),
  ...twins(readSources('console')),
  ...strayCitations(),
  ...ghosts(),
];
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
