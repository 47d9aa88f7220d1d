import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
const LANGUAGES = ['de'];

/** What is loaded by the service worker, whose one file all people share. */
const IN_ENGLISH_ALONE = ['console/worker/words.ts'];

/** About words, and none of them. */
const NO_TEXTS = ['src/features/messages/fetching/words.ts'];

/** Files of a folder, by their paths from the root. */
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (path) => `${folder}/${path.replaceAll('\\', '/')}`,
  );

const sources = ['console', 'src']
  .flatMap(filesIn)
  .filter((path) => /\/(words|words\/\w+)\.ts$/.test(path))
  .filter((path) => ![...IN_ENGLISH_ALONE, ...NO_TEXTS].includes(path));

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.ES2022);
}

/** The texts of a file by name: for each, which of its parameters it uses; for others, how many there are. */
function textsIn(path: string): Record<string, readonly string[]> {
  const file = parsed(path);
  const texts: Record<string, readonly string[]> = {};
  const nameOf = (node: ts.PropertyName | ts.BindingName) =>
    ts.isIdentifier(node) || ts.isStringLiteral(node) || ts.isNumericLiteral(node) ? node.text : '';
  const look = (name: string, value: ts.Expression): void => {
    if (ts.isAsExpression(value)) return look(name, value.expression);
    if (ts.isObjectLiteralExpression(value)) {
      for (const each of value.properties)
        if (ts.isPropertyAssignment(each)) look(`${name}.${nameOf(each.name)}`, each.initializer);
    } else if (ts.isArrayLiteralExpression(value)) {
      value.elements.forEach((each, index) => look(`${name}.${index}`, each));
    } else texts[name] = ts.isArrowFunction(value) ? used(value) : [];
  };
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      look(nameOf(name), initializer!);
  }
  return texts;
}

/** The positions of the parameters that a text has in it. */
function used({ parameters, body }: ts.ArrowFunction): string[] {
  const names = parameters.map(({ name }) => (name as ts.Identifier).text);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && names.includes(node.text)) found.add(`${names.indexOf(node.text)}`);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return [...found].sort();
}

describe.each(LANGUAGES)('the texts of the console and of pages in the language "%s"', (language) => {
  it.each(sources)('are all there that are in %s, and say as much', (path) => {
    const other = path.replace(/\.ts$/, `.${language}.ts`);
    expect(existsSync(join(ROOT, other))).toBe(true);
    expect(textsIn(other)).toEqual(textsIn(path));
  });
});

/** For developers, and for operators as what commands print, in English; and a page of another program. */
const OTHER_PAGES = /^src\/features\/(web\/(api-description|web-app)|moving\/import)\//;

/** Parts of forms and pages that people read. */
const READ = /^(title|introduction|label|hint|action|refusal)$/;

/** Texts that a page would show in whatever language: between the tags of its markup, and as parts of its form. */
function textsOutside(path: string): string[] {
  const file = parsed(path);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'markup') {
      const whole = node.template
        .getText(file)
        .slice(1, -1)
        .replaceAll(/\$\{[^{}]*\}/g, '');
      const isPartOfTag = /^\s*[a-z-]+(="[^"]*")?\s*$/.test(whole);
      if (!isPartOfTag && !whole.includes('${')) found.push(whole.replaceAll(/<[^>]*>/g, ' '));
    } else if (ts.isPropertyAssignment(node) && READ.test(node.name.getText(file))) {
      if (ts.isStringLiteralLike(node.initializer)) found.push(node.initializer.text);
    } else if (ts.isCallExpression(node) && node.expression.getText(file) === 'paragraphs') {
      for (const each of node.arguments) if (ts.isStringLiteralLike(each)) found.push(each.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text) && text !== 'Parley');
}

/** Whether a file makes pages: mails have paragraphs, too. */
function makesPages(path: string): boolean {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return /pages\/(web-page|forms)'|from '.\/web-page'/.test(text) && /\bmarkup`|\bparagraphs\(/.test(text);
}

const pages = filesIn('src').filter(
  (path) => path.endsWith('.ts') && !OTHER_PAGES.test(path) && makesPages(path),
);

describe('pages', () => {
  it.each(pages)('in %s have all of their texts in the catalogue', (path) => {
    expect(textsOutside(path)).toEqual([]);
  });
});
