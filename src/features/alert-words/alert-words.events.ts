import { defineEvent } from '../../platform/events/server-event';

/** The receiver's alert words changed; the list is complete. */
export const alertWordsChanged = defineEvent<{ alert_words: readonly string[] }>('alert_words');
