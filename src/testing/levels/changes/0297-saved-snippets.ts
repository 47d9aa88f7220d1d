import { levelChange } from '../level-change';
import { newEvents, newRoutes, newStateKeys } from '../keys';

export const change297SavedSnippets = levelChange(
  297,
  'Zulip 10.0, feature level 297: Saved snippets are new.',
  newRoutes('GET /saved_snippets', 'POST /saved_snippets', 'DELETE /saved_snippets/{saved_snippet_id}'),
  newStateKeys('saved_snippets'),
  newEvents('saved_snippets'),
);
