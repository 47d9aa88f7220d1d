import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module';
import { AlertWordDirectory } from './alert-words/alert-word.directory';
import { AlertWordsController } from './alert-words/alert-words.controller';
import { AlertWordsService } from './alert-words/alert-words.service';
import { AlertWord } from './alert-words/alert-word.entity';
import { MutedUserDirectory } from './muted-users/muted-user.directory';
import { MutedUsersController } from './muted-users/muted-users.controller';
import { MutedUsersService } from './muted-users/muted-users.service';
import { MutedUser } from './muted-users/muted-user.entity';
import { SavedSnippetsController } from './saved-snippets/saved-snippets.controller';
import { SavedSnippetsService } from './saved-snippets/saved-snippets.service';
import { SavedSnippet } from './saved-snippets/saved-snippet.entity';
import { NavigationViewsController, OnboardingStepsController } from './navigation/navigation.controller';
import { NavigationViewsService, OnboardingStepsService } from './navigation/navigation.service';
import { NavigationView, OnboardingStep } from './navigation/navigation.entity';

/** Personal data: alert words, muted users, snippets, views. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AlertWord, MutedUser, SavedSnippet, NavigationView, OnboardingStep]),
    UsersModule,
  ],
  controllers: [
    AlertWordsController,
    MutedUsersController,
    SavedSnippetsController,
    NavigationViewsController,
    OnboardingStepsController,
  ],
  providers: [
    AlertWordDirectory,
    AlertWordsService,
    MutedUserDirectory,
    MutedUsersService,
    SavedSnippetsService,
    NavigationViewsService,
    OnboardingStepsService,
  ],
  exports: [AlertWordDirectory, MutedUserDirectory],
})
export class PersonalModule {}

// What other features may import.
export { AlertWordDirectory, wordKey } from './alert-words/alert-word.directory';
export { MutedUserDirectory } from './muted-users/muted-user.directory';
export { userMuted } from './muted-users/muted-users.service';
