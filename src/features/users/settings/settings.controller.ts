import { Controller, Patch, Post } from '@nestjs/common';
import { InitialSettingsService } from './personal-settings.service';
import { OwnSettingsService } from './change-settings.service';
import {
  InitialSettingsDto,
  OwnSettingsDto,
  SlashCommandDto,
  toInitialSettings,
  toOwnSettingsChange,
} from './settings.api';
import { SlashCommandsService } from './slash-commands.service';
import type { Actor } from '../../../platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  CurrentSession,
  HumansOnly,
  NeedsScope,
  RecentSignIn,
  type RequireRecentSignIn,
} from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';

/** The default personal settings of new people. */
@Controller('api/v1/realm/user_settings_defaults')
@NeedsScope('administer')
export class InitialSettingsController {
  constructor(private readonly initialSettings: InitialSettingsService) {}

  /** Changes the default personal settings of people who join later. */
  @Patch()
  @AdministratorOnly()
  update(@CurrentActor() actor: Actor, @Parameters() dto: InitialSettingsDto): Promise<void> {
    return this.initialSettings.update(actor, toInitialSettings(dto));
  }
}

/** The caller's own name, address, password and personal settings. */
@Controller('api/v1/settings')
@NeedsScope('manage_people')
export class OwnSettingsController {
  constructor(private readonly ownSettings: OwnSettingsService) {}

  /**
   * Changes the caller's own name, address, password and personal settings. After a password change, all sessions of
   * the caller end except the browser session in which it was made.
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
   * Same as `PATCH /api/v1/settings`.
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
   * Same as `PATCH /api/v1/settings`.
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

/** Slash commands that change settings from a client's compose box. */
@Controller('api/v1/zcommand')
@NeedsScope('manage_people')
export class SlashCommandsController {
  constructor(private readonly commands: SlashCommandsService) {}

  /** Runs a command. The text to show is in `msg`, unlike in any other successful response. */
  @Post()
  async run(@CurrentActor() actor: Actor, @Parameters() dto: SlashCommandDto): Promise<{ msg: string }> {
    const told = await this.commands.run(actor, dto.command);
    // eslint-disable-next-line no-restricted-syntax -- the one success whose envelope says something
    return { msg: told };
  }
}
