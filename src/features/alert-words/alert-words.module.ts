import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { UsersModule } from '../users/users.module';
import { AlertWordDirectory } from './alert-word.directory';
import { AlertWordsController } from './alert-words.controller';
import { AlertWordsService } from './alert-words.service';
import { AlertWord } from './alert-word.entity';

/** Words whose owners want to know when they are said. */
@Tables({ entities: [AlertWord] })
@Module({
  imports: [UsersModule],
  controllers: [AlertWordsController],
  providers: [AlertWordDirectory, AlertWordsService],
  exports: [AlertWordDirectory],
})
export class AlertWordsModule {}

// What other features use of this one.
export { AlertWordDirectory } from './alert-word.directory';
