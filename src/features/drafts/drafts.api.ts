import type { Draft } from './drafts.entity';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { defineEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** The destination of a draft: a channel, people, or none yet. */
export type DraftType = 'stream' | 'private' | '';

/** A draft as sent to its owner. */
export interface DraftWire {
  readonly id: number;
  readonly type: DraftType;
  /** One channel, the recipients without the owner, or empty. */
  readonly to: readonly number[];
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /** When it was last edited, in UNIX seconds. */
  readonly timestamp: number;
}

/** The record of a draft. */
export function draftWire({ id, channelId, recipientIds, topic, content, editedAt }: Draft): DraftWire {
  const people = JSON.parse(recipientIds) as number[];
  const timestamp = Math.floor(editedAt / 1000);
  if (channelId !== null) return { id, type: 'stream', to: [channelId], topic, content, timestamp };
  return { id, type: people.length > 0 ? 'private' : '', to: people, topic, content, timestamp };
}

/** Maximum number of drafts per account, and therefore per request. */
export const MAX_DRAFTS = 500;

const MAX_RECIPIENTS = 1_000;

/** The end of the year 9999. */
const LATEST_SECOND = 253_402_300_799;

/** A draft as sent by clients. */
export interface SentDraft {
  readonly type: DraftType;
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** UNIX seconds, possibly with a fraction. */
  readonly timestamp?: number | null;
}

const DRAFT = json.object(
  {
    type: json.oneOf(['private', 'stream', '']),
    to: json.array(json.integer(), { maxItems: MAX_RECIPIENTS }),
    topic: json.text({ unchecked: true }),
    content: json.text({ trim: true, notBlank: true, unchecked: true }),
    timestamp: json.nullable(json.float({ max: LATEST_SECOND }), { optional: true }),
  },
  { isClosed: true, maxCharacters: 262_144 },
);

const EXAMPLE: SentDraft & { to: number[] } = {
  type: 'stream',
  to: [11],
  topic: 'lunch',
  content: 'Soup again?',
  timestamp: 1_800_000_000,
};

/** Parameters of `POST /drafts`. */
export class AddDraftsDto {
  /** Drafts to store, each with `type` (`stream`, `private` or empty), `to`, `topic`, `content`, `timestamp`. */
  @Parameter(json.array(DRAFT, { maxItems: MAX_DRAFTS, maxCharacters: 1_048_576 }), { example: [EXAMPLE] })
  drafts!: SentDraft[];
}

/** Parameters of `PATCH /drafts/{draft_id}`. */
export class EditDraftDto {
  /** ID of the draft. */
  @PathParameter()
  draft_id!: number;

  /** The new version of the draft. */
  @Parameter(DRAFT, { example: EXAMPLE })
  draft!: SentDraft;
}

/** Parameters of `DELETE /drafts/{draft_id}`. */
export class RemoveDraftDto {
  /** ID of the draft. */
  @PathParameter()
  draft_id!: number;
}

/** The recipient stored drafts. */
export const draftsAdded = defineEvent<{ drafts: readonly DraftWire[] }>('drafts', 'add');

/** The recipient edited a draft. */
export const draftUpdated = defineEvent<{ draft: DraftWire }>('drafts', 'update');

/** The recipient deleted a draft. */
export const draftRemoved = defineEvent<{ draft_id: number }>('drafts', 'remove');

/** The caller's setting keeps drafts on their devices only. */
export class DraftsNotSynchronized extends refusal('User has disabled synchronizing drafts.') {}

/** No draft of the caller has this ID. */
export class DraftNotFound extends refusal('Draft does not exist', { status: 404 }) {}

/** The limit on drafts is reached. */
export class TooManyDrafts extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} drafts.`);
  }
}

/** The time of a draft is before 1970. */
export class NegativeTimestamp extends refusal('Timestamp must not be negative.') {}

/** The topic of a draft contains a NUL, which cannot be stored. */
export class NullInTopic extends refusal('Topic must not contain null bytes') {}

/** A draft for a channel must name exactly one. */
export class NotOneChannel extends refusal('Must specify exactly 1 channel ID for channel messages') {}
