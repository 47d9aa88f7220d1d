import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../platform/version';
import type { OrganizationDirectory } from '../organization-settings';

/** What decides the answer of `GET /server_settings`. */
export interface ServerFacts {
  readonly address: string;
  readonly name: string;
  /** Address of the icon, or path on this server. */
  readonly iconUrl: string;
  /** HTML. */
  readonly description: string;
  readonly signInMethods: OrganizationDirectory['signInMethods'];
  /** Whether anything can be read without an account. */
  readonly hasPublicContent: boolean;
}

/** The server as it introduces itself to everybody. */
export function serverSettings(facts: ServerFacts) {
  const { Email: byPassword = false, Dev: inDevelopment = false } = facts.signInMethods;
  return {
    authentication_methods: {
      password: byPassword,
      email: byPassword,
      dev: inDevelopment,
      ldap: false,
      remoteuser: false,
      github: false,
      azuread: false,
      gitlab: false,
      google: false,
      apple: false,
      saml: false,
      'openid connect': false,
    },
    external_authentication_methods: [] as never[],
    zulip_version: ADVERTISED_VERSION,
    zulip_merge_base: ADVERTISED_VERSION,
    zulip_feature_level: FEATURE_LEVEL,
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: byPassword,
    require_email_format_usernames: true,
    realm_url: facts.address,
    realm_uri: facts.address,
    realm_name: facts.name,
    realm_icon: facts.iconUrl,
    realm_description: facts.description,
    realm_web_public_access_enabled: facts.hasPublicContent,
  };
}

/** The answer of `GET /server_settings`. */
export type ServerSettingsWire = ReturnType<typeof serverSettings>;
