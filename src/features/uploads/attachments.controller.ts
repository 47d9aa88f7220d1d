import { Controller, Delete, Get } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { AttachmentsService } from './attachments.service';
import { AttachmentDto } from './uploads.api';

/** The files that the caller uploaded. */
@Controller('api/v1/attachments')
@NeedsScope('read', 'send')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  /** Lists the files that the caller uploaded, and the messages that link to them. */
  @Get()
  async list(@CurrentActor() actor: Actor) {
    const { attachments, spaceUsed, ownSpaceUsed } = await this.attachments.list(actor);
    return { attachments, upload_space_used: spaceUsed, user_upload_space_used: ownSpaceUsed };
  }

  /** Deletes a file that the caller uploaded. */
  @Delete(':attachment_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() { attachment_id }: AttachmentDto) {
    return this.attachments.remove(actor, attachment_id);
  }
}
