/** Longest text to process; a message has at most 10,000 characters. */
export const MAX_TEXT = 200_000;
const MAX_LINES = 5_000;
const MAX_LINE = 1_000;

/** Lines with which mail programs introduce quotations. Quantifiers are bounded. */
const SEPARATOR =
  /^[-_ ]{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht)\b/i;
const WROTE =
  /^(?:On|Am|Le|El|Il|Op|Den|Em)\s.{1,300}\s(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu)\s?.{0,100}:$/i;
const FIELD = /^[*>\s]{0,4}(?:From|Von|De|Da|Van|Fra|Från)\s?:/i;
const FURTHER_FIELD =
  /^[*>\s]{0,4}(?:Sent|Date|To|Subject|Cc|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto)\s?:/i;

/** Maximum lines of an introduction such as `On {date}, {name} wrote:`. */
const INTRODUCTION_LINES = 3;

/** Plain text of a mail, or Markdown converted from HTML. */
type TextForm = 'plain' | 'markdown';

/** Removes the backslash that escapes a leading `-` or `_` in Markdown. */
const written = (line: string, form: TextForm) => (form === 'plain' ? line : line.replace(/^\\(?=[-_])/, ''));

/**
 * Removes the quoted mail, which may be below, above or between the reply. In Markdown from HTML, lines with `>` stay:
 * the conversion has removed the quoted mail by its tags, so the remaining quotations are the sender's own.
 */
export function withoutQuotes(text: string, form: TextForm): string {
  const lines = linesOf(text);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (form === 'plain' && line.startsWith('>')) continue;
    if (SEPARATOR.test(written(line, form)) || isFieldBlock(lines, at)) break;
    const introduction = introductionAt(lines, at);
    // The quotation after an introduction either has `>` before each line, or is the whole rest.
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

/** Number of lines of an introduction that starts at `at`; 0 if there is none. */
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

/** Whether a block of header fields starts at `at`; Outlook puts the quoted mail below one. */
function isFieldBlock(lines: readonly string[], at: number): boolean {
  if (!FIELD.test(lines[at]!)) return false;
  return lines.slice(at + 1, at + 5).filter((line) => FURTHER_FIELD.test(line)).length >= 2;
}

/** Removes the signature: everything after the only `--` line. */
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

/** Prefixes of replies and forwarded mails, which use the topic of the original mail. */
const PREFIX =
  /^[[(\s]{0,5}(?:(?:re|aw|fwd?)(?:\[\d{1,3}\])?\s{0,3}[:;\-)\]]|(?:sv|wg)\s{0,3}:)[\s:;\-)\]]*/i;

/** Whitespace, and characters that no topic may contain. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Cn}\p{Noncharacter_Code_Point}\s]+/gu;

const MAX_TITLE = 1_000;

/** Converts a subject to a topic, which may still be too long. */
export function topicOf(title: string): string {
  let topic = title.slice(0, MAX_TITLE).toWellFormed().replace(NOT_SHOWN, ' ').trim();
  for (let before = ''; before !== topic;) {
    before = topic;
    topic = topic.replace(PREFIX, '').trim();
    // For example, `[Fwd: Lunch]`.
    if (topic !== before && before.startsWith('[')) topic = topic.replace(/\]$/, '').trim();
  }
  return topic === '' ? 'Email with no subject' : topic;
}

/** Whether a mail is forwarded, so that its quotation is the actual content. */
export function isForwarded(title: string): boolean {
  return /^[[(\s]{0,5}(?:fwd?|wg)\b/i.test(title);
}
