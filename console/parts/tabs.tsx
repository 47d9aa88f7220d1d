import { query, setQuery } from '../router';

interface TabsProperties {
  readonly label: string;
  readonly tabs: Readonly<Record<string, string>>;
}

/** The part of a page named in the URL; the first one by default. */
export function chosenTab(tabs: Readonly<Record<string, string>>): string {
  const named = query.value.get('part') ?? '';
  return Object.hasOwn(tabs, named) ? named : Object.keys(tabs)[0]!;
}

/** Links to the parts of a page. */
export function Tabs({ label, tabs }: TabsProperties) {
  return (
    <div class="chips" role="group" aria-label={label}>
      {Object.entries(tabs).map(([name, text]) => (
        <button
          key={name}
          type="button"
          class="button"
          aria-pressed={chosenTab(tabs) === name}
          onClick={() => setQuery({ part: name })}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
