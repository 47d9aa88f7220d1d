import type MarkdownIt from 'markdown-it';
import { RenderState } from './render-context';
import { codeBlock } from '../typesetting/code-blocks';
import { formula } from '../typesetting/formulas';

/** The published types lack the parser's cache of where backticks of each length were last seen. */
type Inline = MarkdownIt.StateInline & {
  readonly backticks: Record<number, number>;
  backticksScanned: boolean;
};

const BACKTICKS = /`+/g;

/** Plugin: inline code, between backticks of equal number. Unlike the parser's own rule, it preserves spaces. */
export function codeSpans(md: MarkdownIt): void {
  md.inline.ruler.at('backticks', (state, silent) => {
    const inline = state as Inline;
    const { src, pos, posMax } = inline;
    if (src[pos] !== '`') return false;
    const mark = marksAt(src, pos);
    const end = endOfCode(inline, pos, mark);
    if (end === undefined) {
      if (!silent) inline.pending += mark;
      inline.pos += mark.length;
      return true;
    }
    if (end + mark.length > posMax) return false;
    if (!silent) inline.push('code_inline', 'code', 0).content = src.slice(pos + mark.length, end);
    inline.pos = end + mark.length;
    return true;
  });
}

function marksAt(text: string, position: number): string {
  BACKTICKS.lastIndex = position;
  return BACKTICKS.exec(text)?.[0] ?? '';
}

/**
 * The position of the backticks that close those at `start`. No part of a text is scanned twice for different lengths.
 */
function endOfCode(inline: Inline, start: number, mark: string): number | undefined {
  if (inline.backticksScanned && (inline.backticks[mark.length] ?? 0) <= start) return undefined;
  BACKTICKS.lastIndex = start + mark.length;
  for (let found = BACKTICKS.exec(inline.src); found; found = BACKTICKS.exec(inline.src)) {
    if (found[0].length === mark.length) return found.index;
    inline.backticks[found[0].length] = found.index;
  }
  inline.backticksScanned = true;
  return undefined;
}

type BlockState = MarkdownIt.StateBlock;

const MARKS = /^(?:`{3,}|~{3,})/;
/** The rest of the line after a fence. Matches everything, so that nothing is scanned twice. */
const INFO = /^[ \t]*(?<language>\S*)[ \t]*(?<header>[^]*)$/;

interface Fence {
  readonly mark: string;
  readonly length: number;
  /** The word after the fence, as written. */
  readonly language: string;
  /** The word in lower case. */
  readonly kind: string;
  /** The text after the word. */
  readonly header: string;
}

/**
 * Plugin: fenced blocks. `quote` and `spoiler` contain Markdown, including fences; everything else is code, except
 * `math`.
 */
export function fencedBlocks(md: MarkdownIt): void {
  md.block.ruler.at('fence', fencedBlock, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  md.renderer.rules.fence = (tokens, index, _options, env) =>
    codeBlock(tokens[index]!.content, tokens[index]!.info, RenderState.of({ env }).codeBudget);
  md.renderer.rules.code_block = (tokens, index, _options, env) =>
    codeBlock(tokens[index]!.content, '', RenderState.of({ env }).codeBudget);
  md.renderer.rules.spoiler_open = () => '<div class="spoiler-block"><div class="spoiler-header">\n';
  md.renderer.rules.spoiler_content = () => '</div><div class="spoiler-content" aria-hidden="true">\n';
  md.renderer.rules.spoiler_close = () => '</div></div>\n';
}

function fencedBlock(block: BlockState, startLine: number, endLine: number, silent: boolean): boolean {
  if (block.sCount[startLine]! - block.blkIndent >= 4) return false;
  const fence = fenceAt(block, startLine);
  if (!fence) return false;
  if (silent) return true;

  const { contentEnd, nextLine } = findEnd(block, startLine, endLine, fence);
  const language = fence.language || defaultLanguage(block);
  const kind = language.toLowerCase();
  if (kind === 'quote') pushQuotation(block, startLine, contentEnd);
  else if (kind === 'spoiler') pushSpoiler(block, startLine, contentEnd, fence.header);
  else {
    const isMath = kind === 'math';
    const token = block.push(isMath ? 'math_block' : 'fence', isMath ? 'p' : 'code', 0);
    token.info = language;
    token.content = block.getLines(startLine + 1, contentEnd, block.sCount[startLine]!, true);
    token.map = [startLine, nextLine];
  }
  block.line = nextLine;
  return true;
}

/**
 * The organization's default for fences without a language, which may be `quote` or `math`. Does not apply inside
 * spoilers.
 */
function defaultLanguage(block: BlockState): string {
  const state = RenderState.of(block);
  return state.spoilers > 0 ? '' : state.context.defaultCodeLanguage;
}

function fenceAt(block: BlockState, line: number): Fence | undefined {
  const start = block.bMarks[line]! + block.tShift[line]!;
  const mark = block.src[start];
  if (mark !== '`' && mark !== '~') return undefined;
  const text = block.src.slice(start, block.eMarks[line]).trimEnd();
  const marks = MARKS.exec(text)?.[0];
  if (marks === undefined) return undefined;
  const info = text.slice(marks.length);
  if (/[`~]/.test(info)) return undefined;
  const parts = INFO.exec(info)!.groups!;
  const language = parts.language!.replace(/^\{?\.?|\}$/g, '');
  return {
    mark,
    length: marks.length,
    language,
    kind: language.toLowerCase(),
    header: parts.header!,
  };
}

/**
 * The end of the content and the start of what follows. Fences in quotations and spoilers nest; an unclosed fence
 * extends to the end of the surrounding list item or text.
 */
function findEnd(
  block: BlockState,
  startLine: number,
  endLine: number,
  fence: Fence,
): { contentEnd: number; nextLine: number } {
  const open = [fence];
  for (let line = startLine + 1; line < endLine; line++) {
    const isBlank = block.isEmpty(line);
    if (!isBlank && block.sCount[line]! < block.blkIndent) return { contentEnd: line, nextLine: line };
    const found = isBlank ? undefined : fenceAt(block, line);
    if (!found) continue;
    const innermost = open.at(-1)!;
    if (closes(found, innermost)) open.pop();
    else if (holdsMarkdown(innermost)) open.push(found);
    if (open.length === 0) return { contentEnd: line, nextLine: line + 1 };
  }
  return { contentEnd: endLine, nextLine: endLine };
}

/** Whether a line closes a fence: only the same fence does, longer ones are content. */
function closes(fence: Fence, opened: Fence): boolean {
  return fence.kind === '' && fence.mark === opened.mark && fence.length === opened.length;
}

function holdsMarkdown(fence: Fence): boolean {
  return fence.kind === 'quote' || fence.kind === 'spoiler';
}

function pushQuotation(block: BlockState, startLine: number, contentEnd: number): void {
  block.push('blockquote_open', 'blockquote', 1).markup = '```';
  parseInside(block, startLine + 1, contentEnd);
  block.push('blockquote_close', 'blockquote', -1).markup = '```';
}

function pushSpoiler(block: BlockState, startLine: number, contentEnd: number, header: string): void {
  block.push('spoiler_open', 'div', 1);
  if (header !== '') block.md.block.parse(header, block.md, block.env, block.tokens);
  block.push('spoiler_content', 'div', 0);
  const state = RenderState.of(block);
  state.spoilers += 1;
  parseInside(block, startLine + 1, contentEnd);
  state.spoilers -= 1;
  block.push('spoiler_close', 'div', -1);
}

/** Parses some lines as separate blocks, so that no paragraph extends beyond them. */
function parseInside(block: BlockState, startLine: number, endLine: number): void {
  const { parentType, lineMax } = block;
  block.parentType = 'blockquote';
  block.lineMax = endLine;
  block.md.block.tokenize(block, startLine, endLine);
  block.parentType = parentType;
  block.lineMax = lineMax;
}

/** The source between the marks: not empty, on one line, with dollar signs escaped by a backslash. */
const INLINE = /\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?!\$)/y;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** Plugin: formulas, `$$x^2$$` inline, or in a block of their own. Formulas that cannot be parsed show their source. */
export function math(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'math', (inline, silent) => {
    const { src, pos } = inline;
    if (src[pos] !== '$' || src[pos - 1] === '$' || WORD_CHARACTER.test(src[pos - 1] ?? '')) return false;
    INLINE.lastIndex = pos;
    const match = INLINE.exec(src);
    if (!match || INLINE.lastIndex > inline.posMax) return false;
    if (WORD_CHARACTER.test(src[INLINE.lastIndex] ?? '')) return false;
    if (!silent) inline.push('math', 'span', 0).content = match[1]!;
    inline.pos += match[0].length;
    return true;
  });
  const mistaken = (source: string) => `<span class="tex-error">${md.utils.escapeHtml(source)}</span>`;
  md.renderer.rules.math = (tokens, index, _options, env) => {
    const source = tokens[index]!.content;
    return formula(source, false, RenderState.of({ env }).formulaBudget) ?? mistaken(`$$${source}$$`);
  };
  md.renderer.rules.math_block = (tokens, index, _options, env) => {
    const budget = RenderState.of({ env }).formulaBudget;
    const parts = partsOf(tokens[index]!.content).map(
      (source) => formula(source, true, budget) ?? mistaken(source),
    );
    return parts.length === 0 ? '' : `<p>${parts.join('\n\n')}</p>\n`;
  };
}

/** The formulas of a block, separated by empty lines. */
function partsOf(content: string): string[] {
  const parts: string[][] = [[]];
  for (const line of content.split('\n').map((each) => each.trimEnd())) {
    if (line !== '') parts.at(-1)!.push(line);
    else if (parts.at(-1)!.length > 0) parts.push([]);
  }
  return parts.map((lines) => lines.join('\n')).filter((part) => part !== '');
}
