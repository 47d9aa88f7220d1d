/** Longest text that is looked at; a message has 10,000 characters. */
export const MAX_TEXT = 200_000;
const MAX_LINES = 5_000;
const MAX_LINE = 1_000;

/** Lines with which mail programs begin what they quote; looked at in lines of a bounded length. */
const SEPARATOR =
  /^[-_ ]{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht)\b/i;
const WROTE =
  /^(?:On|Am|Le|El|Il|Op|Den|Em)\s.{1,300}\s(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu)\s?.{0,100}:$/i;
const FIELD = /^[*>\s]{0,4}(?:From|Von|De|Da|Van|Fra|Från)\s?:/i;
const FURTHER_FIELD =
  /^[*>\s]{0,4}(?:Sent|Date|To|Subject|Cc|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto)\s?:/i;

/** Up to this many lines may an introduction such as `On {date}, {name} wrote:` have. */
const INTRODUCTION_LINES = 3;

/** Text of a mail as it was written, or Markdown that was made of HTML. */
type TextForm = 'plain' | 'markdown';

/** A line as it was written: Markdown has a backslash before what would be a mark. */
const written = (line: string, form: TextForm) => (form === 'plain' ? line : line.replace(/^\\(?=[-_])/, ''));

/**
 * The text without what it answers, which mail programs put below, above and between. What is quoted in HTML was known by
 * its tags; the other quotations are of the sender.
 */
export function withoutQuotes(text: string, form: TextForm): string {
  const lines = linesOf(text);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (form === 'plain' && line.startsWith('>')) continue;
    if (SEPARATOR.test(written(line, form)) || isFieldBlock(lines, at)) break;
    const introduction = introductionAt(lines, at);
    // What is quoted below an introduction starts with marks, or is all the rest.
    if (introduction > 0) {
      const next = lines.slice(at + introduction).find((each) => each.trim() !== '');
      if (!next?.startsWith('>')) break;
      at += introduction - 1;
      continue;
    }
    kept.push(line);
  }
  while (/^[_\s]*$/.test(kept.at(-1) ?? 'x')) kept.pop();
  return kept.join('\n').trim();
}

/** How many lines an introduction that begins here has; 0 where none does. */
function introductionAt(lines: readonly string[], at: number): number {
  if (!/^(?:On|Am|Le|El|Il|Op|Den|Em)\s/i.test(lines[at]!)) return 0;
  for (let count = 1; count <= INTRODUCTION_LINES; count++) {
    const joined = lines
      .slice(at, at + count)
      .join(' ')
      .trim();
    if (WROTE.test(joined)) return count;
  }
  return 0;
}

/** Outlook quotes below the fields of the mail that it answers. */
function isFieldBlock(lines: readonly string[], at: number): boolean {
  if (!FIELD.test(lines[at]!)) return false;
  return lines.slice(at + 1, at + 5).filter((line) => FURTHER_FIELD.test(line)).length >= 2;
}

/** The text without a signature: what follows the only line that is `--`. */
export function withoutFooter(text: string, form: TextForm): string {
  const lines = linesOf(text);
  const marks = lines.flatMap((line, at) => (written(line, form).trimEnd() === '--' ? [at] : []));
  return marks.length === 1 ? lines.slice(0, marks[0]).join('\n').trim() : text;
}

function linesOf(text: string): string[] {
  return text
    .slice(0, MAX_TEXT)
    .split('\n', MAX_LINES)
    .map((line) => (line.length > MAX_LINE && /^(?:>|On |Am )/.test(line) ? line.slice(0, MAX_LINE) : line));
}

/** Answers and forwarded mails have the topic of the mail that they answer. */
const PREFIX =
  /^[[(\s]{0,5}(?:(?:re|aw|fwd?)(?:\[\d{1,3}\])?\s{0,3}[:;\-)\]]|(?:sv|wg)\s{0,3}:)[\s:;\-)\]]*/i;

/** What no topic may contain, and white space. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Cn}\p{Noncharacter_Code_Point}\s]+/gu;

const MAX_TITLE = 1_000;

/** The subject as a topic, which may still be too long. */
export function topicOf(title: string): string {
  let topic = title.slice(0, MAX_TITLE).toWellFormed().replace(NOT_SHOWN, ' ').trim();
  for (let before = ''; before !== topic;) {
    before = topic;
    topic = topic.replace(PREFIX, '').trim();
    // As in `[Fwd: Lunch]`.
    if (topic !== before && before.startsWith('[')) topic = topic.replace(/\]$/, '').trim();
  }
  return topic === '' ? 'Email with no subject' : topic;
}

/** Whether a mail is handed on for the sake of what it quotes. */
export function isForwarded(title: string): boolean {
  return /^[[(\s]{0,5}(?:fwd?|wg)\b/i.test(title);
}
