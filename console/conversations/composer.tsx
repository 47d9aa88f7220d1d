import { useEffect, useRef, useState } from 'preact/hooks';
import { call, upload } from '../connection/call';
import type { Place } from '../connection/place';
import { myId, organization, settings } from '../connection/state';
import { Button } from '../parts/button';
import { useTask } from '../parts/task';
import * as words from '../words';
import { checkLength, useDraft } from './draft';
import { placeName } from './places';
import { WritingArea } from './writing-area';

/** A text that is put behind what is written, such as a quotation. Each one is an object of its own. */
export interface Inserted {
  readonly text: string;
}

interface ComposerProperties {
  readonly place: Place | { readonly channelId: number };
  /** Names the page, for what is written on it and not sent. */
  readonly draftKey: string;
  readonly inserted: Inserted | null;
  /** Files that were dropped on the page. */
  readonly dropped: readonly File[];
  readonly onSent: () => void;
}

/** Writes a message, with files that are chosen, dropped or pasted. */
export function Composer({ place, draftKey, inserted, dropped, onSent }: ComposerProperties) {
  const [text, setText] = useDraft(draftKey);
  const [topic, setTopic] = useDraft(`topic ${draftKey}`);
  const [sending, setSending] = useState(0);
  const task = useTask();
  const files = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const needsTopic = 'channelId' in place && !('topic' in place);

  useEffect(() => {
    if (!inserted) return;
    setText((before) => (before === '' ? '' : `${before.trimEnd()}\n`) + inserted.text);
    form.current?.querySelector('textarea')?.focus();
  }, [inserted]);
  useEffect(() => add(dropped), [dropped]);

  const send = () => {
    if (text.trim() === '' || task.isBusy) return;
    void task.run(async () => {
      checkLength(text);
      const to =
        'userIds' in place
          ? { type: 'direct', to: place.userIds.length > 0 ? place.userIds : [myId.value] }
          : { type: 'channel', to: place.channelId, topic: 'topic' in place ? place.topic : topic };
      await call('POST', 'messages', { ...to, content: text, read_by_sender: true });
      // What was written meanwhile stays.
      setText((now) => (now.startsWith(text) ? now.slice(text.length) : now));
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
  const label =
    'topic' in place || 'userIds' in place
      ? words.conversations.writeTo(placeName(place))
      : words.conversations.startTopic;
  return (
    <form
      ref={form}
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
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
