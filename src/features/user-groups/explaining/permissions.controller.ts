import { Controller, Get } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ExplainPermissionService } from './explain-permission.service';
import type { Explanation } from '../user-groups.hooks';
import { ExplainPermissionDto, toAskedObject } from './permissions.dto';

/** Who may do what, and why; no other server has this. */
@Controller('api/v1/permissions')
export class PermissionsController {
  constructor(private readonly explaining: ExplainPermissionService) {}

  /** Tells whether a person may do something, and why. */
  @Get('explain')
  async explain(@CurrentActor() actor: Actor, @Parameters() dto: ExplainPermissionDto): Promise<Explanation> {
    return this.explaining.explain(actor, dto.user_id, dto.action, toAskedObject(dto));
  }
}
