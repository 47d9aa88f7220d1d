import { useEffect, useId, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import * as words from '../words';
import { Button } from './button';
import { Problem } from './problem';
import { useTask } from './task';

interface DialogProperties {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The element to focus first: a field, or in confirmations the first button, which does nothing. */
const FIRST =
  '.dialog > :not(.dialog-head) :is(input:not([hidden]), textarea, select):enabled, .dialog .actions > button';

/** A modal dialog, open while rendered. The browser traps and restores the focus. */
export function Dialog({ title, onClose, children }: DialogProperties) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOutside = useRef(false);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    if (!shown?.querySelector('[autofocus]')) shown?.querySelector<HTMLElement>(FIRST)?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      // A text selection may start inside the dialog and end outside.
      onPointerDown={({ target }) => void (isOutside.current = target === dialog.current)}
      onClick={({ target }) => isOutside.current && target === dialog.current && onClose()}
    >
      <div class="dialog">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" label={words.close} icon="close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProperties {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Label of the button that confirms. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for confirmation, runs the action, and shows errors. */
export function Confirm({ title, children, action, isDangerous, onConfirm, onClose }: ConfirmProperties) {
  const task = useTask();
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem text={task.error} />
      <div class="actions">
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          kind={isDangerous ? 'danger' : 'main'}
          disabled={task.isBusy}
          onClick={() => void task.run(async () => void (await onConfirm(), onClose()))}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
