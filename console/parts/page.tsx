import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { path } from '../router';
import * as words from '../words';

/** What the page that is shown is called; the window is named after it. */
export const pageTitle = signal('');

/** Names the window after the page, and has a screen reader begin at its heading. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    pageTitle.value = title;
  }, [title]);
  useEffect(() => {
    // Does not take the focus from a field in use.
    const { activeElement } = document;
    if (!activeElement?.closest('main')?.contains(heading.current))
      heading.current?.focus({ preventScroll: true });
  }, [path.value]);
  return heading;
}

interface PageProperties {
  readonly title: string;
  /** A sentence that says what the page is for. */
  readonly about?: ComponentChildren;
  /** Buttons beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A page of lists and forms, with its one heading. */
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

/** Stands in place of a page about something that is not there, or that one may not see. */
export function NotFound() {
  return <Page title={words.notFound} about={words.notFoundAbout} />;
}
