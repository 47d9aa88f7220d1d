import type { Message } from '../connection/records';
import { linkTo } from '../menus/links';
import * as words from '../words';
import { read } from './asking';
import { placeOf } from './places';

/** Markdown that quotes a text, whatever fences are in it. */
function quoted(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/^`+/gm)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}quote\n${content}\n${fence}`;
}

/** Markdown that quotes a message, with who wrote it and where it is. */
export async function quotationOf(message: Pick<Message, 'id'>): Promise<string> {
  const found = await read(message.id, false);
  const { content, sender_full_name: name, sender_id: id } = found;
  const link = linkTo(placeOf(found), message.id);
  return `@_**${name}|${id}** [${words.conversations.said}](${link}):\n${quoted(content)}\n`;
}
