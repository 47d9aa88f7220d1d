import type { SavedSnippet } from '../personal.entity';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text, visibleName } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** A snippet as its owner sees it. */
export interface SavedSnippetWire {
  readonly id: number;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  /** UNIX seconds. */
  readonly date_created: number;
}

/** The record of a snippet. */
export function savedSnippetWire({ id, title, content, createdAt }: SavedSnippet): SavedSnippetWire {
  return { id, title, content, date_created: createdAt };
}

const TITLE = visibleName({ notBlank: true, maxLength: 60 });
const CONTENT = text({ trim: true, notBlank: true, maxLength: 10_000 });

/** Parameters of `POST /saved_snippets`. */
export class AddSavedSnippetDto {
  /** What its owner calls it. */
  @Parameter(TITLE)
  title!: string;

  /** Markdown. */
  @Parameter(CONTENT)
  content!: string;
}

/** Parameters of `PATCH /saved_snippets/{saved_snippet_id}`. */
export class EditSavedSnippetDto {
  /** ID of the snippet. */
  @PathParameter()
  saved_snippet_id!: number;

  /** What its owner calls it from now on. */
  @Parameter(TITLE, { optional: true })
  title?: string;

  /** Markdown that takes the place of the old. */
  @Parameter(CONTENT, { optional: true })
  content?: string;
}

/** Parameters of `DELETE /saved_snippets/{saved_snippet_id}`. */
export class RemoveSavedSnippetDto {
  /** ID of the snippet. */
  @PathParameter()
  saved_snippet_id!: number;
}

/** The receiver saved a snippet. */
export const savedSnippetAdded = defineEvent<{ saved_snippet: SavedSnippetWire }>('saved_snippets', 'add');

/** The receiver edited a snippet. */
export const savedSnippetUpdated = defineEvent<{ saved_snippet: SavedSnippetWire }>(
  'saved_snippets',
  'update',
);

/** The receiver removed a snippet. */
export const savedSnippetRemoved = defineEvent<{ saved_snippet_id: number }>('saved_snippets', 'remove');

/** No snippet of the caller has this ID. */
export class SavedSnippetNotFound extends refusal('Saved snippet does not exist.', { status: 404 }) {}

/** The caller has too many snippets. */
export class TooManySavedSnippets extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} saved snippets.`);
  }
}
