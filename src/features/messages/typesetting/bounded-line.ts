import { StringStream } from '@codemirror/streamparser';

const MAX_MARKUP = 80_000;
const MAX_READS = 600_000;

/** The budget for all code blocks of one message. */
export class CodeBudget {
  /** Characters written for tags around tokens. */
  markupWritten = 0;
  /** Characters that grammars may still read; most read each character several times. */
  private reads = MAX_READS;

  /** Whether this many more characters may be written; if so, they are charged. */
  mayWrite(characters: number): boolean {
    if (this.markupWritten + characters > MAX_MARKUP) return false;
    this.markupWritten += characters;
    return true;
  }

  /** @throws OutOfBudget */
  read(characters: number): void {
    this.reads -= characters;
    if (this.reads < 0) throw new OutOfBudget();
  }
}

/** Stops tokenizing; the rest of the code stays plain. */
class OutOfBudget extends Error {}

/**
 * A line that charges every read to the budget, so that no grammar can run for long, not even one that would never
 * finish.
 */
export class BoundedLine extends StringStream {
  constructor(
    text: string,
    private readonly budget: CodeBudget,
  ) {
    super(text, TAB, INDENT_UNIT);
  }

  override eol(): boolean {
    this.budget.read(1);
    return super.eol();
  }

  override peek(): string | undefined {
    this.budget.read(1);
    return super.peek();
  }

  override next(): string | void {
    this.budget.read(1);
    return super.next();
  }

  override eat(match: string | RegExp | ((ch: string) => boolean)): string | void {
    this.budget.read(1);
    return super.eat(match);
  }

  override match(
    pattern: string | RegExp,
    consume?: boolean,
    caseInsensitive?: boolean,
  ): boolean | RegExpMatchArray | null {
    this.budget.read(typeof pattern === 'string' ? 1 : this.string.length - this.pos + 1);
    return super.match(pattern, consume, caseInsensitive);
  }

  override skipTo(ch: string): boolean | void {
    this.budget.read(1);
    return super.skipTo(ch);
  }

  override indentation(): number {
    this.budget.read(1);
    return super.indentation();
  }
}

const TAB = 4;
export const INDENT_UNIT = 2;
