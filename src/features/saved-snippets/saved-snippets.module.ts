import { Module } from '@nestjs/common';
import { UsersModule } from '../users';
import { SavedSnippetsController } from './saved-snippets.controller';
import { SavedSnippetsService } from './saved-snippets.service';

/** Texts that people keep, to put them into messages again and again. */
@Module({
  imports: [UsersModule],
  controllers: [SavedSnippetsController],
  providers: [SavedSnippetsService],
})
export class SavedSnippetsModule {}
