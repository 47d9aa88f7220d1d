import { json } from '../../../platform/http/parameters/json';
import { defineJsonType, type JsonType } from '../../../platform/http/parameters/json-type';

/** People and groups named one by one, for whom an anonymous group stands. */
export interface AnonymousGroup {
  readonly direct_members: readonly number[];
  readonly direct_subgroups: readonly number[];
}

/** Who holds a permission: a group's ID, or people and groups named one by one. */
export type GroupSettingValue = number | AnonymousGroup;

/** A new value together with the one the caller believes to be in force. */
export interface GroupSettingChange {
  readonly new: GroupSettingValue;
  /** `null` and absent both mean: do not compare. */
  readonly old?: GroupSettingValue | null;
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
 * say. Everything that does not fit is "not an integer".
 */
export function groupSettingValue(): JsonType<GroupSettingValue, false> {
  return defineJsonType(undefined, shape);
}

/** The `{new, old}` form that updating endpoints take. */
export function groupSettingChange(): JsonType<GroupSettingChange, false> {
  return json.object(
    { new: groupSettingValue(), old: json.nullable(groupSettingValue(), { optional: true }) },
    { notAnObject: (at) => `${at} does not have the expected format` },
  );
}
