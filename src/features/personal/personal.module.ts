import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module';
import { AlertWordDirectory } from './alert-words/alert-word.directory';
import {
  AlertWordsController,
  MutedUsersController,
  NavigationViewsController,
  OnboardingStepsController,
  SavedSnippetsController,
} from './personal.controller';
import { AlertWordsService } from './alert-words/alert-words.service';
import { AlertWord, MutedUser, NavigationView, OnboardingStep, SavedSnippet } from './personal.entity';
import { MutedUserDirectory } from './muted-users/muted-user.directory';
import { MutedUsersService } from './muted-users/muted-users.service';
import { SavedSnippetsService } from './saved-snippets/saved-snippets.service';
import { NavigationViewsService, OnboardingStepsService } from './navigation/navigation.service';

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

// Exports for other features.
export { AlertWordDirectory, wordKey } from './alert-words/alert-word.directory';
export { MutedUserDirectory } from './muted-users/muted-user.directory';
export { userMuted } from './muted-users/muted-users.service';
