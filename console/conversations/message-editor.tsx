import { useEffect } from 'preact/hooks';
import { call, Refusal } from '../connection/call';
import type { Message } from '../connection/records';
import { Button } from '../parts/button';
import { Problem } from '../parts/problem';
import { useTask } from '../parts/task';
import * as words from '../words';
import { read } from './asking';
import { checkLength, useDraft } from './draft';
import { WritingArea } from './writing-area';

interface EditorProperties {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Edits one of the user's messages in place. */
export function MessageEditor({ message, onClose }: EditorProperties) {
  const [text, setText] = useDraft(`edit ${message.id}`);
  /** The text before editing. */
  const [before, setBefore] = useDraft(`before ${message.id}`);
  const task = useTask();
  useEffect(() => {
    if (text && text !== before) return;
    void task.run(async () => {
      const { content } = await read(message.id, false);
      setBefore(content);
      setText(content);
    });
  }, []);
  const save = () =>
    void task.run(async () => {
      checkLength(text);
      if (text !== before) {
        // The message may have been changed on another device.
        const { content } = await read(message.id, false);
        if (content !== before) {
          setBefore(content);
          throw new Refusal(words.conversations.changed(content));
        }
        await call('PATCH', `messages/${message.id}`, { content: text });
      }
      close();
    });
  const close = () => {
    setText('');
    setBefore('');
    document.querySelector<HTMLElement>(`[data-id="${message.id}"]:has(.editor)`)?.focus();
    onClose();
  };
  return (
    <form class="editor" onSubmit={() => save()}>
      {before && (
        <WritingArea
          label={words.conversations.editorLabel}
          value={text}
          onValue={setText}
          onSend={save}
          onEscape={close}
          isFocused
        />
      )}
      <Problem text={task.error} />
      <div class="actions">
        <Button onClick={close}>{words.cancel}</Button>
        <Button kind="main" type="submit" disabled={task.isBusy || !before}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
