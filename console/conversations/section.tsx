import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from '../parts/icon';
import { Count, unreadIn } from './unread-counts';

const STORED = 'closed sections';

/** Names of the closed sections of the sidebar, on this device. */
const closed = signal<readonly string[]>((localStorage.getItem(STORED) ?? '').split(' ').filter(Boolean));

function toggle(name: string): void {
  const others = closed.value.filter((each) => each !== name);
  closed.value = others.length < closed.value.length ? others : [...others, name];
  if (closed.value.length > 0) localStorage.setItem(STORED, closed.value.join(' '));
  else localStorage.removeItem(STORED);
}

interface SectionProperties {
  /** Name in the storage, and key of the unread count shown while the section is closed. */
  readonly name: string;
  readonly title: string;
  /** Whether a shortcut opens the section for the time being. */
  readonly isWanted: boolean;
  /** A link next to the title. */
  readonly more: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of the sidebar, which a button opens and closes. */
export function Section({ name, title, isWanted, more, children }: SectionProperties) {
  const id = useId();
  const isOpen = isWanted || !closed.value.includes(name);
  return (
    <>
      <h2>
        <button
          type="button"
          class="section"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => toggle(name)}
        >
          <Icon name="forth" />
          {title}
          {!isOpen && <Count of={unreadIn(name)} />}
        </button>
        {more}
      </h2>
      <div id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </>
  );
}
