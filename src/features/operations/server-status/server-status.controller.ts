import { Get } from '@nestjs/common';
import { CompanionController } from '../../../platform/http/companion/companion-decorators';
import { AdministratorOnly, OwnerOnly } from '../../../platform/http/decorators';
import { ServerConfigurationService, ServerStatusService } from './server-status.service';
import type { ConfigurationAnswer, ServerStatus } from './server-status.api';

/** How the server is, and how it is configured. */
@CompanionController('server')
export class ServerStatusController {
  constructor(
    private readonly status: ServerStatusService,
    private readonly configuration: ServerConfigurationService,
  ) {}

  /** Tells how the server is: version, database, what waits, slowest routes, last backup. Figures are those of one node. */
  @Get('status')
  @AdministratorOnly()
  showStatus(): Promise<ServerStatus> {
    return this.status.read();
  }

  /** Lists the settings of the server as they are in force, without secrets, to owners only. */
  @Get('configuration')
  @OwnerOnly()
  showConfiguration(): ConfigurationAnswer {
    return { settings: this.configuration.list() };
  }
}
