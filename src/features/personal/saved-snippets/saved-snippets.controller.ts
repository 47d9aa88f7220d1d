import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import {
  AddSavedSnippetDto,
  EditSavedSnippetDto,
  RemoveSavedSnippetDto,
  type SavedSnippetWire,
} from './saved-snippets.api';
import { SavedSnippetsService } from './saved-snippets.service';

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
