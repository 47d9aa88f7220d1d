import { TemplateNotUnderstood } from './web-app-build.api';

/** An expression in double braces. */
export type Expression =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string };

const NAME = /^[A-Za-z_]\w*$/;
const CALL = /^(_|static)\(\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\)$/;

/** @returns null for an unsupported expression */
function parseExpression(source: string): Expression | null {
  if (NAME.test(source)) return { kind: 'name', name: source };
  const [, called, single, double] = CALL.exec(source) ?? [];
  const argument = single ?? double ?? '';
  if (called === '_') return { kind: 'text', text: argument };
  return called === 'static' ? { kind: 'file', path: argument } : null;
}

/** A condition: a name, optionally negated. @returns null for an unsupported condition */
function parseCondition(source: string): { name: string; isNegated: boolean } | null {
  const [, not, name] = /^(not\s+)?([A-Za-z_]\w*)$/.exec(source) ?? [];
  return name === undefined ? null : { name, isNegated: not !== undefined };
}

/** A part of a template. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly expression: Expression }
  | { readonly kind: 'translated'; readonly text: string }
  | { readonly kind: 'choice'; readonly branches: readonly Branch[] };

/** The part for a condition; without a name, it always applies. */
interface Branch {
  readonly name: string | null;
  readonly isNegated: boolean;
  readonly nodes: TemplateNode[];
}

type Include = (file: string) => string | null;

/** Maximum nesting of includes. */
const DEEPEST = 5;

/** Comment, tag, or output; a hyphen in a tag strips the adjacent spaces, which HTML ignores anyway. */
const MARK = /\{#[\s\S]*?#\}|\{%-?([\s\S]*?)-?%\}|\{\{-?([\s\S]*?)-?\}\}/g;

/** Translatable text with markup, between two tags. */
const TRANSLATED = /^([\s\S]*?)\{%-?\s*endtrans\s*-?%\}/;

/** An open block, or a choice whose last branch is being read. */
interface Open {
  readonly tag: 'block' | 'if';
  readonly line: number;
  readonly branches: Branch[];
  readonly into: TemplateNode[];
}

/** Parses a template. @throws TemplateNotUnderstood */
export function nodesOf(
  file: string,
  text: string,
  include: Include,
  depth = 0,
): { readonly all: TemplateNode[]; readonly blocks: Map<string, TemplateNode[]> } {
  const reader = new Reader(file, text, include, depth);
  reader.read();
  return { all: reader.all, blocks: reader.blocks };
}

class Reader {
  readonly all: TemplateNode[] = [];
  readonly blocks = new Map<string, TemplateNode[]>();
  private readonly open: Open[] = [];
  private into = this.all;
  private at = 0;

  constructor(
    private readonly file: string,
    private readonly text: string,
    private readonly include: Include,
    private readonly depth: number,
  ) {}

  read(): void {
    const marks = new RegExp(MARK);
    for (let mark = marks.exec(this.text); mark !== null; mark = marks.exec(this.text)) {
      this.addText(this.text.slice(this.at, mark.index));
      this.at = mark.index;
      const [whole, tag, output] = mark;
      if (tag !== undefined) marks.lastIndex = this.readTag(tag.trim(), mark.index + whole.length);
      else if (output !== undefined) this.readOutput(output.trim());
      this.at = marks.lastIndex;
    }
    this.addText(this.text.slice(this.at));
    const left = this.open.at(-1);
    if (left) throw new TemplateNotUnderstood(this.file, left.line, `"${left.tag}" has no end.`);
  }

  private addText(text: string): void {
    const stray = text.search(/\{[%{#]/);
    if (stray >= 0) {
      this.at += stray;
      throw this.notUnderstood('a mark that does not end');
    }
    if (text !== '') this.into.push({ kind: 'text', text });
  }

  private readOutput(source: string): void {
    const expression = parseExpression(source);
    if (!expression) throw this.notUnderstood(`{{ ${source} }}`);
    this.into.push({ kind: 'output', expression });
  }

  /** @returns where to continue */
  private readTag(tag: string, end: number): number {
    const [, word = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? [];
    switch (word) {
      // They apply to the page around the blocks, which is not used.
      case 'extends':
      case 'set':
        return end;
      case 'include':
        return this.readInclude(rest, end);
      case 'trans':
        return this.readTranslated(rest, end);
      case 'block':
      case 'if':
        this.begin(word, rest);
        return end;
      case 'elif':
      case 'else':
        this.branch(word, rest);
        return end;
      case 'endif':
      case 'endblock':
        this.end(word === 'endif' ? 'if' : 'block');
        return end;
      default:
        throw this.notUnderstood(`{% ${tag} %}`);
    }
  }

  private readInclude(rest: string, end: number): number {
    const [, name] = /^["']([\w./-]+)["']$/.exec(rest) ?? [];
    const text = name === undefined || name.includes('..') ? null : this.include(name);
    if (name === undefined || text === null || this.depth >= DEEPEST) {
      throw this.notUnderstood(`{% include ${rest} %}`);
    }
    this.into.push(...nodesOf(name, text, this.include, this.depth + 1).all);
    return end;
  }

  private readTranslated(rest: string, end: number): number {
    const [whole, text] = TRANSLATED.exec(this.text.slice(end)) ?? [];
    if (rest !== '' || whole === undefined || text === undefined || /\{[%{#]/.test(text)) {
      throw this.notUnderstood('a text to be translated with something else in it');
    }
    this.into.push({ kind: 'translated', text: text.trim() });
    return end + whole.length;
  }

  private begin(tag: 'block' | 'if', rest: string): void {
    const open: Open = { tag, line: this.line, branches: [], into: this.into };
    this.open.push(open);
    if (tag === 'if') {
      this.addBranch(open, rest);
      return;
    }
    if (!/^\w+$/.test(rest) || this.blocks.has(rest)) throw this.notUnderstood(`{% block ${rest} %}`);
    this.into = [];
    this.blocks.set(rest, this.into);
  }

  private branch(tag: 'elif' | 'else', rest: string): void {
    const open = this.open.at(-1);
    const hasElse = open?.branches.at(-1)?.name === null;
    if (open?.tag !== 'if' || hasElse || (tag === 'else' && rest !== '')) {
      throw this.notUnderstood(`{% ${tag} ${rest} %}`);
    }
    this.addBranch(open, tag === 'else' ? null : rest);
  }

  private addBranch({ branches }: Open, source: string | null): void {
    const condition = source === null ? { name: null, isNegated: false } : parseCondition(source);
    if (!condition) throw this.notUnderstood(`the condition "${source}"`);
    this.into = [];
    branches.push({ ...condition, nodes: this.into });
  }

  private end(tag: 'block' | 'if'): void {
    const open = this.open.pop();
    if (open?.tag !== tag) throw this.notUnderstood(`an end of "${tag}" where none is open`);
    this.into = open.into;
    if (tag === 'if') this.into.push({ kind: 'choice', branches: open.branches });
  }

  private get line(): number {
    return this.text.slice(0, this.at).split('\n').length;
  }

  private notUnderstood(what: string): TemplateNotUnderstood {
    return new TemplateNotUnderstood(this.file, this.line, `${what} is not understood.`);
  }
}
