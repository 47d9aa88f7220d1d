import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, NoInput, operatorCommand } from '../../../platform/operator/operator-commands';
import { FirstStartService } from '../../organization/organization.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';

/** Creates the organization without starting the server. */
@Injectable()
export class OrganizationStartService {
  constructor(
    private readonly config: Config,
    private readonly firstStart: FirstStartService,
    private readonly organization: OrganizationDirectory,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command('init', NoInput, (_, { site }) => this.start(site)),
    );
  }

  /** @returns how its owner signs in, or only that it already exists */
  private async start(site: string) {
    const first = await this.firstStart.run();
    const name = () => this.organization.settings.name;
    if (!first) return { created: false, organization: name(), dataDir: this.config.dataDir };
    const zuliprc = this.firstStart.handOver(site, first);
    await this.firstStart.finish();
    return {
      created: true,
      organization: name(),
      dataDir: this.config.dataDir,
      email: first.ownerEmail,
      ...(first.generatedPassword !== null && { password: first.generatedPassword }),
      zuliprc,
    };
  }
}
