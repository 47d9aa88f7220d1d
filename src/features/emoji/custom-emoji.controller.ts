import { Controller, Delete, Get, Post } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Upload } from '../../platform/http/body/upload.decorator';
import { UploadedFile } from '../../platform/http/body/uploaded-file';
import { CurrentActor, NeedsScope, NoGuests } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { CustomEmojiDto, ONE_EMOJI_FILE } from './emoji.api';
import { CustomEmojiService } from './custom-emoji.service';

/** The organization's own emoji. */
@Controller('api/v1/realm/emoji')
@NeedsScope('read', 'administer')
export class CustomEmojiController {
  constructor(private readonly emoji: CustomEmojiService) {}

  /** Lists the organization's own emoji, deactivated ones included. */
  @Get()
  list() {
    return { emoji: this.emoji.list() };
  }

  /** Adds an emoji with the picture of the form. */
  @Post(':emoji_name')
  @NoGuests()
  async add(
    @CurrentActor() actor: Actor,
    @Upload({ missing: null, several: ONE_EMOJI_FILE }) file: UploadedFile | null,
    @Parameters() input: CustomEmojiDto,
  ) {
    await this.emoji.add(actor, input.emoji_name, file);
  }

  /** Deactivates one of the organization's own emoji. */
  @Delete(':emoji_name')
  async deactivate(@CurrentActor() actor: Actor, @Parameters() input: CustomEmojiDto) {
    await this.emoji.deactivate(actor, input.emoji_name);
  }
}
