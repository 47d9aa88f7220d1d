import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { UsersModule } from '../users/users.module';
import { SavedSnippetsController } from './saved-snippets.controller';
import { SavedSnippetsService } from './saved-snippets.service';
import { SavedSnippet } from './saved-snippet.entity';

/** Texts that people keep, to put them into messages again and again. */
@Tables({ entities: [SavedSnippet] })
@Module({
  imports: [UsersModule],
  controllers: [SavedSnippetsController],
  providers: [SavedSnippetsService],
})
export class SavedSnippetsModule {}
