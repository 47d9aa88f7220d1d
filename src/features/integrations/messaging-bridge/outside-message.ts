import { createHash } from 'node:crypto';
import { isISO8601 } from 'class-validator';
import { visibleTopic } from '../../channels/channels.module';

/** Formats of messages from outside. The same address in two formats belongs to two people. */
export const MessageSource = { form: 'form', whatsapp: 'whatsapp' } as const;

/** Name of such a format. */
export type MessageSource = (typeof MessageSource)[keyof typeof MessageSource];

/** A person outside the organization. */
export interface OutsideSender {
  readonly source: MessageSource;
  /** Identifies the sender, such as a telephone number. */
  readonly address: string;
  /** Name that the sender chose; null if the format does not include it. */
  readonly name: string | null;
  /** The operator's number that they wrote to, if the format includes it. */
  readonly via: string | null;
}

/** A message from outside, in any format. */
export interface OutsideMessage {
  readonly sender: OutsideSender;
  /** Unique among the messages of its format. */
  readonly externalId: string;
  /** Markdown, or text that is treated as Markdown; never empty. */
  readonly text: string;
  /** UNIX seconds. */
  readonly writtenAt: number;
}

/** Numbers from here on are milliseconds: as seconds, they would be in the year 5138 or later. */
const MILLISECONDS_FROM = 100_000_000_000;

/** A text that is storable and not blank; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replaceAll('\0', '').toWellFormed();
  return text.trim() === '' ? null : text;
}

/** Parses a time in any of the senders' formats to UNIX seconds; undefined for anything else. */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? seconds(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,15}$/.test(value)) return seconds(Number(value));
  const time = value.length <= 40 && isISO8601(value, { strict: true }) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

function seconds(number: number): number {
  return Math.floor(number >= MILLISECONDS_FROM ? number / 1000 : number);
}

/** Maximum length of topic names, in code points. */
const MAX_LENGTH = 60;

/** Whitespace, and what no topic may contain: control characters, lone surrogates and noncharacters. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\s]+/gu;

/** Numbers of hexadecimal digits to try in suffixes of otherwise equal topic names. */
const DIGITS = [8, 16, 32];

/**
 * Candidates for the topic name of a sender, best first: the sender's name, then the same with suffixes that are unique
 * to the sender. All can be stored unchanged.
 * @param isReserved whether a name has a special meaning, such as the empty topic
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

/** Always includes the number, because senders can choose any name, but not their number. */
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
