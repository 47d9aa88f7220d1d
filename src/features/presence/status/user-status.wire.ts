import { EmojiType } from '../../emoji';
import type { UserStatus } from './user-status.entity';

/** The status of a person, without the person. */
export type StatusContent = Omit<UserStatus, 'userId'>;

/** The status of a person who has set none. */
export const EMPTY_STATUS: StatusContent = { text: '', emojiName: '', emojiCode: '', emojiType: '' };

/** A status as the interface shows it: empty parts are omitted. */
export interface UserStatusWire {
  /** The person hides their presence. */
  readonly away?: true;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

/** A status with only those keys that are not empty. */
export function userStatusWire(status: StatusContent, isAway: boolean): UserStatusWire {
  return {
    ...(isAway ? { away: true } : {}),
    ...(status.text === '' ? {} : { status_text: status.text }),
    ...(status.emojiName === '' ? {} : emojiKeys(status)),
  };
}

/** Keys of an event: those that a change touched, empty ones included. */
export interface StatusChangeWire {
  readonly away?: boolean;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

/** The difference between two statuses, as the event of a change names it. */
export function statusChangeWire(before: StatusContent, after: StatusContent): StatusChangeWire {
  const isOtherEmoji =
    before.emojiName !== after.emojiName ||
    before.emojiCode !== after.emojiCode ||
    before.emojiType !== after.emojiType;
  return {
    ...(before.text === after.text ? {} : { status_text: after.text }),
    ...(isOtherEmoji ? emojiKeys(after) : {}),
  };
}

/** Clients expect one of the three types even without an emoji. */
function emojiKeys({ emojiName, emojiCode, emojiType }: StatusContent) {
  return { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: emojiType || EmojiType.unicode };
}

/** The status of everybody who has one, by user ID. */
export function userStatusesWire(
  statuses: ReadonlyMap<number, StatusContent>,
  away: ReadonlySet<number>,
): Record<string, UserStatusWire> {
  const userIds = [...new Set([...statuses.keys(), ...away])].sort((a, b) => a - b);
  return Object.fromEntries(
    userIds.map((id) => [id, userStatusWire(statuses.get(id) ?? EMPTY_STATUS, away.has(id))]),
  );
}
