import { Controller, Get, Patch, Post } from '@nestjs/common';
import { DeactivateOrganizationDto } from './deactivation.api';
import { DeactivationService } from './deactivation.service';
import { toChanges, type UpdatedSettingsWire, UpdateOrganizationDto } from './organization-settings.api';
import { OrganizationSettingsService } from './organization-settings.service';
import type { ServerSettingsWire } from './server-settings.api';
import { ServerSettingsService } from './server-settings.service';
import type { Actor } from '../../platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  NeedsRecentSignIn,
  NeedsScope,
  NotForNamedKeys,
  OwnerOnly,
  Public,
  RecentSignIn,
  type RequireRecentSignIn,
  WithoutDatabase,
} from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** Deactivating the organization. */
@Controller('api/v1/realm/deactivate')
@NotForNamedKeys()
export class DeactivationController {
  constructor(private readonly deactivation: DeactivationService) {}

  /** Deactivates the organization: every request is refused until the server's operator reactivates it. */
  @Post()
  @NeedsRecentSignIn()
  @OwnerOnly()
  async deactivate(
    @CurrentActor() actor: Actor,
    @Parameters() dto: DeactivateOrganizationDto,
  ): Promise<void> {
    await this.deactivation.deactivate(actor, dto.deletion_delay_days);
  }
}

/** Settings of the organization. */
@Controller('api/v1/realm')
@NeedsScope('administer')
export class OrganizationSettingsController {
  constructor(private readonly settings: OrganizationSettingsService) {}

  /** Changes settings and permissions of the organization, and returns what changed. */
  @Patch()
  @AdministratorOnly()
  async update(
    @CurrentActor() actor: Actor,
    @Parameters() dto: UpdateOrganizationDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<UpdatedSettingsWire> {
    requireRecent(dto.authentication_methods !== undefined);
    return this.settings.update(actor, toChanges(dto));
  }
}

/** The first request of a client. */
@Controller('api/v1/server_settings')
export class ServerSettingsController {
  constructor(private readonly settings: ServerSettingsService) {}

  /** Describes the server to new clients. */
  @Get()
  @Public()
  @WithoutDatabase('if possible')
  get(): ServerSettingsWire {
    return this.settings.describe();
  }
}
