/** An unfolded header field. */
interface HeadField {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/** The undecoded header of a mail. */
export class MailHead {
  private constructor(
    private readonly fields: readonly HeadField[],
    /** Offset of the body in the raw mail. */
    readonly bodyStart: number,
  ) {}

  /** Parses a header. @returns null if it has no fields or is too long */
  static of(raw: Buffer): MailHead | null {
    const end = endOfHead(raw.subarray(0, MAX_HEAD_BYTES + 4));
    if (end === null) return null;
    const fields: { name: string; lines: string[] }[] = [];
    for (const line of raw.toString('utf8', 0, end).split(/\r?\n/)) {
      const newest = fields.at(-1);
      if (/^[ \t]/.test(line) && newest) newest.lines.push(line);
      else if (/^[\x21-\x39\x3b-\x7e]{1,200}[ \t]*:/.test(line)) {
        const colon = line.indexOf(':');
        fields.push({ name: line.slice(0, colon).trim().toLowerCase(), lines: [line.slice(colon + 1)] });
      }
    }
    if (fields.length === 0) return null;
    const whole = fields.map(({ name, lines }) => ({ name, value: lines.join('').trim() }));
    return new MailHead(whole, end);
  }

  /** The values of a field, in order. */
  all(name: string): readonly string[] {
    return this.fields.filter((field) => field.name === name).map(({ value }) => value);
  }

  first(name: string): string | undefined {
    return this.all(name)[0];
  }

  /** Addresses in the recipient fields, starting with the fields that mail servers add. */
  *recipients(): Generator<string> {
    for (const name of RECIPIENT_FIELDS) {
      for (const value of this.all(name)) {
        for (const word of value.split(/[\s,;:<>()"]+/)) if (word.includes('@')) yield word;
      }
    }
  }
}

const MAX_HEAD_BYTES = 1024 * 1024;

const RECIPIENT_FIELDS = [
  'x-gm-original-to',
  'delivered-to',
  'envelope-to',
  'resent-to',
  'resent-cc',
  'to',
  'cc',
];

/** Offset of the empty line after the header, or the length of a mail without one; null if the header is too long. */
function endOfHead(start: Buffer): number | null {
  const ends = ['\r\n\r\n', '\n\n'].map((mark) => start.indexOf(mark)).filter((at) => at !== -1);
  const end = ends.length > 0 ? Math.min(...ends) : start.length;
  return end > MAX_HEAD_BYTES ? null : end;
}

/** Comments and quoted strings, whose content senders can choose. */
const CHOSEN_BY_SENDERS = /\([^()]*\)|"[^"]*"/g;

/**
 * Whether our mail server verified the domain of the sender with DMARC. Uses the first of several results, because mail
 * servers prepend theirs.
 * @param authservId our mail server's name in `Authentication-Results`; null if not configured
 */
export function isSenderVerified(head: MailHead, authservId: string | null): boolean {
  if (authservId === null || head.all('from').length !== 1) return false;
  for (const field of head.all('authentication-results')) {
    const [id = '', ...results] = field.replace(CHOSEN_BY_SENDERS, '').split(';');
    if (id.trim().split(/\s/, 1)[0]?.toLowerCase() !== authservId.toLowerCase()) continue;
    const result = results.find((each) => /^\s*dmarc\s*=/i.test(each));
    if (result !== undefined) return /^\s*dmarc\s*=\s*pass\b/i.test(result);
  }
  return false;
}

/** Maximum `Received` fields: each server adds one, so a mail with more is in a loop. */
const MAX_HOPS = 30;

/**
 * Why a mail must not be posted, because it is automatic or loops back to us; null for other mail. Such mail is
 * dropped, since refusing it would cause a bounce.
 * @param isReply whether it replies to a notification; mailing lists may post to channels
 * @param listId list ID of the mails that this server sends
 */
export function loopReason(head: MailHead, isReply: boolean, listId: string): string | null {
  const auto = head.first('auto-submitted');
  if (auto !== undefined && !/^no\b/i.test(auto)) return 'Auto-Submitted';
  if (/^<\s*>$/.test(head.first('return-path') ?? '')) return 'empty Return-Path';
  if (head.all('received').length > MAX_HOPS) return 'too many Received';
  if (head.all('list-id').some((value) => value.toLowerCase().includes(`<${listId}>`))) return 'own List-Id';
  if (!isReply) return null;
  if (head.first('x-auto-response-suppress') !== undefined) return 'X-Auto-Response-Suppress';
  return /^(?:bulk|junk|list)\b/i.test(head.first('precedence') ?? '') ? 'Precedence' : null;
}

/** Options in an address. */
export const MAIL_OPTIONS = [
  'show-sender',
  'include-footer',
  'include-quotes',
  'prefer-text',
  'prefer-html',
] as const;

/** One of {@link MAIL_OPTIONS}. */
export type MailOption = (typeof MAIL_OPTIONS)[number];

/** The local part of a channel's address. */
export interface ChannelLocalPart {
  readonly token: string;
  readonly options: readonly MailOption[];
}

/**
 * Parses `{name}.{token}.{options}`, also with `+` between the parts. The name is decorative and optional.
 * @returns null if there is no token
 */
export function readChannelLocalPart(local: string): ChannelLocalPart | null {
  const isOption = (part: string): part is MailOption => (MAIL_OPTIONS as readonly string[]).includes(part);
  const parts = local.toLowerCase().split(/[.+]/);
  const [first = '', second] = parts.filter((part) => !isOption(part));
  const token = second ?? first;
  return /^[0-9a-f]{32}$/.test(token) ? { token, options: parts.filter(isOption) } : null;
}
