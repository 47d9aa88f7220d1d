import { Controller, Delete, Get, Header, Post, StreamableFile } from '@nestjs/common';
import { CustomEmojiPicturesService, CustomEmojiService } from './custom-emoji.service';
import { EMOJI_DATA, EMOJI_DATA_FILE, EMOJI_DATA_FOLDER } from './emoji-data';
import { CustomEmojiDto, EmojiPictureDto, ONE_EMOJI_FILE } from './emoji.api';
import extraEmoji from './extra-emoji.json';
import type { Actor } from '../../platform/actor';
import { Upload, UploadedFile } from '../../platform/http/body/uploaded-file';
import { CurrentActor, NeedsScope, NoGuests, NotRateLimited, Public } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** The organization's custom emoji. */
@Controller('api/v1/realm/emoji')
@NeedsScope('read', 'administer')
export class CustomEmojiController {
  constructor(private readonly emoji: CustomEmojiService) {}

  /** Lists the organization's custom emoji, including deactivated ones. */
  @Get()
  list() {
    return { emoji: this.emoji.list() };
  }

  /** Adds an emoji with the image in the form. */
  @Post(':emoji_name')
  @NoGuests()
  async add(
    @CurrentActor() actor: Actor,
    @Upload({ missing: null, several: ONE_EMOJI_FILE }) file: UploadedFile | null,
    @Parameters() input: CustomEmojiDto,
  ) {
    await this.emoji.add(actor, input.emoji_name, file);
  }

  /** Deactivates a custom emoji. */
  @Delete(':emoji_name')
  async deactivate(@CurrentActor() actor: Actor, @Parameters() input: CustomEmojiDto) {
    await this.emoji.deactivate(actor, input.emoji_name);
  }
}

/** Images of emoji as browsers load them: available to anyone who knows the URL, whose content never changes. */
@Controller('user_avatars/1/emoji/images')
export class CustomEmojiPicturesController {
  constructor(private readonly pictures: CustomEmojiPicturesService) {}

  /** Serves the image of a custom emoji. */
  @Get(':file')
  @Public()
  @NotRateLimited()
  @Header('cache-control', 'public, max-age=31536000, immutable')
  @Header('content-security-policy', "default-src 'none'")
  async serve(@Parameters() { file }: EmojiPictureDto): Promise<StreamableFile> {
    const { content, size } = await this.pictures.open(file);
    const type = file.endsWith('.gif') ? 'image/gif' : 'image/png';
    return new StreamableFile(content, { type, length: size });
  }
}

const EXTRA_EMOJI_PICTURE = Buffer.from(extraEmoji.png, 'base64');

/** The image of the one emoji that is neither Unicode's nor the organization's, at the path that clients expect. */
@Controller('static/generated/emoji/images/emoji/unicode')
export class ExtraEmojiPictureController {
  /** Serves the image of the one emoji that is neither Unicode's nor the organization's. */
  @Get('zulip.png')
  @Public()
  @NotRateLimited()
  @Header('cache-control', 'public, max-age=86400')
  serve(): StreamableFile {
    return new StreamableFile(EXTRA_EMOJI_PICTURE, {
      type: 'image/png',
      length: EXTRA_EMOJI_PICTURE.length,
    });
  }
}

/** Names of Unicode emoji for clients; the initial state contains the URL. */
@Controller(EMOJI_DATA_FOLDER)
export class EmojiDataController {
  /** Returns the names and codes of all Unicode emoji. */
  @Get(EMOJI_DATA_FILE)
  @Public()
  @NotRateLimited()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=31536000, immutable')
  serve(): string {
    return EMOJI_DATA;
  }
}
