import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { SuggestedField } from '../parts/suggested-field';
import { matchPath, navigate, path, query, ROOT } from '../router';
import * as words from '../words';
import { hrefOfSearch } from './terms';

type Suggestions = typeof import('./suggestions');

/** A search field for all messages, with suggestions of operators and operands. */
export function SearchField() {
  const shown = matchPath(`${ROOT}/search`, path.value) ? (query.value.get('q') ?? '') : '';
  const [text, setText] = useState(shown);
  const [caret, setCaret] = useState(0);
  const [suggestions, setSuggestions] = useState<Suggestions | null>(null);
  useEffect(() => setText(shown), [path.value, shown]);
  // Searching works without suggestions.
  const load = () => void import('./suggestions').then(setSuggestions, () => undefined);
  const write = (value: string, at: number) => {
    setText(value);
    setCaret(at);
  };
  return (
    <form
      role="search"
      onSubmit={() => {
        if (text.trim() !== '') navigate(hrefOfSearch(text.trim()));
      }}
    >
      <Icon name="search" />
      <SuggestedField
        name="q"
        label={words.conversations.searchMessages}
        listLabel={words.conversations.suggestions}
        value={text}
        onValue={write}
        onFocus={load}
        offers={suggestions?.completionsFor(text, caret) ?? []}
        onTake={({ text: completed }) => write(completed, completed.length)}
      />
    </form>
  );
}
