import type { Integration } from './reading/integration';

/** An integration, as clients show it where addresses for bots are made. */
export interface IntegrationRecord {
  readonly name: string;
  readonly display_name: string;
  /** Names that `only_events` and `exclude_events` may have; null where they have no effect. */
  readonly all_event_types: readonly string[] | null;
  /** What is set when a bot is made: nothing here. */
  readonly config_options: readonly never[];
  /** Further parameters of the address that clients ask for; those there are, people add themselves. */
  readonly url_options: readonly never[];
}

/** Integrations, in the state of a registering client. */
export function integrationsState(integrations: readonly Integration[]) {
  return {
    realm_incoming_webhook_bots: integrations.map(({ name, displayName, events }): IntegrationRecord => ({
      name,
      display_name: displayName,
      all_event_types: events,
      config_options: [],
      url_options: [],
    })),
  };
}
