import { NotUnderstood, required, type Json, type Reducer, withdraw } from './json';

/** Permissions that the state contains explicitly, for clients that do not evaluate groups. */
const TOLD_PERMISSIONS: Readonly<Record<string, string>> = {
  can_create_public_streams: 'can_create_public_channel_group',
  can_create_private_streams: 'can_create_private_channel_group',
  can_create_web_public_streams: 'can_create_web_public_channel_group',
  can_subscribe_other_users: 'can_add_subscribers_group',
  can_invite_others_to_realm: 'can_invite_users_group',
};

/** Keys whose value every event of the type replaces; the event has the same key. */
const REPLACED = [
  'alert_words',
  'muted_users',
  'onboarding_steps',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_emoji',
];

/** A client's knowledge of the organization, and of its owner's settings and devices. */
export class OrganizationModel {
  private readonly organization: Json;
  private readonly lists: Json;
  private readonly settings: Json;
  private readonly initialSettings: Json;
  private readonly devices: Map<number, Json>;
  private readonly told: Json;
  private readonly permissionSettings: Json;

  constructor(state: Json) {
    const isAbout = (key: string) => /^(realm|server|max|password)_/.test(key) && !(key in LISTED_ELSEWHERE);
    this.organization = pick(state, Object.keys(state).filter(isAbout));
    this.lists = pick(state, [...REPLACED, 'realm_filters']);
    this.settings = structuredClone(state.user_settings);
    this.initialSettings = structuredClone(state.realm_user_settings_defaults);
    this.devices = new Map(Object.entries(state.devices).map(([id, device]) => [Number(id), device]));
    this.told = pick(state, Object.keys(TOLD_PERMISSIONS));
    this.permissionSettings = state.server_supported_permission_settings.realm;
  }

  /** @param holds whether the owner of the client is included in a setting, according to the known groups */
  content(owner: { isGuest: boolean; isBot: boolean }, holds: (value: Json) => boolean): Json {
    const allows = (setting: string) =>
      holds(this.organization[`realm_${setting}`]) &&
      (!owner.isGuest || this.permissionSettings[setting].allow_everyone_group);
    const offersWebPublic =
      this.organization.server_web_public_streams_enabled && this.organization.realm_enable_spectator_access;
    const takesMore: Readonly<Record<string, boolean>> = {
      can_create_web_public_streams: offersWebPublic,
      can_invite_others_to_realm: !owner.isBot,
    };
    return {
      organization: this.organization,
      lists: {
        ...this.lists,
        muted_users: asSet(this.lists.muted_users),
        alert_words: asSet(this.lists.alert_words),
      },
      settings: this.settings,
      initialSettings: this.initialSettings,
      devices: this.devices,
      permissions: Object.fromEntries(
        Object.entries(TOLD_PERMISSIONS).map(([key, setting]) => [
          key,
          allows(setting) && (takesMore[key] ?? true),
        ]),
      ),
    };
  }

  /** The permissions reported by the server, in place of those derived from groups and settings. */
  get toldPermissions(): Json {
    return this.told;
  }

  /** A user was deactivated, and has no permissions from then on. */
  forget(userId: number): void {
    withdraw(this.organization, userId);
  }

  readonly reducers: Record<string, Reducer> = {
    'realm/update': ({ property, value }) => this.set(property, value),
    'realm/update_dict': ({ data }) => {
      for (const [property, value] of Object.entries(data as object)) this.set(property, value);
      if (data.authentication_methods) this.setPasswordSignIn(data.authentication_methods);
    },
    // Nothing in the client's state changes; its requests are refused.
    'realm/deactivated': () => undefined,
    'realm_emoji/add': ({ emoji }) => {
      this.lists.realm_emoji[emoji.id] = emoji;
    },
    'realm_emoji/update_one': ({ emoji_id, data }) => {
      const emoji = this.lists.realm_emoji[emoji_id];
      if (!emoji) throw new NotUnderstood(`There is no emoji ${emoji_id}.`);
      Object.assign(emoji, data);
    },
    default_stream_groups: ({ default_stream_groups }) => {
      this.organization.realm_default_stream_groups = default_stream_groups;
    },
    // Clients fetch the list again.
    invites_changed: () => undefined,
    'realm_domains/add': ({ realm_domain }) => {
      this.organization.realm_domains.push(realm_domain);
    },
    'realm_domains/change': ({ realm_domain }) => {
      Object.assign(this.domain(realm_domain.domain), realm_domain);
    },
    'realm_domains/remove': ({ domain }) => {
      const domains = this.organization.realm_domains;
      domains.splice(domains.indexOf(this.domain(domain)), 1);
    },
    restart: ({ server_generation }) => {
      this.organization.server_generation = server_generation;
    },
    'user_settings/update': ({ property, value }) => {
      if (!(property in this.settings)) throw new NotUnderstood(`There is no setting ${property}.`);
      this.settings[property] = value;
    },
    'realm_user_settings_defaults/update': ({ property, value }) => {
      if (!(property in this.initialSettings)) throw new NotUnderstood(`There is no setting ${property}.`);
      this.initialSettings[property] = value;
    },
    'device/add': ({ device_id }) => {
      this.devices.set(device_id, {
        push_key_id: null,
        push_token_id: null,
        pending_push_token_id: null,
        push_token_last_updated_timestamp: null,
        push_registration_error_code: null,
      });
    },
    'device/update': ({ device_id, ...changed }) => {
      const device = required(this.devices, device_id, 'device');
      for (const key of Object.keys(device)) if (key in changed) device[key] = changed[key];
    },
    // Clients fetch exports and consents on demand.
    realm_export: () => undefined,
    realm_export_consent: () => undefined,
    'device/remove': ({ device_id }) => {
      required(this.devices, device_id, 'device');
      this.devices.delete(device_id);
    },
    ...Object.fromEntries(
      REPLACED.map((key): [string, Reducer] => [
        key === 'realm_emoji' ? 'realm_emoji/update' : key,
        (event) => {
          this.lists[key] = event[key];
        },
      ]),
    ),
  };

  private domain(name: string): Json {
    const found = this.organization.realm_domains.find((each: Json) => each.domain === name);
    if (!found) throw new NotUnderstood(`There is no domain ${name}.`);
    return found;
  }

  /** Derives values from the methods, for which there are no events. */
  private setPasswordSignIn({ Email, LDAP }: Record<string, { enabled: boolean }>): void {
    this.set('email_auth_enabled', Email?.enabled === true);
    this.set('password_auth_enabled', Email?.enabled === true || LDAP?.enabled === true);
  }

  private set(property: string, value: unknown): void {
    const key = `realm_${property}`;
    if (!(key in this.organization)) throw new NotUnderstood(`There is no ${key}.`);
    this.organization[key] = structuredClone(value);
  }
}

/** Keys that look like settings of the organization but belong to other parts of the model. */
const LISTED_ELSEWHERE = Object.fromEntries(
  [
    ...REPLACED,
    'realm_filters',
    'realm_users',
    'realm_non_active_users',
    'realm_user_groups',
    'realm_bots',
    'realm_default_streams',
    'realm_user_settings_defaults',
    // Changes without events.
    'max_message_id',
    'server_timestamp',
  ].map((key) => [key, true]),
);

function pick(state: Json, keys: readonly string[]): Json {
  return structuredClone(Object.fromEntries(keys.map((key) => [key, state[key]])));
}

/** A list whose order is irrelevant. */
function asSet(list: readonly Json[]): Set<string> {
  return new Set(list.map((item) => JSON.stringify(item)));
}
