import { defineEvent } from '../../platform/events/server-event';
import type { DraftWire } from './drafts.wire';

/** The receiver stored drafts. */
export const draftsAdded = defineEvent<{ drafts: readonly DraftWire[] }>('drafts', 'add');

/** The receiver edited a draft. */
export const draftUpdated = defineEvent<{ draft: DraftWire }>('drafts', 'update');

/** The receiver removed a draft. */
export const draftRemoved = defineEvent<{ draft_id: number }>('drafts', 'remove');
