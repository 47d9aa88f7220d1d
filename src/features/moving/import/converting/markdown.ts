import { rowsOf, textOf } from './loose';
import type { JsonRow } from '../../../../platform/archives/json-rows';
import { fenceAround } from '../../../messages/messages.module';

/** Fences a code block. */
export function codeBlock(code: string): string {
  const text = code.replace(/^\n+|\s+$/g, '');
  const fence = fenceAround(text);
  return `\n${fence}\n${text}\n${fence}\n`;
}

/** Delimits inline code. */
export function inlineCode(code: string): string {
  const text = code.replace(/\n/g, ' ');
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A link; plain text unless the URL is safe. */
export function link(label: string, url: string): string {
  if (!/^(https?|mailto|tel):[^\s]/i.test(url)) return literal(label === '' ? url : label);
  const address = url
    .replace(/[\s<>()]/g, encodeURIComponent)
    .replace(/\(/g, '%28')
    .replace(/\)/g, '%29');
  const text = label.replace(/\s+/g, ' ').trim();
  if (text === '' || text === url) return /^https?:/i.test(url) ? address : literal(url.replace(/^\w+:/, ''));
  return `[${literal(text).replace(/[[\]]/g, (each) => (each === '[' ? '&#91;' : '&#93;'))}](${address})`;
}

/** A global time, shown in each reader's time zone. */
export function moment(seconds: number, otherwise: string): string {
  if (!(seconds > 0 && seconds < 4e9)) return literal(otherwise);
  return `<time:${new Date(Math.floor(seconds) * 1000).toISOString()}>`;
}

/** Escapes characters only where Markdown would interpret them. */
export function literal(text: string): string {
  return text
    .replace(/&(?=#?\w{1,30};)/g, '&amp;')
    .replace(/\*(?=\S)|(?<=\S)\*/g, '&#42;')
    .replace(/`/g, '&#96;')
    .replace(/~(?=~)/g, '&#126;')
    .replace(/\](?=\()/g, '&#93;')
    .replace(/\$(?=\$)/g, '&#36;')
    .replace(/<(?=time:)/g, '&lt;')
    .replace(/^([ \t]*)#(?=#{0,5}[ \t])/gm, '$1&#35;')
    .replace(/^([ \t]*)>/gm, '$1&gt;')
    .replace(/^\/(?=\w)/, '&#47;');
}

/** A link to a channel. */
export function channelLink(name: string): string {
  return /[*`\\[\]<>|$@]/.test(name) ? literal(`#${name}`) : `#**${name}**`;
}

/** Joins the non-empty parts. */
export function joined(parts: readonly string[], between = '\n\n'): string {
  return parts.filter((part) => part.trim() !== '').join(between);
}

/**
 * Converts a message attachment, in the format that Slack introduced.
 * @param blocks converted blocks, which replace the text
 */
export function attachmentText(part: JsonRow, convert: (text: string) => string, blocks = ''): string {
  const [title, url] = [textOf(part, 'title'), textOf(part, 'title_link')];
  const [author, image] = [textOf(part, 'author_name'), textOf(part, 'image_url')];
  const fields = rowsOf(part, 'fields').map((field) => {
    const name = textOf(field, 'title');
    return joined([name === '' ? '' : `**${literal(name)}**`, convert(textOf(field, 'value'))], ': ');
  });
  const body = joined([
    author === '' ? '' : link(author, textOf(part, 'author_link')),
    title === '' ? '' : url === '' ? `**${literal(title)}**` : `**${link(title, url)}**`,
    blocks === '' ? convert(textOf(part, 'text')) : blocks,
    joined(fields, '\n'),
    image === '' ? '' : link('image', image),
    literal(textOf(part, 'footer')),
  ]);
  const quoted = part.is_share === true || part.is_msg_unfurl === true;
  const shown = quoted ? body.replace(/^/gm, '> ') : body;
  const whole = joined([convert(textOf(part, 'pretext')), shown]);
  return whole === '' ? convert(textOf(part, 'fallback')) : whole;
}
