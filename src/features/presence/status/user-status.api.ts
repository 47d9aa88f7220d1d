import { refusal } from '../../../platform/errors/api-error';
import { EmojiType, type EmojiReference } from '../../emoji/emoji.module';
import type { UserStatus } from './user-status.entity';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';

/** The requested status; omitted properties do not change. */
export interface RequestedStatus {
  /** Trimmed; empty for none. */
  readonly text?: string;
  /** Legacy way to hide the person's presence. */
  readonly isAway?: boolean;
  /** An empty name removes the emoji. */
  readonly emoji: Partial<EmojiReference>;
}

/** The status of a person, without the person. */
export type StatusContent = Omit<UserStatus, 'userId'>;

/** The status of a person who has set none. */
export const EMPTY_STATUS: StatusContent = { text: '', emojiName: '', emojiCode: '', emojiType: '' };

/** A status as sent to clients: empty parts are omitted. */
export interface UserStatusWire {
  /** Whether the person hides their presence. */
  readonly away?: true;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

/** A status without its empty keys. */
export function userStatusWire(status: StatusContent, isAway: boolean): UserStatusWire {
  return {
    ...(isAway ? { away: true } : {}),
    ...(status.text === '' ? {} : { status_text: status.text }),
    ...(status.emojiName === '' ? {} : emojiKeys(status)),
  };
}

/** Keys of an event: the changed ones, including empty ones. */
export interface StatusChangeWire {
  readonly away?: boolean;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

/** The difference between two statuses, for the event. */
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

/** The statuses of everyone who has one, by user ID. */
export function userStatusesWire(
  statuses: ReadonlyMap<number, StatusContent>,
  away: ReadonlySet<number>,
): Record<string, UserStatusWire> {
  const userIds = [...new Set([...statuses.keys(), ...away])].sort((a, b) => a - b);
  return Object.fromEntries(
    userIds.map((id) => [id, userStatusWire(statuses.get(id) ?? EMPTY_STATUS, away.has(id))]),
  );
}

const MAX_STATUS_LENGTH = 60;

const optional = { optional: true } as const;

/** The new status. */
class StatusDto {
  /** Text of the status; empty for none. */
  @Parameter(text({ trim: true, maxLength: MAX_STATUS_LENGTH }), optional) status_text?: string;
  /** Name of an emoji; empty for none. */
  @Parameter(text(), optional) emoji_name?: string;
  /** Code of the emoji; determined by the name if omitted. */
  @Parameter(text(), optional) emoji_code?: string;
  /** Kind of the emoji: `unicode_emoji`, `realm_emoji` or `zulip_extra_emoji`. */
  @Parameter(text(), { ...optional, checked: { enum: Object.values(EmojiType) } }) reaction_type?: string;
}

/** Parameters of `POST /users/me/status`. */
export class UpdateOwnStatusDto extends StatusDto {
  /** Legacy way to hide the caller's presence. */
  @Parameter(json.boolean(), optional) away?: boolean;
}

/** Parameters of `POST /users/{user_id}/status`. */
export class UpdateStatusDto extends StatusDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Parameters of `GET /users/{user_id}/status`. */
export class GetStatusDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Converts the parameters; undefined means no change. */
export function toRequestedStatus(dto: StatusDto): RequestedStatus {
  return {
    text: dto.status_text,
    emoji: { name: dto.emoji_name, code: dto.emoji_code, type: dto.reaction_type },
  };
}

/** The status of a person changed, or whether they hide their presence. */
export const userStatusChanged = defineEvent<StatusChangeWire & { readonly user_id: number }>('user_status');

/** The update contains neither a text, an emoji, nor whether the person is away. */
export class NoNewStatus extends refusal('Client did not pass any new values.') {}

/** The code or type of an emoji requires its name. */
export class MissingStatusEmojiName extends refusal(
  'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
) {}
