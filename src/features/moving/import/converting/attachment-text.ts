import type { JsonRow } from '../../../../platform/archives/json-rows';
import { rowsOf, textOf } from './loose';
import { joined, link, literal } from './markdown';

/** Converts a message attachment, in the format that Slack introduced. @param blocks converted blocks, which replace the text */
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
