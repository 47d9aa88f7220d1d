import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { AddAlertWordsDto, RemoveAlertWordsDto } from './alert-words/alert-words.api';
import { AlertWordsService } from './alert-words/alert-words.service';
import { MutedUserDto } from './muted-users/muted-users.api';
import { MutedUsersService } from './muted-users/muted-users.service';
import {
  AddNavigationViewDto,
  MarkOnboardingStepDto,
  type NavigationViewWire,
  NoTourReminder,
  RemoveNavigationViewDto,
  UpdateNavigationViewDto,
} from './navigation/navigation.api';
import { NavigationViewsService, OnboardingStepsService } from './navigation/navigation.service';
import {
  AddSavedSnippetDto,
  EditSavedSnippetDto,
  RemoveSavedSnippetDto,
  type SavedSnippetWire,
} from './saved-snippets/saved-snippets.api';
import { SavedSnippetsService } from './saved-snippets/saved-snippets.service';
import type { Actor } from '../../platform/actor';
import { CurrentActor, HumansOnly, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';

/** The caller's own alert words; each response lists all of them. */
@Controller('api/v1/users/me/alert_words')
@NeedsScope('read', 'send')
export class AlertWordsController {
  constructor(private readonly alertWords: AlertWordsService) {}

  /** Lists the caller's alert words. */
  @Get()
  list(@CurrentActor() actor: Actor) {
    return { alert_words: this.alertWords.list(actor) };
  }

  /** Adds alert words. */
  @Post()
  async add(@CurrentActor() actor: Actor, @Parameters() dto: AddAlertWordsDto) {
    return { alert_words: await this.alertWords.add(actor, dto.alert_words) };
  }

  /** Removes alert words. */
  @Delete()
  async remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveAlertWordsDto) {
    return { alert_words: await this.alertWords.remove(actor, dto.alert_words) };
  }
}

/** The accounts that the caller has muted. */
@Controller('api/v1/users/me/muted_users/:muted_user_id(\\d+)')
@NeedsScope('send')
export class MutedUsersController {
  constructor(private readonly mutedUsers: MutedUsersService) {}

  /** Mutes a person. */
  @Post()
  mute(@CurrentActor() actor: Actor, @Parameters() dto: MutedUserDto): Promise<void> {
    return this.mutedUsers.mute(actor, dto.muted_user_id);
  }

  /** Unmutes a person. */
  @Delete()
  unmute(@CurrentActor() actor: Actor, @Parameters() dto: MutedUserDto): Promise<void> {
    return this.mutedUsers.unmute(actor, dto.muted_user_id);
  }
}

/** The caller's views in the left sidebar of clients. */
@Controller('api/v1/navigation_views')
@NeedsScope('read', 'send')
export class NavigationViewsController {
  constructor(private readonly views: NavigationViewsService) {}

  /** Lists the caller's own views, and the built-in ones that they changed, oldest first. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ navigation_views: NavigationViewWire[] }> {
    return { navigation_views: await this.views.list(actor) };
  }

  /** Adds a view, or changes a built-in one. */
  @Post()
  add(@CurrentActor() actor: Actor, @Parameters() dto: AddNavigationViewDto): Promise<void> {
    return this.views.add(actor, { fragment: dto.fragment, isPinned: dto.is_pinned, name: dto.name ?? null });
  }

  /**
   * Renames, pins or unpins one of the caller's views.
   * @answers 404 the caller has no such view
   */
  @Patch('*')
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateNavigationViewDto): Promise<void> {
    const { fragment, is_pinned, name } = dto;
    return this.views.update(actor, fragment, {
      ...(is_pinned !== undefined && { is_pinned }),
      ...(name !== undefined && { name }),
    });
  }

  /**
   * Removes one of the caller's views; a built-in one is reset to its default.
   * @answers 404 the caller has no such view
   */
  @Delete('*')
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveNavigationViewDto): Promise<void> {
    return this.views.remove(actor, dto.fragment);
  }
}

/** Onboarding steps for new people. */
@Controller('api/v1/users/me/onboarding_steps')
@NeedsScope('send')
export class OnboardingStepsController {
  constructor(private readonly steps: OnboardingStepsService) {}

  /** Marks a step as completed by the caller, so that it is not shown again. */
  @Post()
  @HumansOnly()
  mark(@CurrentActor() actor: Actor, @Parameters() dto: MarkOnboardingStepDto): Promise<void> {
    if (dto.schedule_navigation_tour_video_reminder_delay !== undefined) throw new NoTourReminder();
    return this.steps.mark(actor, dto.onboarding_step);
  }
}

/** The caller's own snippets. */
@Controller('api/v1/saved_snippets')
@NeedsScope('read', 'send')
export class SavedSnippetsController {
  constructor(private readonly snippets: SavedSnippetsService) {}

  /** Lists the caller's snippets, in the order in which they were saved. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ saved_snippets: SavedSnippetWire[] }> {
    return { saved_snippets: await this.snippets.list(actor) };
  }

  /** Saves a snippet. */
  @Post()
  async add(
    @CurrentActor() actor: Actor,
    @Parameters() { title, content }: AddSavedSnippetDto,
  ): Promise<{ saved_snippet_id: number }> {
    return { saved_snippet_id: await this.snippets.add(actor, { title, content }) };
  }

  /**
   * Edits a snippet.
   * @answers 404 the caller has no such snippet
   */
  @Patch(':saved_snippet_id(\\d+)')
  edit(@CurrentActor() actor: Actor, @Parameters() input: EditSavedSnippetDto): Promise<void> {
    const { saved_snippet_id: id, title, content } = input;
    return this.snippets.edit(actor, id, { title, content });
  }

  /**
   * Removes a snippet.
   * @answers 404 the caller has no such snippet
   */
  @Delete(':saved_snippet_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() input: RemoveSavedSnippetDto): Promise<void> {
    return this.snippets.remove(actor, input.saved_snippet_id);
  }
}
