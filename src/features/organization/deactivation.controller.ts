import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, NeedsRecentSignIn, NotForNamedKeys, OwnerOnly } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { DeactivateOrganizationDto } from './deactivation.api';
import { DeactivationService } from './deactivation.service';

/** Taking the organization out of use. */
@Controller('api/v1/realm/deactivate')
@NotForNamedKeys()
export class DeactivationController {
  constructor(private readonly deactivation: DeactivationService) {}

  /** Takes the organization out of use: every request is refused until the operator of the server brings it back. */
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
