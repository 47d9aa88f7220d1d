import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PagesProperties {
  /** What the list is called. */
  readonly label: string;
  /** The titles of the pages by the last parts of their addresses. */
  readonly pages: Readonly<Record<string, string>>;
  /** What their addresses begin with. */
  readonly path: string;
  readonly chosen: string;
  /** By which its style is found, if that is another one. */
  readonly kind?: 'settings' | 'administration';
  /** Stands above the list. */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One of several pages, beside the list of them. */
export function Pages({ label, pages, path, chosen, kind = 'settings', above, children }: PagesProperties) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone it is longer than the screen is wide.
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
