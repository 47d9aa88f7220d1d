import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

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
  /** Shown above the list. */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One of several pages, next to a list of all. */
export function Pages({ label, pages, path, chosen, kind = 'settings', above, children }: PagesProperties) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On phones, the list is wider than the screen.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chosen]);
  return (
    <div class={kind}>
      <nav ref={list} aria-label={label}>
        {above}
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
