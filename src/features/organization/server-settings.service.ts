import { Injectable } from '@nestjs/common';
import { OrganizationPicturesService } from './pictures/organization-pictures.service';
import {
  fixedOrganizationWire,
  serverSettings,
  type ServerSettingsWire,
  serverWire,
  SETTINGS_FOR_ANYBODY,
  settingsState,
  STATE_OF_ABSENT_FEATURES,
  type StateFacts,
} from './server-settings.api';
import { UNAVAILABLE_SETTINGS_WIRE } from './setting-choices';
import { initialState, stateFor, type StateReader } from '../../platform/client-state/initial-state.hooks';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import { IdentityProviders } from '../../platform/config/identity-providers';
import { Hooks } from '../../platform/hooks/hooks';
import { ChannelAccess, ChannelDirectory, DescriptionRenderer } from '../channels/channels.module';
import {
  OrganizationDirectory,
  organizationSettingsWire,
} from '../organization-settings/organization-settings.module';
import { AccountDirectory } from '../users/users.module';

/** Describes the server to new clients. */
@Injectable()
export class ServerSettingsService {
  constructor(
    private readonly config: Config,
    private readonly providers: IdentityProviders,
    private readonly organization: OrganizationDirectory,
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly renderer: DescriptionRenderer,
    private readonly pictures: OrganizationPicturesService,
  ) {}

  describe(): ServerSettingsWire {
    const { name, description } = this.organization.settings;
    return serverSettings({
      address: this.config.externalUrl,
      name,
      iconUrl: this.pictures.urlOf('icon'),
      description: this.renderer.render(description, null),
      signInMethods: this.organization.signInMethods,
      identityProviders: this.providers.all,
      hasPublicContent: this.channels.all().some((channel) => this.access.hasContentAccess(null, channel)),
    });
  }
}

/** Initial state for clients: the organization and the server. */
@Injectable()
export class OrganizationStateService {
  private readonly startedAt: number;

  constructor(
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly config: Config,
    private readonly renderer: DescriptionRenderer,
    clock: Clock,
    hooks: Hooks,
  ) {
    this.startedAt = clock.nowSeconds();
    hooks.on(
      initialState,
      stateFor('realm', (_, { reader }) => this.state(reader)),
    );
    const gifKeys = {
      giphy: { giphy_api_key: config.giphyApiKey ?? '' },
      klipy: { klipy_api_key: config.klipyApiKey ?? '' },
    };
    for (const [fetchType, keys] of Object.entries({ ...gifKeys, ...STATE_OF_ABSENT_FEATURES })) {
      hooks.on(
        initialState,
        stateFor(fetchType, () => keys),
      );
    }
  }

  private state(reader: StateReader | null) {
    const facts = this.facts();
    return {
      ...fixedOrganizationWire(facts),
      ...serverWire(facts),
      ...settingsState(UNAVAILABLE_SETTINGS_WIRE),
      ...settingsState(organizationSettingsWire(this.organization.settings)),
      ...(reader ? {} : SETTINGS_FOR_ANYBODY),
    };
  }

  private facts(): StateFacts {
    return {
      address: this.config.externalUrl,
      description: this.renderer.render(this.organization.settings.description, null),
      botDomain: this.config.emailDomain,
      isDevelopment: this.config.isDevelopment,
      maxUploadMib: this.config.maxUploadMib,
      uploadQuotaMib: this.config.uploadQuotaMib,
      personalUploadQuotaMib: this.config.personalUploadQuotaMib,
      signInMethods: this.organization.signInMethods,
      jitsiServerUrl: this.config.jitsiServerUrl,
      ownJitsiServerUrl: this.organization.settings.jitsi_server_url,
      // System bots are created along with the organization.
      organizationCreatedAt: this.accounts.systemBots()[0]?.dateJoined ?? this.startedAt,
    };
  }
}
