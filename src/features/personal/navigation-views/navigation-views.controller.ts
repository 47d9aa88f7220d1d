import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import {
  AddNavigationViewDto,
  type NavigationViewWire,
  RemoveNavigationViewDto,
  UpdateNavigationViewDto,
} from './navigation-views.api';
import { NavigationViewsService } from './navigation-views.service';

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
