import type { ComponentChildren } from 'preact';
import { query, setQuery } from '../router';
import { TextField } from './field';
import { Icon } from './icon';
import { useHeading } from './page';
import { isNarrow } from './window';

interface PagesProperties {
  /** Name of the list. */
  readonly label: string;
  /** Titles of the pages by the last part of their URLs. */
  readonly pages: Readonly<Record<string, string>>;
  /** Common prefix of the URLs. */
  readonly path: string;
  readonly chosen: string;
  /** Whether the URL is that of the list, for which wide windows show one of the pages. */
  readonly isIndex: boolean;
  /** Where narrow windows lead back to, unless an outer list does. */
  readonly up?: { readonly href: string; readonly title: string } | undefined;
  /** CSS class. */
  readonly kind?: 'settings' | 'administration';
  /** Label of the search field above the list, which sets the text of {@link searched}. */
  readonly find?: string;
  readonly children: ComponentChildren;
}

/** The text in the search field above a list of pages. */
export const searched = () => (query.value.get('q') ?? '').trim();

function Heading({ title }: { readonly title: string }) {
  return (
    <header class="page-head">
      <h1 ref={useHeading(title)} tabIndex={-1}>
        {title}
      </h1>
    </header>
  );
}

/**
 * One of several pages, next to a list of all. Narrow windows show either the list or a page that leads back to it.
 * During a search, the page shows the results, and no page of the list is current.
 */
export function Pages(properties: PagesProperties) {
  const { label, pages, path, chosen, isIndex, up, kind = 'settings', find, children } = properties;
  const isFound = find !== undefined && searched() !== '';
  const isList = isNarrow.value && isIndex && !isFound;
  const hasField = find !== undefined && (isIndex || !isNarrow.value);
  const hasList = isList || !isNarrow.value;
  return (
    <div class={kind}>
      {isNarrow.value && up && (
        <a class="up" href={up.href}>
          <Icon name="back" />
          {up.title}
        </a>
      )}
      {(hasField || hasList) && (
        <nav aria-label={label}>
          {isList && <Heading title={label} />}
          {hasField && (
            <TextField
              label={find}
              type="search"
              value={query.value.get('q') ?? ''}
              onValue={(q) => setQuery({ q })}
            />
          )}
          {hasList && (
            <ul>
              {Object.entries(pages).map(([name, title]) => (
                <li key={name}>
                  <a
                    href={`${path}/${name}`}
                    aria-current={name === chosen && !isFound && !isList ? 'page' : undefined}
                  >
                    {title}
                    {isList && <Icon name="forth" />}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </nav>
      )}
      {!isList && children}
    </div>
  );
}
