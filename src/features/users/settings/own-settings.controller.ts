import { Controller, Patch } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import {
  CurrentActor,
  CurrentSession,
  HumansOnly,
  NeedsScope,
  RecentSignIn,
  type RequireRecentSignIn,
} from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { OwnSettingsDto, toOwnSettingsChange } from './settings.api';
import { OwnSettingsService } from './own-settings.service';

/** The caller's own name, address, password and personal settings. */
@Controller('api/v1/settings')
@NeedsScope('manage_people')
export class OwnSettingsController {
  constructor(private readonly ownSettings: OwnSettingsService) {}

  /**
   * Changes the caller's own name, address, password and personal settings. After another password the caller has to sign
   * in again everywhere, but for the browser in which it was changed.
   */
  @Patch()
  @HumansOnly()
  async update(
    @CurrentActor() actor: Actor,
    @CurrentSession() session: string | null,
    @Parameters() dto: OwnSettingsDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<void> {
    requireRecent(dto.email !== undefined);
    return this.ownSettings.update(actor, toOwnSettingsChange(dto, session));
  }

  /**
   * As `PATCH /api/v1/settings`.
   * @deprecated Use `PATCH /api/v1/settings`.
   */
  @Patch('display')
  @HumansOnly()
  updateDisplay(
    @CurrentActor() actor: Actor,
    @CurrentSession() session: string | null,
    @Parameters() dto: OwnSettingsDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<void> {
    return this.update(actor, session, dto, requireRecent);
  }

  /**
   * As `PATCH /api/v1/settings`.
   * @deprecated Use `PATCH /api/v1/settings`.
   */
  @Patch('notifications')
  @HumansOnly()
  updateNotifications(
    @CurrentActor() actor: Actor,
    @CurrentSession() session: string | null,
    @Parameters() dto: OwnSettingsDto,
    @RecentSignIn() requireRecent: RequireRecentSignIn,
  ): Promise<void> {
    return this.update(actor, session, dto, requireRecent);
  }
}
