import { levelChange } from '../level-change';

export const change252ChangingProfileFields = levelChange(
  252,
  'Zulip 9.0, feature level 252: `PATCH /realm/profile_fields/{field_id}` leaves what it does not name; before, that became empty.',
  { asks: { 'PATCH /realm/profile_fields/{field_id}': emptyWhereMissing } },
);

function emptyWhereMissing(parameters: Map<string, string>): void {
  for (const [name, empty] of [
    ['name', ''],
    ['hint', ''],
    ['display_in_profile_summary', 'false'],
  ] as const) {
    if (!parameters.has(name)) parameters.set(name, empty);
  }
}
