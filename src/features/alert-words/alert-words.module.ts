import { Module } from '@nestjs/common';
import { UsersModule } from '../users';
import { AlertWordDirectory } from './alert-word.directory';
import { AlertWordsController } from './alert-words.controller';
import { AlertWordsService } from './alert-words.service';

/** Words whose owners want to know when they are said. */
@Module({
  imports: [UsersModule],
  controllers: [AlertWordsController],
  providers: [AlertWordDirectory, AlertWordsService],
  exports: [AlertWordDirectory],
})
export class AlertWordsModule {}
