import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const features = join(__dirname, '..', 'src/features');

/** Kinds of events declared by features, such as `message` and `stream create`, with the file of each. */
export function declaredEvents(): Map<string, string> {
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' });
  const kinds = files
    .filter((file) => file.endsWith('.api.ts'))
    .flatMap((file) => kindsIn(file).map((kind): [string, string] => [kind, file]));
  return new Map(kinds.sort());
}

function kindsIn(file: string): string[] {
  const text = readFileSync(join(features, file), 'utf8');
  const kinds: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'defineEvent') {
      kinds.push(
        node.arguments
          .filter(ts.isStringLiteral)
          .map((name) => name.text)
          .join(' '),
      );
    }
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return kinds;
}
