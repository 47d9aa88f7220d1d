import { BoundedLine, type CodeBudget, INDENT_UNIT } from './bounded-line';
import { grammarOf } from './code-grammars';
import { TokenKinds } from './code-kinds';
import { codeLanguage } from './code-languages';
import type { Grammar } from './word-grammars';

/** The rest of a longer line stays plain: some expressions in grammars are quadratic in its length. */
const MAX_LINE = 300;

/** A grammar that does not advance is moved on after this many attempts. */
const MAX_STANDSTILL = 10;

/** Some grammars remember the last token they read anywhere; reading this first makes the result independent of it. */
const FORGETTING = 'x ;';

/** Cost of a token besides its characters: a grammar may scan all open scopes for it. */
const READS_PER_TOKEN = 100;
/** Cost of a line besides its characters. */
const READS_PER_LINE = 50;

/** Languages in which text outside of tokens is mostly prose, so that its punctuation has no meaning. */
const PROSE = new Set('Bash,Bash Session,Diff,Docker,Gherkin,HTML,HTTP,INI,Properties,TeX,XML'.split(','));
const SIGN = /([()[\]{},;:.]+)|([-+*/=<>!&|^~%?]+)/g;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Code as HTML, without tokens. */
function plainCode(source: string): string {
  return source.replace(/[&<>]/g, (character) => ENTITIES[character]!);
}

/**
 * Renders code as HTML, with an element per token whose class names its kind, for clients to style. The language is a
 * display name. Code in unknown languages, or beyond the budget, stays plain.
 */
export function codeWithTokens(source: string, language: string, budget: CodeBudget): string {
  const grammar = grammarOf(language);
  if (!grammar) return plainCode(source);
  const lines = source.split('\n');
  const shown: string[] = [];
  try {
    new CodeReader(grammar, language, budget).read(FORGETTING);
    const reader = new CodeReader(grammar, language, budget);
    for (const line of lines) shown.push(reader.read(line));
  } catch {
    // The budget is used up, or the grammar has a bug, which must not prevent the message from being sent.
  }
  return shown.concat(lines.slice(shown.length).map(plainCode)).join('\n');
}

class CodeReader {
  private readonly kinds: TokenKinds;
  private readonly state: unknown;
  private readonly marksSigns: boolean;
  private isFirstLine = true;
  private html = '';
  private kind = '';
  private text = '';

  constructor(
    private readonly grammar: Grammar,
    language: string,
    private readonly budget: CodeBudget,
  ) {
    this.kinds = new TokenKinds(language);
    this.marksSigns = !PROSE.has(language);
    this.state = grammar.startState?.(INDENT_UNIT) ?? {};
  }

  /** The HTML of the next line. */
  read(text: string): string {
    this.html = '';
    this.budget.read(READS_PER_LINE);
    if (text === '') this.grammar.blankLine?.(this.state, INDENT_UNIT);
    const known = text.slice(0, MAX_LINE);
    const line = new BoundedLine(known, this.budget);
    while (line.pos < known.length) this.readToken(line);
    this.add('', text.slice(MAX_LINE));
    this.flush();
    this.isFirstLine = false;
    return this.html;
  }

  private readToken(line: BoundedLine): void {
    const start = line.pos;
    this.budget.read(READS_PER_TOKEN);
    let style: string | null | undefined;
    for (let tries = 0; line.pos <= start && tries < MAX_STANDSTILL; tries++) {
      line.start = start;
      style = this.grammar.token(line, this.state);
    }
    if (line.pos <= start) line.pos = start + 1;
    const text = line.string.slice(start, line.pos);
    const kind = text.trim() === '' ? '' : this.kinds.of(style, text, this.isFirstLine);
    if (!style && this.marksSigns) this.addWithSigns(text);
    else this.add(kind, text);
  }

  /** Text outside of the grammar's tokens may contain operators and punctuation, which clients also style. */
  private addWithSigns(text: string): void {
    let end = 0;
    for (const match of text.matchAll(SIGN)) {
      this.add('', text.slice(end, match.index));
      this.add(match[1] === undefined ? 'o' : 'p', match[0]);
      end = match.index + match[0].length;
    }
    this.add('', text.slice(end));
  }

  /** Merges adjacent tokens of the same kind. */
  private add(kind: string, text: string): void {
    if (text === '') return;
    if (kind !== this.kind) this.flush();
    this.kind = kind;
    this.text += text;
  }

  private flush(): void {
    const code = plainCode(this.text);
    const [open, close] = this.kind === '' ? ['', ''] : [`<span class="${this.kind}">`, '</span>'];
    this.html += this.budget.mayWrite(open.length + close.length) ? open + code + close : code;
    [this.kind, this.text] = ['', ''];
  }
}

/** A first line that names the language of the code. */
const LANGUAGE_LINE = /^(?::::+|#!(?:\/(?:[\w.-]+\/)*(?:env +)?)?)(?<word>[\w#.+-]+)[ \t]*$/;

/** The HTML of a code block; '' for an empty one. @param word selects its language; '' for none */
export function codeBlock(source: string, word: string, budget: CodeBudget): string {
  const code = tidied(source);
  if (code === '') return '';
  const language = word === '' ? '' : codeLanguage(word);
  const attribute = language && ` data-code-language="${plainCode(language).replaceAll('"', '&quot;')}"`;
  const known = language || codeLanguage(LANGUAGE_LINE.exec(firstLine(code))?.groups?.word ?? '');
  const html = codeWithTokens(code, known, budget);
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}\n</code></pre></div>\n`;
}

/** Removes empty lines around the code, and spaces at the ends of lines. */
function tidied(source: string): string {
  const lines = source.split('\n').map((line) => line.trimEnd());
  const start = lines.findIndex((line) => line !== '');
  const end = lines.findLastIndex((line) => line !== '');
  return start < 0 ? '' : lines.slice(start, end + 1).join('\n');
}

function firstLine(code: string): string {
  const end = code.indexOf('\n');
  return end < 0 ? code : code.slice(0, end);
}
