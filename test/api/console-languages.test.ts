import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const FOLDER = join(__dirname, '../../console');
const LANGUAGES = ['de'];

/** What is loaded by the service worker, whose one file all people share. */
const IN_ENGLISH_ALONE = ['worker/words.ts'];

const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /(^|\/)(words|words\/\w+)\.ts$/.test(path) && !IN_ENGLISH_ALONE.includes(path));

/** The texts of a file by name: for each, which of its parameters it uses; for others, how many there are. */
function textsIn(path: string): Record<string, readonly string[]> {
  const file = ts.createSourceFile(path, readFileSync(join(FOLDER, path), 'utf8'), ts.ScriptTarget.ES2022);
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

describe.each(LANGUAGES)('the texts of the console in the language "%s"', (language) => {
  it.each(sources)('are all there that are in %s, and say as much', (path) => {
    const other = path.replace(/\.ts$/, `.${language}.ts`);
    expect(existsSync(join(FOLDER, other))).toBe(true);
    expect(textsIn(other)).toEqual(textsIn(path));
  });
});
