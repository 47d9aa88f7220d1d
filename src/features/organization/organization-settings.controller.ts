import { Controller, Patch } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  NeedsScope,
  RecentSignIn,
  type RequireRecentSignIn,
} from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { toChanges, type UpdatedSettingsWire, UpdateOrganizationDto } from './organization-settings.api';
import { OrganizationSettingsService } from './organization-settings.service';

/** Settings of the organization. */
@Controller('api/v1/realm')
@NeedsScope('administer')
export class OrganizationSettingsController {
  constructor(private readonly settings: OrganizationSettingsService) {}

  /** Changes settings and permissions of the organization, and answers with what changed. */
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
