import { type Json, levelChange } from '../level-change';

export const change364DenseMode = levelChange(
  364,
  'Zulip 10.0, feature level 364: The personal setting `dense_mode` is gone.',
  { records: { 'personal settings': denseMode } },
);

function denseMode(settings: Json): void {
  settings['dense_mode'] = true;
}
