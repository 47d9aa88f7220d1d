import type { ComponentChildren } from 'preact';
import * as words from '../words';
import { Button } from './button';
import { Dialog } from './dialog';
import { Problem } from './problem';
import { useTask } from './task';

interface FormDialogProperties {
  readonly title: string;
  /** Label of the submit button. */
  readonly action: string;
  /** Called on submit; the dialog closes on success. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog, which shows errors. */
export function FormDialog({ title, action, onSubmit, onClose, children }: FormDialogProperties) {
  const task = useTask();
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={() => {
          void task.run(async () => void (await onSubmit(), onClose()));
        }}
      >
        {children}
        <Problem text={task.error} />
        <div class="actions">
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="main" type="submit" disabled={task.isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
