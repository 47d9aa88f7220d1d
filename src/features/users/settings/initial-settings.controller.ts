import { Controller, Patch } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AdministratorOnly, CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { InitialSettingsDto, toInitialSettings } from './settings.api';
import { InitialSettingsService } from './initial-settings.service';

/** The personal settings with which new people begin. */
@Controller('api/v1/realm/user_settings_defaults')
@NeedsScope('administer')
export class InitialSettingsController {
  constructor(private readonly initialSettings: InitialSettingsService) {}

  /** Changes the personal settings with which people begin who join from now on. */
  @Patch()
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: InitialSettingsDto): Promise<void> {
    return this.initialSettings.update(actor, toInitialSettings(dto));
  }
}
