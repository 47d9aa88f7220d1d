import { Controller, Get } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ExplainPermissionService } from './explain-permission.service';
import {
  ExplainActionsDto,
  type ExplainedAction,
  ExplainPermissionDto,
  explanationWire,
  type ExplanationWire,
  toAskedObject,
} from './explaining.api';

/** Who may do what, and why; no other server has this. */
@Controller('api/v1/permissions')
@NeedsScope('read')
export class PermissionsController {
  constructor(private readonly explaining: ExplainPermissionService) {}

  /** Tells whether a person may do something, and why. */
  @Get('explain')
  async explain(
    @CurrentActor() actor: Actor,
    @Parameters() dto: ExplainPermissionDto,
  ): Promise<ExplanationWire> {
    return explanationWire(await this.explaining.explain(actor, dto.user_id, dto.action, toAskedObject(dto)));
  }

  /** Tells of all that can be done in one place whether a person may do it, and why. */
  @Get('actions')
  async explainAll(
    @CurrentActor() actor: Actor,
    @Parameters() dto: ExplainActionsDto,
  ): Promise<{ readonly actions: readonly ExplainedAction[] }> {
    const explained = await this.explaining.explainAll(actor, dto.user_id, toAskedObject(dto));
    return {
      actions: explained.map(([action, explanation]) => ({ action, ...explanationWire(explanation) })),
    };
  }
}
