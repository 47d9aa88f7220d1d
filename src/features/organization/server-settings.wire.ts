import { createHash } from 'node:crypto';
import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../platform/version';

/** What decides the answer of `GET /server_settings`. */
export interface ServerFacts {
  readonly address: string;
  readonly name: string;
  /** HTML. */
  readonly description: string;
  readonly isDevelopment: boolean;
  /** Whether anything can be read without an account. */
  readonly hasPublicContent: boolean;
}

/** The server as it introduces itself to everybody. */
export function serverSettings(facts: ServerFacts) {
  return {
    authentication_methods: {
      password: true,
      email: true,
      dev: facts.isDevelopment,
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
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_url: facts.address,
    realm_uri: facts.address,
    realm_name: facts.name,
    realm_icon: iconUrl(facts.address),
    realm_description: facts.description,
    realm_web_public_access_enabled: facts.hasPublicContent,
  };
}

/** The answer of `GET /server_settings`. */
export type ServerSettingsWire = ReturnType<typeof serverSettings>;

/** A picture that no two servers share, since there is no way yet to choose one. */
export function iconUrl(address: string): string {
  const digest = createHash('md5').update(address).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon`;
}
