import { isNamed, newParameterValue, objectIn, without } from './keys';
import type { ChangePart, Json } from './level-change';

const SETTINGS = 'PATCH /settings';
const DEFAULTS = 'PATCH /realm/user_settings_defaults';
const ORGANIZATION = 'PATCH /realm';
const NEW_CHANNELS = ['POST /users/me/subscriptions', 'POST /channels/create'];
const CHANNEL = 'PATCH /streams/{stream_id}';
const NEW_GROUP = 'POST /user_groups/create';
const GROUP = 'PATCH /user_groups/{user_group_id}';

/** There were no such personal settings. */
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

/** A personal setting did not take a value, which is refused like any unknown one. */
export function newPersonalSettingValue(name: string, value: string): ChangePart {
  return newParameterValue([SETTINGS, DEFAULTS], name, value);
}

/** There were no such settings of the organization. */
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

/** There were no such settings of channels. */
export function newChannelSettings(...names: readonly string[]): ChangePart {
  return {
    parameters: Object.fromEntries([...NEW_CHANNELS, CHANNEL].map((route) => [route, names])),
    records: { channel: (channel) => without(channel, names) },
    state: (state) =>
      without(objectIn(objectIn(state, 'server_supported_permission_settings'), 'stream'), names),
    ...newChannelUpdates(...names),
  };
}

/** Events did not tell of changes of these properties of channels. */
export function newChannelUpdates(...names: readonly string[]): ChangePart {
  return { event: (event) => (concernsOne(event, ['stream/update'], names) ? null : event) };
}

/** There were no such settings of user groups. */
export function newGroupSettings(...names: readonly string[]): ChangePart {
  return {
    parameters: { [NEW_GROUP]: names, [GROUP]: names },
    records: { group: (group) => without(group, names) },
    state: (state) =>
      without(objectIn(objectIn(state, 'server_supported_permission_settings'), 'group'), names),
    event: (event) => withoutData(event, 'user_group/update', names),
  };
}

/** A setting of the organization had another name. */
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

/** The event without the data of some settings; null where nothing else was in it. */
function withoutData(event: Json, type: string, names: readonly string[]): Json | null {
  if (!isNamed(event, type)) return event;
  const data = objectIn(event, 'data');
  const hadSome = Object.keys(data).length > 0;
  without(data, names);
  return hadSome && Object.keys(data).length === 0 ? null : event;
}
