import { createHash } from 'node:crypto';
import { visibleTopic } from '../../channels/channels.module';
import { MessageSource, type OutsideSender } from './outside-message';

/** Longest name of a topic, in code points. */
const MAX_LENGTH = 60;

/** White space, and what no topic may contain: control characters, lone surrogates, and noncharacters. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\s]+/gu;

/** How many hexadecimal digits tell apart senders whose topics would have the same name. */
const DIGITS = [8, 16, 32];

/**
 * Names that the topic of a sender may have, best first: the sender's name, and if that is taken the same with a mark
 * that no other sender has. All of them can be stored unchanged.
 * @param isReserved whether a name means something else, such as the empty topic
 */
export function topicNames(sender: OutsideSender, isReserved: (name: string) => boolean): string[] {
  const name = sender.source === MessageSource.whatsapp ? numbered(sender) : shown(sender.address);
  const mark = createHash('sha256')
    .update(JSON.stringify([sender.source, sender.address]))
    .digest('hex');
  const marked = DIGITS.map((digits) => withEnd(name, ` #${mark.slice(0, digits)}`));
  const plain = cut(name, MAX_LENGTH);
  return plain === '' || isReserved(plain) ? marked : [plain, ...marked];
}

/** People choose their names, but are given their numbers: the number always shows. */
function numbered({ name, address }: OutsideSender): string {
  const number = shown(`+${address}`);
  const called = shown(name ?? '');
  return called === '' ? number : withEnd(called, ` (${number})`);
}

function shown(text: string): string {
  return visibleTopic(text.toWellFormed().replace(NOT_SHOWN, ' '));
}

function withEnd(start: string, end: string): string {
  return `${cut(start, MAX_LENGTH - end.length)}${end}`.trim();
}

function cut(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : visibleTopic(characters.slice(0, Math.max(0, limit)).join(''));
}
