import { type Json, levelChange } from '../level-change';

export const change426Zephyr = levelChange(
  426,
  'Zulip 12.0, feature level 426: `realm_is_zephyr_mirror_realm` is gone.',
  { state: zephyr },
);

function zephyr(state: Json): void {
  if ('realm_name' in state) state['realm_is_zephyr_mirror_realm'] = false;
}
