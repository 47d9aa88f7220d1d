import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ReportMessageDto } from './reports.api';
import { ReportsService } from './reports.service';

/** Messages that are reported. */
@Controller('api/v1/messages/:message_id(\\d+)/report')
@NeedsScope('send')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  /** Reports a message to the moderators of the organization. */
  @Post()
  async report(@CurrentActor() actor: Actor, @Parameters() input: ReportMessageDto): Promise<void> {
    const { message_id: messageId, report_type: type, description } = input;
    await this.reports.report(actor, { messageId, type, description });
  }
}
