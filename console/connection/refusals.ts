import { refused } from '../words';
import * as words from '../words/refusals';

/** Server messages that contain a name or number. */
const PATTERNS: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/too long \(limit: (\d+) characters\)|cannot exceed (\d+) characters/, words.tooLong],
  [/^(?:Channel|Channel folder|Default channel group|User group|Emoji) '(.+)' already exists/s, words.taken],
  [/^(?:Channel|User group|Emoji) '(.+)' does not exist/s, words.noSuch],
  [/^Every message in the channel must be in the (.+) topic\.$/s, words.hasTopics],
  [/^Email '(.+)' not allowed/s, words.emailNotAllowed],
  [/^Uploaded file is larger than the allowed limit of (\d+) MiB/, words.fileTooLarge],
  [/^Must be an organization owner$/, () => words.ownersOnly],
  [/^'\w+' (?:setting cannot be set to|must be a (?:system user )?group)/, () => words.groupNotAllowed],
];

/** API terms that mean nothing to users of the console. */
const OF_THE_WIRE =
  /\w_\w|`|\b(?:streams?|realm|subject|zcommand|endpoint|parameters?|arguments?|principals?|submessage|pygments|queue)\b/i;

/**
 * Translates a refusal for the user: into the console's own wording, or the server's message unless it contains API
 * terms.
 */
export function wordsOf(sentence: string, status: number): string {
  const known = (words.sentences as Readonly<Record<string, string>>)[sentence];
  if (known) return known;
  for (const [pattern, say] of PATTERNS) {
    const found = pattern.exec(sentence);
    if (found) return say(...found.slice(1).filter(Boolean));
  }
  if (!OF_THE_WIRE.test(sentence)) return sentence;
  if (/permission|authorized|^must be/i.test(sentence)) return words.notAllowed;
  return status === 400 || status === 422 ? words.invalid : refused(status);
}
