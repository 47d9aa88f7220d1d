import { isNamed } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change240Reloading = levelChange(
  240,
  'Zulip 9.0, feature level 240: `restart` no longer says whether clients are to reload `immediate`ly.',
  { event: notAtOnce },
);

function notAtOnce(event: Json): Json {
  return isNamed(event, 'restart') ? { ...event, immediate: false } : event;
}
