import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { MessagesModule } from '../messages/messages.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import {
  CustomEmojiController,
  CustomEmojiPicturesController,
  EmojiDataController,
  ExtraEmojiPictureController,
} from './emoji.controller';
import { CustomEmojiPicturesService, CustomEmojiService } from './custom-emoji.service';
import { CustomEmojiDirectory, EmojiLookupService } from './emoji.directory';
import { CustomEmoji } from './custom-emoji.entity';

/** Standard and custom emoji. */
@Module({
  imports: [
    TypeOrmModule.forFeature([CustomEmoji]),
    AuditModule,
    UsersModule,
    UserGroupsModule,
    MessagesModule,
  ],
  controllers: [
    CustomEmojiController,
    CustomEmojiPicturesController,
    ExtraEmojiPictureController,
    EmojiDataController,
  ],
  providers: [CustomEmojiDirectory, CustomEmojiPicturesService, CustomEmojiService, EmojiLookupService],
  exports: [CustomEmojiPicturesService, EmojiLookupService],
})
export class EmojiModule {}

// Exports for other features.
export { CustomEmojiPicturesService, picturePaths } from './custom-emoji.service';
export { EmojiUnknown, type EmojiReference, EmojiType } from './emoji.api';
export { EmojiLookupService } from './emoji.directory';
