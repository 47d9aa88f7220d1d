import { useState } from 'preact/hooks';
import { checkLength } from '../conversations/draft';
import { TextArea, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { commandFor } from './content';
import { poll, todo } from './words';

interface WidgetDialogProperties {
  readonly kind: 'poll' | 'todo';
  /** Receives the text that creates the widget when sent. */
  readonly onMake: (text: string) => void;
  readonly onClose: () => void;
}

const WORDS = {
  poll: { create: poll.create, title: poll.question, lines: poll.options, about: poll.optionsAbout },
  todo: { create: todo.create, title: todo.title, lines: todo.tasks, about: todo.tasksAbout },
};

/** Asks for the content of a poll or to-do list. */
export function WidgetDialog({ kind, onMake, onClose }: WidgetDialogProperties) {
  const [title, setTitle] = useState('');
  const [lines, setLines] = useState('');
  const words = WORDS[kind];
  const make = async () => {
    const text = commandFor(kind, title, lines);
    checkLength(text);
    await Promise.resolve(onMake(text));
  };
  return (
    <FormDialog title={words.create} action={words.create} onSubmit={make} onClose={onClose}>
      <TextField label={words.title} required autocomplete="off" value={title} onValue={setTitle} />
      <TextArea label={words.lines} hint={words.about} rows={5} value={lines} onValue={setLines} />
    </FormDialog>
  );
}
