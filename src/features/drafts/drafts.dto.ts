import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import type { DraftType } from './drafts.wire';

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
  /** What is to be kept; each with `type` (`stream`, `private` or empty), `to`, `topic`, `content`, `timestamp`. */
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
