import type MarkdownIt from 'markdown-it';
import { codeBlock } from '../typesetting/code-blocks';
import { RenderState } from './render-context';

type BlockState = MarkdownIt.StateBlock;

const MARKS = /^(?:`{3,}|~{3,})/;
/** What may stand after the marks. Fits everything, so that no part of it is ever tried again. */
const INFO = /^[ \t]*(?<language>\S*)[ \t]*(?<header>[^]*)$/;

interface Fence {
  readonly mark: string;
  readonly length: number;
  /** The word after the fence, as written. */
  readonly language: string;
  /** The same in lower case. */
  readonly kind: string;
  /** What stands after the word. */
  readonly header: string;
}

/**
 * Plugin: what stands between fences. `quote` and `spoiler` hold Markdown, fences included; everything else is code,
 * but for `math`.
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

/** The organization's word for fences without one, `quote` and `math` among them. Inside spoilers there is none. */
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
 * Where the content ends and what follows begins. Fences in quotations and spoilers nest; a fence that nothing closes
 * reaches to the end of the list item or text around it.
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

/** Only the same marks close a fence: longer ones are content. */
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

/** Parses some lines as blocks of their own, so that no paragraph reaches beyond them. */
function parseInside(block: BlockState, startLine: number, endLine: number): void {
  const { parentType, lineMax } = block;
  block.parentType = 'blockquote';
  block.lineMax = endLine;
  block.md.block.tokenize(block, startLine, endLine);
  block.parentType = parentType;
  block.lineMax = lineMax;
}
