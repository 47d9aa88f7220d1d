import { Controller, Get } from '@nestjs/common';
import { Public } from '../../platform/http/decorators';
import { ServerSettingsService } from './server-settings.service';

/** What a client asks first. */
@Controller('api/v1/server_settings')
export class ServerSettingsController {
  constructor(private readonly settings: ServerSettingsService) {}

  @Get()
  @Public()
  get(): object {
    return this.settings.describe();
  }
}
