import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import {
  AddNavigationViewDto,
  MarkOnboardingStepDto,
  type NavigationViewWire,
  NoTourReminder,
  RemoveNavigationViewDto,
  UpdateNavigationViewDto,
} from './navigation.api';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, HumansOnly, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { NavigationViewsService, OnboardingStepsService } from './navigation.service';

/** The caller's views in the left sidebar of clients. */
@Controller('api/v1/navigation_views')
@NeedsScope('read', 'send')
export class NavigationViewsController {
  constructor(private readonly views: NavigationViewsService) {}

  /** Lists the caller's own views, and those built-in ones that they changed, oldest first. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ navigation_views: NavigationViewWire[] }> {
    return { navigation_views: await this.views.list(actor) };
  }

  /** Adds a view of the caller's own, or says something of a built-in one. */
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
   * Removes one of the caller's views; a built-in one is then again as clients show it by themselves.
   * @answers 404 the caller has no such view
   */
  @Delete('*')
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveNavigationViewDto): Promise<void> {
    return this.views.remove(actor, dto.fragment);
  }
}

/** What clients show to people who are new. */
@Controller('api/v1/users/me/onboarding_steps')
@NeedsScope('send')
export class OnboardingStepsController {
  constructor(private readonly steps: OnboardingStepsService) {}

  /** Notes that the caller has seen or done a step, which is then not shown again. */
  @Post()
  @HumansOnly()
  mark(@CurrentActor() actor: Actor, @Parameters() dto: MarkOnboardingStepDto): Promise<void> {
    if (dto.schedule_navigation_tour_video_reminder_delay !== undefined) throw new NoTourReminder();
    return this.steps.mark(actor, dto.onboarding_step);
  }
}
