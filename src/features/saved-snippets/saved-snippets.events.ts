import { defineEvent } from '../../platform/events/server-event';
import type { SavedSnippetWire } from './saved-snippets.wire';

/** The receiver saved a snippet. */
export const savedSnippetAdded = defineEvent<{ saved_snippet: SavedSnippetWire }>('saved_snippets', 'add');

/** The receiver edited a snippet. */
export const savedSnippetUpdated = defineEvent<{ saved_snippet: SavedSnippetWire }>(
  'saved_snippets',
  'update',
);

/** The receiver removed a snippet. */
export const savedSnippetRemoved = defineEvent<{ saved_snippet_id: number }>('saved_snippets', 'remove');
