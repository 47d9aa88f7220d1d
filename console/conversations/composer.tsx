import { useEffect, useRef, useState } from 'preact/hooks';
import { call, upload } from '../connection/call';
import type { Place } from '../connection/place';
import { myId, organization, settings } from '../connection/state';
import { Button } from '../parts/button';
import { useTask } from '../parts/task';
import { words } from '../words';
import { placeName } from './places';
import { WritingArea } from './writing-area';

/** What was written and not sent, by page, for as long as the window is open. */
const drafts = new Map<string, string>();

interface ComposerProperties {
  readonly place: Place | { readonly channelId: number };
  /** Names the page, for what is written on it and not sent. */
  readonly draftKey: string;
  /** A text to go on from, such as a quotation; with a number that makes each one new. */
  readonly inserted: { readonly text: string; readonly count: number } | null;
  readonly onSent: () => void;
}

/** Writes a message, with files that are chosen, dropped or pasted. */
export function Composer({ place, draftKey, inserted, onSent }: ComposerProperties) {
  const [text, setText] = useState(drafts.get(draftKey) ?? '');
  const [topic, setTopic] = useState('');
  const [sending, setSending] = useState(0);
  const [isOver, setOver] = useState(false);
  const task = useTask();
  const files = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const needsTopic = 'channelId' in place && !('topic' in place);

  useEffect(() => void drafts.set(draftKey, text), [text]);
  useEffect(() => {
    if (!inserted) return;
    setText((before) => (before === '' ? '' : `${before.trimEnd()}\n`) + inserted.text);
    form.current?.querySelector('textarea')?.focus();
  }, [inserted?.count]);

  const send = () => {
    if (text.trim() === '' || task.isBusy) return;
    void task.run(async () => {
      const to =
        'userIds' in place
          ? { type: 'direct', to: place.userIds.length > 0 ? place.userIds : [myId.value] }
          : { type: 'channel', to: place.channelId, topic: 'topic' in place ? place.topic : topic };
      await call('POST', 'messages', { ...to, content: text, read_by_sender: true });
      // What was written meanwhile stays.
      const rest = (now: string) => (now.startsWith(text) ? now.slice(text.length) : now);
      setText(rest);
      drafts.set(draftKey, rest(drafts.get(draftKey) ?? ''));
      onSent();
    });
  };
  const add = (chosen: readonly File[]) => {
    if (chosen.length === 0) return;
    setSending((count) => count + chosen.length);
    void task.run(async () => {
      for (const file of chosen) {
        try {
          const { url, filename } = await upload<{ url: string; filename: string }>('user_uploads', file);
          const name = filename.replace(/[[\]]/g, '');
          setText((before) => `${before}${before && !before.endsWith('\n') ? '\n' : ''}[${name}](${url})\n`);
        } finally {
          setSending((count) => count - 1);
        }
      }
    });
  };
  const isForUs = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const label =
    'topic' in place || 'userIds' in place
      ? words.conversations.writeTo(placeName(place))
      : words.conversations.startTopic;
  return (
    <form
      ref={form}
      class={`composer${isOver ? ' over' : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => {
        if (!isForUs(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!isForUs(event)) return;
        event.preventDefault();
        setOver(false);
        add([...event.dataTransfer!.files]);
      }}
    >
      {needsTopic && (
        <input
          class="topic-field"
          aria-label={words.conversations.topic}
          placeholder={words.conversations.topic}
          maxLength={Number(organization.value['max_topic_length'] ?? 60)}
          value={topic}
          onInput={({ currentTarget }) => setTopic(currentTarget.value)}
        />
      )}
      <div class="composer-box">
        <WritingArea label={label} value={text} onValue={setText} onSend={send} onFiles={add} />
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={words.conversations.attach}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
        <Button
          kind="quiet"
          icon="file"
          label={words.conversations.attach}
          onClick={() => files.current?.click()}
        />
        <Button
          kind="main"
          type="submit"
          icon="send"
          label={words.conversations.send}
          disabled={task.isBusy}
        />
      </div>
      {task.error ? (
        <p class="error" role="alert">
          {task.error}
        </p>
      ) : (
        <p class="hint">
          {sending > 0
            ? words.conversations.uploading(sending)
            : settings.value['enter_sends'] === true
              ? words.conversations.enterSends
              : words.conversations.ctrlEnterSends}
        </p>
      )}
    </form>
  );
}
