import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { lazy } from '../parts/lazy';
import { isWide } from '../parts/window';
import * as words from '../words';
import type { Narrow } from './narrow';

const Details = lazy(async () => (await import('../menus')).Details);

const STORED = 'details';

/** Whether wide windows show details next to conversations; kept on this device. */
const isKept = signal(localStorage.getItem(STORED) === 'shown');

function keep(isOpen: boolean): void {
  isKept.value = isOpen;
  if (isOpen) localStorage.setItem(STORED, 'shown');
  else localStorage.removeItem(STORED);
}

/** Details next to a conversation in wide windows, otherwise in a dialog; closed by Escape. */
export function useDetails(narrow: Narrow) {
  const [isAsked, setAsked] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLElement>(null);
  const isOpen = isWide.value ? isKept.value : isAsked;
  useEffect(() => {
    if (isAsked && isWide.value) panel.current?.querySelector('button')?.focus();
  }, [isAsked]);
  const set = (isShown: boolean) => {
    setAsked(isShown);
    if (isWide.value) keep(isShown);
    if (!isShown) button.current?.querySelector('button')?.focus();
  };
  const title = words.conversations.details;
  return {
    button: (
      <span ref={button}>
        <Button icon="panel" kind="quiet" label={title} aria-expanded={isOpen} onClick={() => set(!isOpen)} />
      </span>
    ),
    panel:
      isOpen &&
      (isWide.value ? (
        <aside
          ref={panel}
          class="details"
          aria-label={title}
          onKeyDown={(event) => {
            // Cards close on their own.
            if (event.key !== 'Escape' || (event.target as Element).closest('[popover]')) return;
            event.preventDefault();
            set(false);
          }}
        >
          <header class="dialog-head">
            <h2>{title}</h2>
            <Button kind="quiet" label={words.close} icon="close" onClick={() => set(false)} />
          </header>
          <Details narrow={narrow} />
        </aside>
      ) : (
        <Dialog title={title} onClose={() => setAsked(false)}>
          <div class="details-content">
            <Details narrow={narrow} />
          </div>
        </Dialog>
      )),
  };
}
