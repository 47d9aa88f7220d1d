import type { JsonRow } from '../../../../platform/archives/json-rows';
import { ArchiveRow } from '../records/archive-row';
import type { ImportContext } from './import-context';

/** Flag bits in the archive. */
const READ = 1;
const STARRED = 2;
const MENTIONED = 8;
const CHANNEL_WILDCARD = 16;
const TOPIC_WILDCARD = 32;
const HISTORICAL = 1024;

/** Flag bits that mean the same here, and are stored per person. */
const KEPT = 2046;

/** Marks a row that alone records that a person received a message. */
const RECEIVED = 2048;

/** The archive's row of one person and one message. */
interface Receipt {
  readonly userId: number;
  readonly mask: number;
}

const UNUSABLE = 'Its person or its message is not there.';

/** Rows of a file by message, stored as typed arrays because a busy file has millions. */
export class Receipts {
  /** Message, person and flags of each row. */
  private numbers = new Uint32Array(3 * 4096);
  private count = 0;
  private order = new Uint32Array(0);
  private starts = new Uint32Array(1);

  /** Adds a row of the archive. Its message may come later in the file. */
  add({ survey, ledger }: ImportContext, row: JsonRow): void {
    const { user_profile: user, message, flags_mask: mask } = row;
    const messageId = typeof message === 'number' ? survey.messages.find(message) : null;
    const userId = typeof user === 'number' ? survey.accounts.find(user) : null;
    if (messageId === null || userId === null || !Number.isSafeInteger(mask)) {
      ledger.note('left out', 'zerver_usermessage', new ArchiveRow('', row).name, UNUSABLE);
      return;
    }
    if ((this.count + 1) * 3 > this.numbers.length) {
      const longer = new Uint32Array(this.numbers.length * 2);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    const at = this.count++ * 3;
    this.numbers[at] = messageId;
    this.numbers[at + 1] = userId;
    this.numbers[at + 2] = Number(mask) % 2 ** 16;
  }

  /** Groups rows by message. @param places positions of the file's messages by their new IDs */
  settle({ ledger }: ImportContext, places: ReadonlyMap<number, number>): void {
    const starts = new Uint32Array(places.size + 1);
    const placeOf = (row: number) => places.get(this.numbers[row * 3] as number);
    for (let row = 0; row < this.count; row++) {
      const place = placeOf(row);
      if (place === undefined) ledger.note('left out', 'zerver_usermessage', null, UNUSABLE);
      else starts[place + 1]! += 1;
    }
    for (let at = 0; at < places.size; at++) starts[at + 1]! += starts[at] as number;
    const next = starts.slice();
    this.order = new Uint32Array(starts.at(-1) ?? 0);
    for (let row = 0; row < this.count; row++) {
      const place = placeOf(row);
      if (place !== undefined) this.order[next[place]!++] = row;
    }
    this.starts = starts;
  }

  of(place: number): readonly Receipt[] {
    const rows = this.order.subarray(this.starts[place], this.starts[place + 1]);
    return Array.from(rows, (row) => ({
      userId: this.numbers[row * 3 + 1] as number,
      mask: this.numbers[row * 3 + 2] as number,
    }));
  }
}

/** Who received a message and with which flags, as stored here. */
export interface Reception {
  /** Whether only rows determine who received it. */
  readonly isByRows: boolean;
  readonly isChannelWildcard: boolean;
  readonly topicMentioned: readonly number[];
  readonly groupMentioned: readonly number[];
  readonly flags: readonly { readonly userId: number; readonly flags: number }[];
  readonly unread: readonly number[];
}

/** Expected receivers of a message, independent of rows. */
export interface Expected {
  /** Subscribers at that time, or all members of the conversation. */
  readonly userIds: ReadonlySet<number>;
  /** Expected receivers whose rows the archive omits. */
  readonly withoutRows: ReadonlySet<number>;
  readonly isDirect: boolean;
  /** People mentioned by the text. */
  readonly mentioned: ReadonlySet<number>;
}

const PLAIN = {
  isByRows: false,
  isChannelWildcard: false,
  topicMentioned: [],
  groupMentioned: [],
  flags: [],
};

/** Converts the rows of one message to the stored form, which only contains exceptions. */
export function receptionOf(rows: readonly Receipt[], expected: Expected): Reception {
  return plainReception(rows, expected) ?? wholeReception(rows, expected);
}

/**
 * Fast path for most messages: channel messages whose rows only record for each subscriber whether they read it.
 * @returns null for any other message
 */
function plainReception(
  rows: readonly Receipt[],
  { userIds, withoutRows, isDirect }: Expected,
): Reception | null {
  if (isDirect || withoutRows.size > 0) return null;
  const seen = new Set<number>();
  const unread: number[] = [];
  for (const { userId, mask } of rows) {
    if ((mask & ~READ) !== 0 || !userIds.has(userId) || seen.has(userId)) return null;
    seen.add(userId);
    if (mask !== READ) unread.push(userId);
  }
  return seen.size === userIds.size ? { ...PLAIN, unread } : null;
}

function wholeReception(rows: readonly Receipt[], expected: Expected): Reception {
  const masks = new Map<number, number>();
  for (const { userId, mask } of rows)
    if (!expected.isDirect || expected.userIds.has(userId)) masks.set(userId, mask);
  const has = (userId: number, bit: number) => ((masks.get(userId) ?? 0) & bit) !== 0;
  const received = expected.isDirect
    ? new Set(masks.keys())
    : new Set([...masks.keys()].filter((userId) => !has(userId, HISTORICAL)));
  const isByRows =
    !expected.isDirect &&
    [...expected.userIds].some((userId) => !received.has(userId) && !expected.withoutRows.has(userId));
  for (const userId of expected.withoutRows) if (!masks.has(userId)) received.add(userId);
  const withRows = [...received].filter((userId) => masks.has(userId));
  const isChannelWildcard = withRows.length > 0 && withRows.every((userId) => has(userId, CHANNEL_WILDCARD));
  const topicMentioned = withRows.filter((userId) => has(userId, TOPIC_WILDCARD));
  const groupMentioned = withRows.filter(
    (userId) => has(userId, MENTIONED) && !expected.mentioned.has(userId),
  );
  const shared = new Map<number, number>();
  const share = (userId: number, bit: number) => shared.set(userId, (shared.get(userId) ?? 0) | bit);
  for (const userId of topicMentioned) share(userId, TOPIC_WILDCARD);
  for (const userId of groupMentioned) share(userId, MENTIONED);
  const flags = [...new Set([...masks.keys(), ...received])].flatMap((userId) => {
    let bits = (masks.get(userId) ?? 0) & KEPT;
    if (received.has(userId)) {
      bits &= ~((shared.get(userId) ?? 0) | (isChannelWildcard ? CHANNEL_WILDCARD : 0));
      if (!expected.isDirect && (isByRows || !expected.userIds.has(userId))) bits |= RECEIVED;
    }
    return bits === 0 ? [] : [{ userId, flags: bits }];
  });
  const unread = [...masks.keys(), ...[...received].filter((userId) => !masks.has(userId))].filter(
    (userId) => !has(userId, READ),
  );
  return { isByRows, isChannelWildcard, topicMentioned, groupMentioned, flags, unread };
}

/** Reception in a converted archive: everyone expected has read the message, and rows only record stars. */
export function presumedReception(
  rows: readonly Receipt[],
  expected: Expected,
  isChannelWildcard: boolean,
): Reception {
  const flags = new Map([...expected.mentioned].map((userId) => [userId, MENTIONED]));
  for (const { userId, mask } of rows) flags.set(userId, (flags.get(userId) ?? 0) | (mask & STARRED));
  return {
    ...{ isByRows: false, isChannelWildcard, topicMentioned: [], groupMentioned: [], unread: [] },
    flags: [...flags]
      .filter(([userId, bits]) => bits !== 0 && expected.userIds.has(userId))
      .map(([userId, bits]) => ({ userId, flags: bits })),
  };
}
