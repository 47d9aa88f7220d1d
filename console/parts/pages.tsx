import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { query, setQuery } from '../router';
import { TextField } from './field';

interface PagesProperties {
  /** Accessible name of the list. */
  readonly label: string;
  /** Titles of the pages by the last part of their URLs. */
  readonly pages: Readonly<Record<string, string>>;
  /** Common prefix of the URLs. */
  readonly path: string;
  readonly chosen: string;
  /** CSS class. */
  readonly kind?: 'settings' | 'administration';
  /** Label of the search field above the list, which sets the text of {@link searched}. */
  readonly find?: string;
  readonly children: ComponentChildren;
}

/** The text in the search field above a list of pages. */
export const searched = () => (query.value.get('q') ?? '').trim();

/** One of several pages, next to a list of all. While something is searched for, no page is the current one. */
export function Pages({ label, pages, path, chosen, kind = 'settings', find, children }: PagesProperties) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On phones, the list is wider than the screen.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chosen]);
  return (
    <div class={kind}>
      <nav ref={list} aria-label={label}>
        {find !== undefined && (
          <TextField
            label={find}
            type="search"
            value={query.value.get('q') ?? ''}
            onValue={(q) => setQuery({ q })}
          />
        )}
        <ul>
          {Object.entries(pages).map(([name, title]) => (
            <li key={name}>
              <a href={`${path}/${name}`} aria-current={name === chosen ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </div>
  );
}
