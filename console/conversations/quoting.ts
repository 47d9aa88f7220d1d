import type { Message } from '../connection/records';
import { linkTo } from '../menus/links';
import * as words from '../words';
import { read } from './asking';
import { placeOf } from './places';

/** Quotes a text in Markdown, with a fence longer than any inside it. */
function quoted(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/^`+/gm)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}quote\n${content}\n${fence}`;
}

/** Quotes a message in Markdown, with its sender and a link. */
export async function quotationOf(message: Pick<Message, 'id'>): Promise<string> {
  const found = await read(message.id, false);
  const { content, sender_full_name: name, sender_id: id } = found;
  const link = linkTo(placeOf(found), message.id);
  return `@_**${name}|${id}** [${words.conversations.said}](${link}):\n${quoted(content)}\n`;
}
