import type { SavedSnippet } from '../personal.entity';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text, visibleName } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** A snippet as sent to its owner. */
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
  /** Title of the snippet. */
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

  /** New title of the snippet. */
  @Parameter(TITLE, { optional: true })
  title?: string;

  /** New content, in Markdown. */
  @Parameter(CONTENT, { optional: true })
  content?: string;
}

/** Parameters of `DELETE /saved_snippets/{saved_snippet_id}`. */
export class RemoveSavedSnippetDto {
  /** ID of the snippet. */
  @PathParameter()
  saved_snippet_id!: number;
}

/** The recipient saved a snippet. */
export const savedSnippetAdded = defineEvent<{ saved_snippet: SavedSnippetWire }>('saved_snippets', 'add');

/** The recipient edited a snippet. */
export const savedSnippetUpdated = defineEvent<{ saved_snippet: SavedSnippetWire }>(
  'saved_snippets',
  'update',
);

/** The recipient deleted a snippet. */
export const savedSnippetRemoved = defineEvent<{ saved_snippet_id: number }>('saved_snippets', 'remove');

/** No snippet of the caller has this ID. */
export class SavedSnippetNotFound extends refusal('Saved snippet does not exist.', { status: 404 }) {}

/** The limit on snippets is reached. */
export class TooManySavedSnippets extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} saved snippets.`);
  }
}
