import { BadRequest } from '../../../platform/errors/shared.errors';
import { MAX_TOPIC_LENGTH } from '../../channels';

/** Longest content, in Unicode code points (messages reference 16). */
export const MAX_CONTENT_LENGTH = 10_000;

const CUT_CONTENT = '\n[message truncated]';
const CUT_TOPIC = '...';

/** What old clients send for a message without a topic. */
const NO_TOPIC = '(no topic)';

/** Categories Cc and Cs, and the code points that are no characters; none may stand in a topic. */
const FORBIDDEN_IN_TOPIC = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/**
 * Content as it is stored: no white space at the end, no line feeds at the start, cut to its longest
 * (messages reference 2.4).
 * @throws BadRequest when nothing is left, or for a NUL
 */
export function normalizeContent(content: string): string {
  const text = content.toWellFormed().trimEnd().replace(/^\n+/, '');
  if (text.trim() === '') throw new BadRequest('Message must not be empty');
  if (text.includes('\0')) throw new BadRequest('Message must not contain null bytes');
  return cut(text, MAX_CONTENT_LENGTH, CUT_CONTENT);
}

/**
 * Topic as it is stored: trimmed, the names of the empty topic turned into the empty text, cut to its
 * longest (messages reference 2.4).
 * @param emptyTopicName how the organization displays the empty topic
 */
export function normalizeTopic(topic: string, emptyTopicName: string): string {
  const text = cut(topic.trim(), MAX_TOPIC_LENGTH, CUT_TOPIC);
  return text === emptyTopicName || text === NO_TOPIC ? '' : text;
}

/** @throws BadRequest naming the first character that no topic may hold, counted from 1 */
export function checkTopicCharacters(topic: string): void {
  const position = Array.from(topic.trim()).findIndex((character) => FORBIDDEN_IN_TOPIC.test(character));
  if (position >= 0) throw new BadRequest(`Invalid character in topic, at position ${position + 1}!`);
}

/** Cuts by code points, so that no character is split and the mark still fits. */
function cut(text: string, limit: number, mark: string): string {
  if (text.length <= limit) return text;
  const characters = Array.from(text);
  if (characters.length <= limit) return text;
  return characters.slice(0, limit - mark.length).join('') + mark;
}
