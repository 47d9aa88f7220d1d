import type { SavedSnippet } from './saved-snippet.entity';

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
