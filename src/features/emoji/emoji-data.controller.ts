import { Controller, Get, Header } from '@nestjs/common';
import { NotRateLimited, Public } from '../../platform/http/decorators';
import { EMOJI_DATA, EMOJI_DATA_FILE, EMOJI_DATA_FOLDER } from './emoji-data';

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
