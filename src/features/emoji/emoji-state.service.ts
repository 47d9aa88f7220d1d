import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../platform/client-state/initial-state.registry';
import { Config } from '../../platform/config/config';
import { CustomEmojiService } from './custom-emoji.service';
import { customEmojiState } from './custom-emoji.wire';
import { EMOJI_DATA_PATH } from './emoji-data';

/** Tells clients that register which emoji there are. */
@Injectable()
export class EmojiStateService {
  constructor(emoji: CustomEmojiService, config: Config, registry: InitialStateRegistry) {
    registry.register({ fetchType: 'realm_emoji', state: () => customEmojiState(emoji.list()) });
    registry.register({
      fetchType: 'realm',
      state: () => ({ server_emoji_data_url: new URL(EMOJI_DATA_PATH, config.externalUrl).href }),
    });
  }
}
