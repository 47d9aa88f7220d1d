/** A field of a mail's header, unfolded. */
interface HeadField {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/** The header of a mail, read without decoding anything. */
export class MailHead {
  private constructor(
    private readonly fields: readonly HeadField[],
    /** Where the body begins, as the mail arrived. */
    readonly bodyStart: number,
  ) {}

  /** @returns null for what is no mail: it has no fields, or more than a mail has */
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

  /** The values of a field, in their order. */
  all(name: string): readonly string[] {
    return this.fields.filter((field) => field.name === name).map(({ value }) => value);
  }

  first(name: string): string | undefined {
    return this.all(name)[0];
  }

  /** Addresses in the fields that name recipients, those first that mail servers write. */
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

/** Where the empty line is; a mail without a body ends with its header. */
function endOfHead(start: Buffer): number | null {
  const ends = ['\r\n\r\n', '\n\n'].map((mark) => start.indexOf(mark)).filter((at) => at !== -1);
  const end = ends.length > 0 ? Math.min(...ends) : start.length;
  return end > MAX_HEAD_BYTES ? null : end;
}

/** Comments and quoted strings, in which senders choose what is there. */
const CHOSEN_BY_SENDERS = /\([^()]*\)|"[^"]*"/g;

/**
 * Whether our mail server verified that the mail comes from the domain of its sender: DMARC passed. Of several results the
 * first counts, as mail servers put theirs above what they received.
 * @param authservId name that our mail server gives in `Authentication-Results`; null without one
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

/** Each server on the way adds one; a mail with more goes in circles. */
const MAX_HOPS = 30;

/**
 * Why a mail must not be posted, since a program wrote it, or it comes back to us; null for all others. Such mail is
 * dropped: to refuse it would make another mail.
 * @param isReply whether it answers a notification; mailing lists may write to channels
 * @param listId of the mails that this server sends
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

/** What an address asks for, beside the place where its mail goes. */
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
 * Reads `{name}.{token}.{options}`, also with `+` between the parts. The name is decoration, and may be missing.
 * @returns null where no token is
 */
export function readChannelLocalPart(local: string): ChannelLocalPart | null {
  const isOption = (part: string): part is MailOption => (MAIL_OPTIONS as readonly string[]).includes(part);
  const parts = local.toLowerCase().split(/[.+]/);
  const [first = '', second] = parts.filter((part) => !isOption(part));
  const token = second ?? first;
  return /^[0-9a-f]{32}$/.test(token) ? { token, options: parts.filter(isOption) } : null;
}
