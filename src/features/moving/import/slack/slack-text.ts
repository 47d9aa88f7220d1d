import { channelLink, codeBlock, inlineCode, link, literal, moment } from '../converting/markdown';

/** Resolves the references in Slack's texts. */
export interface SlackNames {
  /** The mention and the name of a user; null if unknown. */
  person(id: string): { readonly mention: string; readonly name: string } | null;
  channel(id: string): string | null;
  /** Markdown of an emoji; null if unknown. */
  emoji(name: string): string | null;
}

// Private-use characters stand for finished parts during the rest of the conversion.
const MADE = /\ue000(\d+)\ue001/g;
const PRIVATE = /[\ue000-\ue01f]/g;
const [BOLD, ITALIC, STRUCK] = ['\ue010', '\ue011', '\ue012'];

const TOKEN = /<([@#!]?)([^<>|\n]+)(?:\|([^<>\n]*))?>/g;
const CODE = /```([\s\S]+?)```/g;
const INLINE_CODE = /`([^`\n]+)`/g;
const EMOJI = /:([\p{L}\p{N}_+'-]{1,100}):(?::skin-tone-[2-6]:)?/gu;
const EMPHASIS = [
  [/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\p{L}\p{N}*])/gu, BOLD],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]*?[^\s_])_(?![\p{L}\p{N}_])/gu, ITALIC],
  [/(?<![\p{L}\p{N}~])~(?=[^\s~])([^~\n]*?[^\s~])~(?![\p{L}\p{N}~])/gu, STRUCK],
] as const;

/** Converts Slack's `mrkdwn` to Markdown. */
export function fromMrkdwn(text: string, names: SlackNames): string {
  const clean = text.replace(PRIVATE, '');
  let result = '';
  let from = 0;
  for (const match of clean.matchAll(CODE)) {
    result += quoted(clean.slice(from, match.index), names) + codeBlock(plainMrkdwn(match[1] ?? '', names));
    from = match.index + match[0].length;
  }
  return result + quoted(clean.slice(from), names);
}

/** Converts `mrkdwn` to plain text, with names instead of references. */
export function plainMrkdwn(text: string, names: SlackNames): string {
  return unescaped(
    text.replace(TOKEN, (_, kind: string, id: string, label: string | undefined) =>
      plainToken(kind, id, label, names),
    ),
  );
}

/** Slack escapes only `&`, `<` and `>`. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Converts quoted lines. */
function quoted(text: string, names: SlackNames): string {
  let rest = false;
  let wasQuote = false;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^(?:&gt;|>)((?:&gt;|>){2})?[ \t]?/.exec(line);
    if (mark?.[1] !== undefined) rest = true;
    const isQuote = mark !== null || rest;
    if (wasQuote && !isQuote && line.trim() !== '') lines.push('');
    lines.push(`${isQuote ? '> ' : ''}${inline(line.slice(mark?.[0].length ?? 0), names)}`);
    wasQuote = isQuote;
  }
  return lines.join('\n');
}

function inline(line: string, names: SlackNames): string {
  const made: string[] = [];
  const keep = (markdown: string) => `\ue000${made.push(markdown) - 1}\ue001`;
  let text = line
    .replace(INLINE_CODE, (_, code: string) => keep(inlineCode(plainMrkdwn(code, names))))
    .replace(TOKEN, (_, kind: string, id: string, label: string | undefined) =>
      keep(token(kind, id, label, names)),
    );
  text = unescaped(text).replace(EMOJI, (whole, name: string) => {
    const emoji = names.emoji(name);
    return emoji === null ? whole : keep(emoji);
  });
  for (const [pattern, mark] of EMPHASIS) text = text.replace(pattern, `${mark}$1${mark}`);
  return literal(text)
    .replace(/^([ \t]*)[•◦▪‣][ \t]+/, '$1* ')
    .replaceAll(BOLD, '**')
    .replaceAll(ITALIC, '*')
    .replaceAll(STRUCK, '~~')
    .replace(MADE, (_, at: string) => made[Number(at)] ?? '');
}

/** Converts a reference in angle brackets. */
function token(kind: string, id: string, label: string | undefined, names: SlackNames): string {
  if (kind === '@') return names.person(id)?.mention ?? literal(plainToken(kind, id, label, names));
  if (kind === '#') {
    const channel = names.channel(id);
    return channel === null ? literal(plainToken(kind, id, label, names)) : channelLink(channel);
  }
  if (kind === '!') {
    if (/^(here|channel|everyone)$/.test(id)) return '@**all**';
    const [, seconds] = /^date\^(\d+)\^/.exec(id) ?? [];
    if (seconds !== undefined) return moment(Number(seconds), unescaped(label ?? ''));
    return literal(plainToken(kind, id, label, names));
  }
  return link(unescaped(label ?? ''), unescaped(id));
}

function plainToken(kind: string, id: string, label: string | undefined, names: SlackNames): string {
  const shown = unescaped(label ?? '').replace(/^[@#]/, '');
  if (kind === '@') return `@${names.person(id)?.name ?? (shown || id)}`;
  if (kind === '#') return `#${names.channel(id) ?? (shown || id)}`;
  if (kind !== '!') return shown || unescaped(id).replace(/^(mailto|tel):/, '');
  if (id.startsWith('date^')) return unescaped(label ?? '') || id;
  return `@${shown || id.replace(/^subteam\^/, '')}`;
}
