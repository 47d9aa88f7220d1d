import { Controller, Get } from '@nestjs/common';
import { Public, WithoutDatabase } from '../../platform/http/decorators';
import { ServerSettingsService } from './server-settings.service';
import type { ServerSettingsWire } from './server-settings.api';

/** What a client asks first. */
@Controller('api/v1/server_settings')
export class ServerSettingsController {
  constructor(private readonly settings: ServerSettingsService) {}

  /** Introduces the server to clients that do not know it yet. */
  @Get()
  @Public()
  @WithoutDatabase('if possible')
  get(): ServerSettingsWire {
    return this.settings.describe();
  }
}
