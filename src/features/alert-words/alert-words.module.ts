import { Module } from '@nestjs/common';
import { UsersModule } from '../users';
import { AlertWordDirectory } from './alert-word.directory';
import { AlertWordsController } from './alert-words.controller';
import { AlertWordsDataService } from './alert-words-data.service';
import { AlertWordsService } from './alert-words.service';
import { AlertWordsStateService } from './alert-words-state.service';

/** Words of which people want to know when they are said. */
@Module({
  imports: [UsersModule],
  controllers: [AlertWordsController],
  providers: [AlertWordDirectory, AlertWordsDataService, AlertWordsService, AlertWordsStateService],
  exports: [AlertWordDirectory],
})
export class AlertWordsModule {}
