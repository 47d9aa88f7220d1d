import { dirname, join, relative } from 'node:path';
import * as ts from 'typescript';

const root = join(__dirname, '..');
const DOOR = join(root, 'src/module/index.ts');

/** A name that modules may import, with its declaration. */
interface Offer {
  readonly name: string;
  /** Null for re-exports of other packages. */
  readonly declaration: string | null;
  readonly origin: string;
}

/**
 * The text of `test/architecture/module-types.txt`: every declaration visible to modules, without comments. Removing or
 * changing a line breaks modules and requires a major version; adding one requires a minor version.
 */
export function moduleTypes(): string {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.types.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  const program = ts.createProgram([DOOR], {
    ...config?.options,
    removeComments: true,
    incremental: false,
    tsBuildInfoFile: undefined,
  });
  const door = program.getSourceFile(DOOR);
  if (!door) throw new Error('There is no src/module/index.ts.');
  const declarations = new Declarations(program);
  const sections: string[] = [];
  for (const statement of door.statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const heading = headingOf(statement, door);
    if (heading !== '') sections.push(`// ${heading}\n`);
    sections.push(sectionOf(offersOf(statement, declarations)));
  }
  return `${sections
    .filter((text) => text !== '')
    .join('\n')
    .trimEnd()}\n`;
}

/** The comment before a group of exports, used as a heading without its period. */
function headingOf(statement: ts.ExportDeclaration, { text }: ts.SourceFile): string {
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const last = comments.at(-1);
  if (!last) return '';
  return text
    .slice(last.pos + 3, last.end - 2)
    .replace(/\s*\n \*\s?/g, ' ')
    .trim()
    .replace(/\.$/, '');
}

function sectionOf(offers: readonly Offer[]): string {
  const own = offers.flatMap(({ declaration }) => declaration ?? []);
  const foreign = offers.filter(({ declaration }) => declaration === null);
  const packages = [...new Set(foreign.map(({ origin }) => origin))].map(
    (origin) =>
      `export { ${foreign
        .filter((offer) => offer.origin === origin)
        .map(({ name }) => name)
        .join(', ')} } from '${origin}';\n`,
  );
  return [...packages, ...(own.length > 0 ? [`${own.join('\n\n')}\n`] : [])].join('\n');
}

function offersOf(statement: ts.ExportDeclaration, declarations: Declarations): Offer[] {
  const { moduleSpecifier, exportClause } = statement;
  if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || !exportClause) return [];
  const origin = moduleSpecifier.text;
  const isForeign = !origin.startsWith('.');
  if (ts.isNamespaceExport(exportClause)) {
    const members = declarations.all(origin).map((line) => `  ${line.replaceAll('\n', '\n  ')}`);
    return [
      {
        name: exportClause.name.text,
        origin,
        declaration: `namespace ${exportClause.name.text} {\n${members.join('\n')}\n}`,
      },
    ];
  }
  return exportClause.elements.map(({ name, propertyName }) => {
    if (isForeign) return { name: name.text, origin, declaration: null };
    const declared = (propertyName ?? name).text;
    return { name: name.text, origin, declaration: declarations.find(origin, declared, name.text) };
  });
}

/** The import path from which a feature's module re-exports a name. */
function originOf(door: ts.SourceFile, name: string): string | undefined {
  for (const statement of door.statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue;
    const { exportClause, moduleSpecifier } = statement;
    if (!exportClause || !ts.isNamedExports(exportClause) || !ts.isStringLiteral(moduleSpecifier)) continue;
    if (exportClause.elements.some((element) => element.name.text === name)) return moduleSpecifier.text;
  }
  return undefined;
}

/** Declarations as emitted by the compiler. */
class Declarations {
  private readonly files = new Map<string, ts.SourceFile>();

  constructor(private readonly program: ts.Program) {}

  /** @param shown the name under which it is exported */
  find(origin: string, name: string, shown: string): string {
    const tree = this.file(origin);
    const found = tree.statements.filter((statement) => namesOf(statement).includes(name));
    if (found.length === 0) {
      const passedOn = originOf(tree, name);
      if (passedOn === undefined) throw new Error(`${origin} declares no ${name}.`);
      return this.find(join(dirname(origin), passedOn), name, shown);
    }
    return found
      .map((statement) => publicText(statement, tree).replaceAll(new RegExp(`\\b${name}\\b`, 'g'), shown))
      .join('\n');
  }

  /** Every exported function of a file, without comments. */
  all(origin: string): string[] {
    const tree = this.file(origin);
    return tree.statements
      .filter(ts.isFunctionDeclaration)
      .map((statement) => withoutModifiers(statement.getText(tree)));
  }

  private file(origin: string): ts.SourceFile {
    const path = join(root, 'src/module', `${origin}.ts`);
    const known = this.files.get(path);
    if (known) return known;
    const source = this.program.getSourceFile(path);
    let text = '';
    this.program.emit(source, (_, written) => void (text = written), undefined, true);
    if (text === '') throw new Error(`${relative(root, path)} gives no declarations.`);
    const tree = ts.createSourceFile(`${path}.d.ts`, text, ts.ScriptTarget.Latest, true);
    this.files.set(path, tree);
    return tree;
  }
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as { name?: ts.Node };
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

/** A declaration; for a class, only its public members. */
function publicText(statement: ts.Statement, tree: ts.SourceFile): string {
  return withoutModifiers(
    ts.isClassDeclaration(statement) ? classText(statement, tree) : statement.getText(tree),
  );
}

function classText(statement: ts.ClassDeclaration, tree: ts.SourceFile): string {
  const start = statement.getStart(tree);
  const head = tree.text.slice(start, statement.members.pos).trimEnd();
  const members = statement.members
    .filter((member) => !isHidden(member))
    .map((member) => tree.text.slice(member.getFullStart(), member.end).replace(/^\n/, ''));
  return members.length === 0 ? `${head}}` : `${head}\n${members.join('\n')}\n}`;
}

function isHidden(member: ts.ClassElement): boolean {
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  const isPrivate = modifiers.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  // Services are injected, so their constructors are omitted.
  return (
    isPrivate ||
    (ts.isConstructorDeclaration(member) && !member.parameters.every(({ type }) => isPlain(type)))
  );
}

/** Whether modules can provide a constructor parameter. */
function isPlain(type: ts.TypeNode | undefined): boolean {
  return type?.kind === ts.SyntaxKind.StringKeyword || type?.getText() === 'ApiErrorOptions';
}

function withoutModifiers(text: string): string {
  return text.replace(/^export (declare )?/, '').replace(/^declare /, '');
}
