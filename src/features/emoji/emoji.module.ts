import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages';
import { UserGroupsModule } from '../user-groups';
import { UsersModule } from '../users';
import { CustomEmojiController } from './custom-emoji.controller';
import { CustomEmojiDirectory } from './custom-emoji.directory';
import { CustomEmojiPicturesService } from './custom-emoji-pictures.service';
import { CustomEmojiService } from './custom-emoji.service';
import { EmojiDataController } from './emoji-data.controller';
import { EmojiLookupService } from './emoji-lookup.service';
import { CustomEmojiPicturesController, ExtraEmojiPictureController } from './emoji-pictures.controller';
import { EmojiStateService } from './emoji-state.service';

/** Emoji by name and code, and the organization's own ones. */
@Module({
  imports: [UsersModule, UserGroupsModule, MessagesModule],
  controllers: [
    CustomEmojiController,
    CustomEmojiPicturesController,
    ExtraEmojiPictureController,
    EmojiDataController,
  ],
  providers: [
    CustomEmojiDirectory,
    CustomEmojiPicturesService,
    CustomEmojiService,
    EmojiLookupService,
    EmojiStateService,
  ],
  exports: [EmojiLookupService],
})
export class EmojiModule {}
