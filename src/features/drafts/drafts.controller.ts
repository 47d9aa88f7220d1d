import { Controller, Delete, Get, Patch, Post, UseGuards } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { CurrentActor, NeedsScope } from '../../platform/http/decorators';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { AddDraftsDto, type DraftWire, EditDraftDto, RemoveDraftDto } from './drafts.api';
import { DraftsGuard } from './drafts.guard';
import { DraftsService } from './drafts.service';

/** The caller's own drafts, while their setting `enable_drafts_synchronization` is on. */
@Controller('api/v1/drafts')
@UseGuards(DraftsGuard)
@NeedsScope('read', 'send')
export class DraftsController {
  constructor(private readonly drafts: DraftsService) {}

  /** Lists the caller's drafts; those edited last come last. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ count: number; drafts: DraftWire[] }> {
    const drafts = await this.drafts.list(actor);
    return { count: drafts.length, drafts };
  }

  /** Stores drafts: all of them, or none if one is refused. */
  @Post()
  async add(@CurrentActor() actor: Actor, @Parameters() input: AddDraftsDto): Promise<{ ids: number[] }> {
    return { ids: await this.drafts.add(actor, input.drafts) };
  }

  /**
   * Puts a draft in the place of another.
   * @answers 404 the caller has no such draft
   */
  @Patch(':draft_id(\\d+)')
  edit(@CurrentActor() actor: Actor, @Parameters() input: EditDraftDto): Promise<void> {
    return this.drafts.edit(actor, input.draft_id, input.draft);
  }

  /**
   * Removes a draft.
   * @answers 404 the caller has no such draft
   */
  @Delete(':draft_id(\\d+)')
  remove(@CurrentActor() actor: Actor, @Parameters() input: RemoveDraftDto): Promise<void> {
    return this.drafts.remove(actor, input.draft_id);
  }
}
