import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { IdentityProviders } from '../../platform/config/identity-providers';
import { ChannelAccess, ChannelDirectory, DescriptionRenderer } from '../channels/channels.module';
import { OrganizationPicturesService } from './pictures/organization-pictures.service';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { serverSettings, type ServerSettingsWire } from './server-settings.api';

/** Introduces the server to clients that do not know it yet. */
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
