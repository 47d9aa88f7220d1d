import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { path } from '../router';
import * as words from '../words';

/** The title of the open page, which the window's title contains. */
export const pageTitle = signal('');

/** Sets the window's title, and focuses the heading so that screen readers start there. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    pageTitle.value = title;
  }, [title]);
  useEffect(() => {
    // Keeps the focus in a field that is in use.
    const { activeElement } = document;
    if (!activeElement?.closest('main')?.contains(heading.current))
      heading.current?.focus({ preventScroll: true });
  }, [path.value]);
  return heading;
}

interface PageProperties {
  readonly title: string;
  /** A sentence about the purpose of the page. */
  readonly about?: ComponentChildren;
  /** Buttons next to the heading. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A page of lists and forms, with its heading. */
export function Page({ title, about, actions, children }: PageProperties) {
  return (
    <div class="page">
      <header class="page-head">
        <h1 ref={useHeading(title)} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {about && <div class="about">{about}</div>}
      {children}
    </div>
  );
}

/** Shown for pages about something that does not exist or is not visible to the user. */
export function NotFound() {
  return <Page title={words.notFound} about={words.notFoundAbout} />;
}
