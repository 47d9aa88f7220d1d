import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { visibleName } from '../../platform/http/parameters/visible-name';

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
