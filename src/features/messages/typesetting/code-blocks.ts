import type { CodeBudget } from './bounded-line';
import { codeLanguage } from './code-languages';
import { codeWithTokens, plainCode } from './code-tokens';

/** A first line that says in which language the code is. */
const LANGUAGE_LINE = /^(?::::+|#!(?:\/(?:[\w.-]+\/)*(?:env +)?)?)(?<word>[\w#.+-]+)[ \t]*$/;

/** The HTML of a block of code; '' if it holds nothing. @param word what selects its language; '' for none */
export function codeBlock(source: string, word: string, budget: CodeBudget): string {
  const code = tidied(source);
  if (code === '') return '';
  const language = word === '' ? '' : codeLanguage(word);
  const attribute = language && ` data-code-language="${plainCode(language).replaceAll('"', '&quot;')}"`;
  const known = language || codeLanguage(LANGUAGE_LINE.exec(firstLine(code))?.groups?.word ?? '');
  const html = codeWithTokens(code, known, budget);
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}\n</code></pre></div>\n`;
}

/** Without empty lines around it, and blanks at the ends of lines. */
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
