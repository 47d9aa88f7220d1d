import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { wordsOf } from '../../console/connection/refusals';
import * as settings from '../../console/settings/words';
import * as germanSettings from '../../console/settings/words.de';
import * as english from '../../console/words/refusals';
import * as german from '../../console/words/refusals.de';

const SOURCE = join(__dirname, '../../src');

/** Words that have no meaning outside the interface. */
const OF_THE_WIRE =
  /[a-z]_[a-z]|`|\b(streams?|realm|subject|endpoint|argument|parameter|principal|submessage)s?\b/i;

/** The sentences with which the server refuses requests; what it puts into them is an x. */
function sentencesOf(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isRefusal =
      ts.isCallExpression(node) &&
      (node.expression.kind === ts.SyntaxKind.SuperKeyword ||
        (ts.isIdentifier(node.expression) && node.expression.text === 'refusal'));
    const [first] = isRefusal ? node.arguments : [];
    if (first && ts.isStringLiteralLike(first)) found.push(first.text);
    if (first && ts.isTemplateExpression(first)) {
      found.push(first.head.text + first.templateSpans.map(({ literal }) => `x${literal.text}`).join(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const sentences = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(api|errors)\.ts$/.test(path))
  .flatMap((path) => sentencesOf(join(SOURCE, path)));

describe('the words of the console for refusals', () => {
  it('are for sentences that the server says', () => {
    expect(sentences.length).toBeGreaterThan(200);
    expect(Object.keys(english.sentences).filter((each) => !sentences.includes(each))).toEqual([]);
  });

  it('are those by which forms know at which field a refusal belongs', () => {
    expect(english.sentences['Wrong password!']).toBe(settings.wrongPassword);
    expect(german.sentences['Wrong password!']).toBe(germanSettings.wrongPassword);
  });

  it('name nothing that belongs to the interface, whatever is refused', () => {
    const told = sentences.map((each) => wordsOf(each, 400));
    expect(told.filter((each) => OF_THE_WIRE.test(each))).toEqual([]);
  });

  it.each([
    ['new_name is too long (limit: 60 characters)', english.tooLong('60')],
    ["Channel 'my_stream' already exists", english.taken('my_stream')],
    ["Channel folder 'my_folder' already exists", english.taken('my_folder')],
    ["Default channel group 'my_group' already exists", english.taken('my_group')],
    [
      "Email 'ada_b@example.com' not allowed in this organization",
      english.emailNotAllowed('ada_b@example.com'),
    ],
    ["'can_administer_channel_group' must be a system user group.", english.groupNotAllowed],
    ['Insufficient permission', english.notAllowed],
    ['User not authorized for this query', 'User not authorized for this query'],
    ['stream_id is not valid JSON', english.invalid],
    [
      'This message is on legal hold, and cannot be deleted.',
      'This message is on legal hold, and cannot be deleted.',
    ],
  ])('for "%s"', (sentence, told) => {
    expect(wordsOf(sentence, 400)).toBe(told);
  });
});
