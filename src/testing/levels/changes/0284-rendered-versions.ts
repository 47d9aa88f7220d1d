import { isNamed } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change284RenderedVersions = levelChange(
  284,
  'Zulip 10.0, feature level 284: Former versions of messages no longer have `prev_rendered_content_version`.',
  { records: { message: addVersions }, event: addVersion },
);

function addVersion(event: Json): Json {
  if (isNamed(event, 'update_message') && 'orig_content' in event) event['prev_rendered_content_version'] = 1;
  return event;
}

function addVersions({ edit_history: history }: Json): void {
  for (const entry of Array.isArray(history) ? (history as Json[]) : []) {
    if ('prev_content' in entry) entry['prev_rendered_content_version'] = 1;
  }
}
