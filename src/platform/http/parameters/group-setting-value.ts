import { json } from './json';
import { defineJsonType, type JsonType } from './json-type';

/** Who holds a permission: a group's ID, or people and groups named one by one (spec, Group-setting value). */
export type GroupSettingValue = number | { direct_members: number[]; direct_subgroups: number[] };

/** A new value together with the one the caller believes to be in force. */
export interface GroupSettingChange {
  new: GroupSettingValue;
  /** `null` and absent both mean: do not compare. */
  old?: GroupSettingValue | null;
}

const shape = json.union({
  int: json.integer(),
  object: json.object({
    direct_members: json.array(json.integer()),
    direct_subgroups: json.array(json.integer()),
  }),
});

/**
 * A group-setting value by its JSON shape; whether the groups and people exist is for the service to
 * say. Whatever does not fit is "not an integer" (reference 3.1 of groups).
 */
export function groupSettingValue(): JsonType<GroupSettingValue, false> {
  return defineJsonType(undefined, shape);
}

/** The `{new, old}` form that updating endpoints take (reference 3.4 of groups). */
export function groupSettingChange(): JsonType<GroupSettingChange, false> {
  return json.object(
    { new: groupSettingValue(), old: json.nullable(groupSettingValue(), { optional: true }) },
    { notAnObject: (at) => `${at} does not have the expected format` },
  );
}
