import type { ChangePart, Json, LevelContext } from './level-change';
import { isNamed, isObject, newParameterValue, objectIn, without } from './records';

const SETTINGS = 'PATCH /settings';
const DEFAULTS = 'PATCH /realm/user_settings_defaults';
const ORGANIZATION = 'PATCH /realm';
const NEW_CHANNELS = ['POST /users/me/subscriptions', 'POST /channels/create'];
const CHANNEL = 'PATCH /streams/{stream_id}';
const NEW_GROUP = 'POST /user_groups/create';
const GROUP = 'PATCH /user_groups/{user_group_id}';

/** Marks personal settings that did not exist. */
export function newPersonalSettings(...names: readonly string[]): ChangePart {
  return {
    parameters: { [SETTINGS]: names, [DEFAULTS]: names },
    records: { 'personal settings': (settings) => without(settings, names) },
    event: (event) =>
      concernsOne(event, ['user_settings/update', 'realm_user_settings_defaults/update'], names)
        ? null
        : event,
  };
}

/** Marks a value that a personal setting did not accept; it is refused like any unknown one. */
export function newPersonalSettingValue(name: string, value: string): ChangePart {
  return newParameterValue([SETTINGS, DEFAULTS], name, value);
}

/** Marks organization settings that did not exist. */
export function newOrganizationSettings(...names: readonly string[]): ChangePart {
  return {
    parameters: { [ORGANIZATION]: names },
    state: (state) => {
      without(
        state,
        names.map((name) => `realm_${name}`),
      );
      without(objectIn(objectIn(state, 'server_supported_permission_settings'), 'realm'), names);
    },
    event: (event) =>
      concernsOne(event, ['realm/update'], names) ? null : withoutData(event, 'realm/update_dict', names),
  };
}

/** Marks channel settings that did not exist. */
export function newChannelSettings(...names: readonly string[]): ChangePart {
  return {
    parameters: Object.fromEntries([...NEW_CHANNELS, CHANNEL].map((route) => [route, names])),
    records: { channel: (channel) => without(channel, names) },
    state: (state) =>
      without(objectIn(objectIn(state, 'server_supported_permission_settings'), 'stream'), names),
    ...newChannelUpdates(...names),
  };
}

/** Marks channel properties whose changes sent no events. */
export function newChannelUpdates(...names: readonly string[]): ChangePart {
  return { event: (event) => (concernsOne(event, ['stream/update'], names) ? null : event) };
}

/** Marks user group settings that did not exist. */
export function newGroupSettings(...names: readonly string[]): ChangePart {
  return {
    parameters: { [NEW_GROUP]: names, [GROUP]: names },
    records: { group: (group) => without(group, names) },
    state: (state) =>
      without(objectIn(objectIn(state, 'server_supported_permission_settings'), 'group'), names),
    event: (event) => withoutData(event, 'user_group/update', names),
  };
}

/** Renames a setting of the organization. */
export function renamedOrganizationSetting(former: string, today: string): ChangePart {
  return {
    parameters: { [ORGANIZATION]: [today] },
    asks: {
      [ORGANIZATION]: (parameters) => {
        const value = parameters.get(former);
        if (value === undefined) return;
        parameters.delete(former);
        parameters.set(today, value);
      },
    },
    state: (state) => rename(state, `realm_${today}`, `realm_${former}`),
    event: (event) => {
      if (isNamed(event, 'realm/update') && event['property'] === today) event['property'] = former;
      if (isNamed(event, 'realm/update_dict')) rename(objectIn(event, 'data'), today, former);
      return event;
    },
  };
}

function rename(record: Json, today: string, former: string): void {
  if (!(today in record)) return;
  record[former] = record[today];
  delete record[today];
}

function concernsOne(event: Json, types: readonly string[], names: readonly string[]): boolean {
  return types.some((type) => isNamed(event, type)) && names.includes(String(event['property']));
}

/** The event without the data of some settings; null if it contains nothing else. */
function withoutData(event: Json, type: string, names: readonly string[]): Json | null {
  if (!isNamed(event, type)) return event;
  const data = objectIn(event, 'data');
  const hadSome = Object.keys(data).length > 0;
  without(data, names);
  return hadSome && Object.keys(data).length === 0 ? null : event;
}

/** Numbers for roles, in place of today's groups. */
type PolicyNumbers = Readonly<Record<string, number>>;

/** The numbers of most policies. */
export const COMMON_POLICY: PolicyNumbers = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
};

/**
 * Replaces a group setting of the organization by a policy number. A group without a number is reported as
 * administrators.
 */
export function policyBefore(
  setting: string,
  policy: string,
  numbers: PolicyNumbers = COMMON_POLICY,
): [ChangePart, ChangePart] {
  const numberOf = (value: unknown, context: LevelContext) =>
    numbers[groupNameOf(value, context)] ?? numbers['role:administrators'] ?? 1;
  const before: ChangePart = {
    asks: {
      [ORGANIZATION]: (parameters, context) => {
        const name = Object.keys(numbers).find((group) => String(numbers[group]) === parameters.get(policy));
        if (name === undefined) return;
        parameters.delete(policy);
        parameters.set(setting, JSON.stringify({ new: context.systemGroup(name) }));
      },
    },
    state: (state, context) => {
      const value = state[`realm_${setting}`];
      if (value !== undefined) state[`realm_${policy}`] = numberOf(value, context);
    },
    event: (event, context) => {
      const data = objectIn(event, 'data');
      if (!isNamed(event, 'realm/update_dict') || !(setting in data)) return event;
      return organizationUpdate(event, policy, numberOf(data[setting], context));
    },
  };
  // The newest form goes last, because older ones are derived from it.
  return [newOrganizationSettings(setting), before];
}

/**
 * Replaces a policy of the organization by a boolean. Changing it sets the policy.
 * @param values of the policy for true and for false
 */
export function booleanBefore(
  policy: string,
  setting: string,
  [yes, no]: readonly [string, string],
): ChangePart {
  const ask = (parameters: Map<string, string>) => {
    const value = parameters.get(setting);
    if (value !== 'true' && value !== 'false') return;
    parameters.delete(setting);
    parameters.set(policy, value === 'true' ? yes : no);
  };
  return { asks: { [ORGANIZATION]: ask } };
}

/** An event that reported one setting of the organization, derived from another event. */
export function organizationUpdate(event: Json, property: string, value: unknown): Json {
  return { id: event['id'], type: 'realm', op: 'update', property, value };
}

/** The name of the group in a setting; empty for several groups, or for people. */
function groupNameOf(value: unknown, context: LevelContext): string {
  return typeof value === 'number' ? (context.groupName(value) ?? '') : '';
}

/** Marks group settings that were sent as a plain number instead of an object with `new`. */
export function numberAsNew(route: string, ...names: readonly string[]): ChangePart {
  const ask = (parameters: Map<string, string>) => {
    for (const name of names) {
      const value = parameters.get(name) ?? '';
      if (/^\d+$/.test(value)) parameters.set(name, `{"new": ${value}}`);
    }
  };
  return { asks: { [route]: ask } };
}

/** Reduces group settings to a single ID: the first of several, or `role:nobody`. */
export function asOneGroup(holder: Json, key: string, context: LevelContext): void {
  const value = holder[key];
  if (!isObject(value)) return;
  const [group] = Array.isArray(value['direct_subgroups']) ? (value['direct_subgroups'] as number[]) : [];
  holder[key] = group ?? context.systemGroup('role:nobody');
}
