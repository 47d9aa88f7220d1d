import { Controller, Get, Header, StreamableFile } from '@nestjs/common';
import { NotRateLimited, Public } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { EmojiPictureDto } from './emoji.api';
import { CustomEmojiPicturesService } from './custom-emoji-pictures.service';
import { EMOJI_DATA, EMOJI_DATA_FILE, EMOJI_DATA_FOLDER } from './emoji-data';
import extraEmoji from './extra-emoji.json';

/** Pictures of emoji as browsers load them: open to anyone who knows the address, whose content never changes. */
@Controller('user_avatars/1/emoji/images')
export class CustomEmojiPicturesController {
  constructor(private readonly pictures: CustomEmojiPicturesService) {}

  /** Serves the picture of one of the organization's emoji. */
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

/** The picture of the one emoji that is neither Unicode's nor the organization's, where clients look for it. */
@Controller('static/generated/emoji/images/emoji/unicode')
export class ExtraEmojiPictureController {
  /** Serves the picture of the one emoji that is neither of Unicode nor of the organization. */
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

/** Tells clients the names of Unicode emoji; the state of a client that registers has its address. */
@Controller(EMOJI_DATA_FOLDER)
export class EmojiDataController {
  /** Tells the names and codes of all emoji of Unicode. */
  @Get(EMOJI_DATA_FILE)
  @Public()
  @NotRateLimited()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=31536000, immutable')
  serve(): string {
    return EMOJI_DATA;
  }
}
