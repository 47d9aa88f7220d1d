import { Page } from '../parts/page';
import { query } from '../router';
import { SearchField } from '../search/field';
import { nearIn } from '../search/terms';
import * as words from '../words';
import { Conversation } from './conversation';

/** All messages, except muted ones. */
export function FeedPage() {
  return (
    <Conversation
      title={words.overviews.feed}
      narrow={{ feed: true }}
      empty={words.overviews.emptyFeed}
      place={null}
    />
  );
}

/** Search results. */
export function SearchPage() {
  const text = query.value.get('q') ?? '';
  if (text === '') {
    return (
      <Page title={words.conversations.searchMessages}>
        <div class="narrow-only">
          <SearchField />
        </div>
      </Page>
    );
  }
  return (
    <Conversation
      title={words.conversations.found(text)}
      narrow={{ text }}
      near={nearIn(text)}
      empty={words.conversations.nothingFound}
      place={null}
    />
  );
}

export function MentionsPage() {
  return (
    <Conversation
      title={words.conversations.mentions}
      narrow={{ flag: 'mentioned' }}
      empty={words.conversations.noMentions}
      place={null}
    />
  );
}

export function StarredPage() {
  return (
    <Conversation
      title={words.conversations.starred}
      narrow={{ flag: 'starred' }}
      empty={words.conversations.nothingStarred}
      place={null}
    />
  );
}
