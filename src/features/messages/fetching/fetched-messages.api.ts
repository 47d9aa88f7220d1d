import type { RawJson } from '../../../platform/http/envelope.interceptor';
import { escapeHtml } from '../markdown/sanitize';
import type { MessageWire } from '../store/message-records.api';
import { highlight } from './highlight';
import type { SearchQuery } from './search-query';

/** Text and topic of a message as HTML, with marks where a search found what it looked for. */
export interface MatchesWire {
  readonly match_content: string;
  readonly match_subject: string;
}

/**
 * @param subject as the record shows it
 * @param query null when nothing was searched for
 */
export function matchesWire(
  renderedContent: string,
  subject: string,
  query: SearchQuery | null,
): MatchesWire {
  const mark = (html: string) => (query ? highlight(html, query) : html);
  return { match_content: mark(renderedContent), match_subject: mark(escapeHtml(subject)) };
}

/** A message with the reader's personal flags, and with matches where there was a search. */
export type FetchedMessage = MessageWire & { readonly flags: readonly string[] } & Partial<MatchesWire>;

/** The answer of `GET /messages`. */
export interface FetchedMessages {
  /** The anchor that was used; not there when messages were asked for by their IDs. */
  readonly anchor?: number;
  readonly messages: RawJson<readonly FetchedMessage[]>;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: boolean;
}
