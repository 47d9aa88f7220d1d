import { Module } from '@nestjs/common';
import { AlertWordDirectory } from './alert-word.directory';
import { AlertWordsController } from './alert-words.controller';
import { AlertWordsService } from './alert-words.service';
import { AlertWordsStateService } from './alert-words-state.service';

/** Words of which people want to know when they are said. */
@Module({
  controllers: [AlertWordsController],
  providers: [AlertWordDirectory, AlertWordsService, AlertWordsStateService],
  exports: [AlertWordDirectory],
})
export class AlertWordsModule {}
