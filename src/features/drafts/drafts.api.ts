import type { Draft } from './drafts.entity';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { defineEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** Where a draft goes: to a channel, to people, or nowhere yet. */
export type DraftType = 'stream' | 'private' | '';

/** A draft as its owner sees it. */
export interface DraftWire {
  readonly id: number;
  readonly type: DraftType;
  /** One channel, the people without the owner, or empty. */
  readonly to: readonly number[];
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /** When it was edited, in UNIX seconds. */
  readonly timestamp: number;
}

/** The record of a draft. */
export function draftWire({ id, channelId, recipientIds, topic, content, editedAt }: Draft): DraftWire {
  const people = JSON.parse(recipientIds) as number[];
  const timestamp = Math.floor(editedAt / 1000);
  if (channelId !== null) return { id, type: 'stream', to: [channelId], topic, content, timestamp };
  return { id, type: people.length > 0 ? 'private' : '', to: people, topic, content, timestamp };
}

/** Most drafts of one account, and so the most that one request can add. */
export const MAX_DRAFTS = 500;

const MAX_RECIPIENTS = 1_000;

/** The end of the year 9999. */
const LATEST_SECOND = 253_402_300_799;

/** A draft as clients send it. */
export interface SentDraft {
  readonly type: DraftType;
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** UNIX seconds, perhaps with a fraction. */
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

  /** What takes the place of all that the draft was. */
  @Parameter(DRAFT, { example: EXAMPLE })
  draft!: SentDraft;
}

/** Parameters of `DELETE /drafts/{draft_id}`. */
export class RemoveDraftDto {
  /** ID of the draft. */
  @PathParameter()
  draft_id!: number;
}

/** The receiver stored drafts. */
export const draftsAdded = defineEvent<{ drafts: readonly DraftWire[] }>('drafts', 'add');

/** The receiver edited a draft. */
export const draftUpdated = defineEvent<{ draft: DraftWire }>('drafts', 'update');

/** The receiver removed a draft. */
export const draftRemoved = defineEvent<{ draft_id: number }>('drafts', 'remove');

/** The caller keeps drafts on their devices only. */
export class DraftsNotSynchronized extends refusal('User has disabled synchronizing drafts.') {}

/** No draft of the caller has this ID. */
export class DraftNotFound extends refusal('Draft does not exist', { status: 404 }) {}

/** The caller has too many drafts. */
export class TooManyDrafts extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} drafts.`);
  }
}

/** A draft was edited before 1970. */
export class NegativeTimestamp extends refusal('Timestamp must not be negative.') {}

/** The topic of a draft holds a NUL, which no column can store. */
export class NullInTopic extends refusal('Topic must not contain null bytes') {}

/** A draft for a channel names none or several. */
export class NotOneChannel extends refusal('Must specify exactly 1 channel ID for channel messages') {}
