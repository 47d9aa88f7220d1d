import { useEffect, useState } from 'preact/hooks';
import { call } from '../connection/call';
import type { Message } from '../connection/records';
import { Button } from '../parts/button';
import { useTask } from '../parts/task';
import * as words from '../words';
import { checkLength, useDraft } from './draft';
import { WritingArea } from './writing-area';

interface EditorProperties {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Changes the text of one's own message, in its place. */
export function MessageEditor({ message, onClose }: EditorProperties) {
  const [before, setBefore] = useState<string | null>(null);
  const [text, setText] = useDraft(`edit ${message.id}`);
  const task = useTask();
  useEffect(() => {
    void task.run(async () => {
      const found = await call<{ message: Message }>('GET', `messages/${message.id}`, {
        apply_markdown: false,
        allow_empty_topic_name: true,
      });
      setBefore(found.message.content);
      setText((begun) => begun || found.message.content);
    });
  }, []);
  const save = () =>
    void task.run(async () => {
      checkLength(text);
      if (text !== before) await call('PATCH', `messages/${message.id}`, { content: text });
      close();
    });
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {before !== null && (
        <WritingArea
          label={words.conversations.editorLabel}
          value={text}
          onValue={setText}
          onSend={save}
          onEscape={close}
          isFocused
        />
      )}
      {task.error && (
        <p class="error" role="alert">
          {task.error}
        </p>
      )}
      <div class="actions">
        <Button onClick={close}>{words.cancel}</Button>
        <Button kind="main" type="submit" disabled={task.isBusy || before === null}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
