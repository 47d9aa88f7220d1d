import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, NoInput, operatorCommand } from '../../../platform/operator/operator-commands';
import { DeactivationService } from '../../organization/organization.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { OperatorAccountAccess } from '../../users/users.module';

/** The operator's commands about the organization as a whole. */
@Injectable()
export class OrganizationCommandsService {
  constructor(
    private readonly access: OperatorAccountAccess,
    private readonly deactivation: DeactivationService,
    private readonly organization: OrganizationDirectory,
    hooks: Hooks,
  ) {
    const offers = [
      command('organization deactivate', NoInput, async () =>
        this.result(await this.deactivation.deactivate(this.access.actor())),
      ),
      command('organization reactivate', NoInput, async () =>
        this.result(await this.deactivation.reactivate(this.access.actor())),
      ),
    ];
    for (const offer of offers) hooks.on(operatorCommand, offer);
  }

  private result(changed: boolean) {
    const { settings, isDeactivated } = this.organization;
    return { organization: settings.name, active: !isDeactivated, changed };
  }
}
