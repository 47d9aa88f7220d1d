import { levelChange } from '../level-change';
import { newEvents, newRoutes } from '../keys';

export const change368EditingSnippets = levelChange(
  368,
  'Zulip 10.0, feature level 368: Saved snippets are edited.',
  newRoutes('PATCH /saved_snippets/{saved_snippet_id}'),
  newEvents('saved_snippets/update'),
);
