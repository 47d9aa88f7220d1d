import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Place } from '../connection/place';
import { nameOf, organization, settings } from '../connection/state';
import { topicFieldOf } from '../drafts/places';
import { widgets } from '../writing/words';
import { Button } from '../parts/button';
import { lazy } from '../parts/lazy';
import * as words from '../words';
import { changeDraft, draftText, useDraft } from './draft';
import { outboxOf } from './outbox';
import { mayLackTopic, placeName, topicName } from './places';
import { toInsert, wantsToWrite } from './replying';
import { stopTyping, tellTyping, typingIn } from './typing';
import { putBack, takeOut } from './unsent';
import { UnsentList } from './unsent-list';
import { WritingArea } from './writing-area';

const WidgetDialog = lazy(async () => (await import('../menus')).WidgetDialog, false);
const ScheduleDialog = lazy(async () => (await import('../menus')).ScheduleDialog, false);

/** Text to append, such as a quotation. Each insertion is a new object. */
export interface Inserted {
  readonly text: string;
}

interface ComposerProperties {
  readonly place: Place | { readonly channelId: number };
  /** Identifies the page's draft. */
  readonly draftKey: string;
  readonly inserted: Inserted | null;
  /** Files dropped on the page. */
  readonly dropped: readonly File[];
  readonly onSent: () => void;
}

/** Composes a message, with files that are chosen, dropped or pasted. */
export function Composer({ place, draftKey, inserted, dropped, onSent }: ComposerProperties) {
  const [text, setText] = useDraft(draftKey);
  const [topic, setTopic] = useDraft(topicFieldOf(draftKey));
  const outbox = outboxOf(draftKey);
  /** The widget being created. */
  const [widget, setWidget] = useState<'poll' | 'todo' | null>(null);
  /** Content of the message being scheduled. */
  const [later, setLater] = useState<string | null>(null);
  const files = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const needsTopic = 'channelId' in place && !('topic' in place);
  const to = needsTopic ? { ...place, topic } : place;

  useLayoutEffect(() => {
    outbox.onSent = onSent;
    return () => (outbox.onSent = null);
  }, [onSent]);
  useEffect(() => {
    if (!inserted) return;
    setText((before) => (before === '' ? '' : `${before.trimEnd()}\n`) + inserted.text);
    form.current?.querySelector('textarea')?.focus();
  }, [inserted]);
  useEffect(() => {
    const inserted = toInsert.value;
    if (inserted === '') return;
    toInsert.value = '';
    setText((before) => before + (/\S$/.test(before) ? ' ' : '') + inserted);
  }, [toInsert.value]);
  useEffect(() => add(dropped), [dropped]);
  useEffect(() => {
    if (!wantsToWrite.value) return;
    wantsToWrite.value = false;
    form.current?.querySelector<HTMLElement>('input:not([type]), textarea')?.focus();
  }, [wantsToWrite.value]);

  useEffect(
    () => () => {
      // A topic without content is not a draft.
      if (needsTopic && draftText(draftKey) === '') changeDraft(topicFieldOf(draftKey), '');
    },
    [],
  );

  const written = (value: string) => {
    setText(value);
    tellTyping(to, value);
  };
  const add = (chosen: readonly File[]) => void outbox.attach(to, chosen, setText);
  const send = () => {
    stopTyping();
    void outbox.send(to, text, setText);
  };
  /** Edits the user's newest loaded message. */
  const editLast = () => {
    const last = [...document.querySelectorAll<HTMLElement>('.message [data-key=edit]')].at(-1);
    last?.click();
    return last !== undefined;
  };
  const { topic: topicLabel, optionalTopic } = words.conversations;
  const mayLack = needsTopic && mayLackTopic(place.channelId);
  const typing = needsTopic ? [] : typingIn(to);
  const label = needsTopic ? words.conversations.startTopic : words.conversations.writeTo(placeName(to));
  return (
    <>
      <form ref={form} class="composer" onSubmit={() => send()}>
        <UnsentList place={place} />
        {needsTopic && (
          <input
            class="topic-field"
            aria-label={topicLabel}
            placeholder={mayLack ? optionalTopic(topicName('')) : topicLabel}
            maxLength={Number(organization.value['max_topic_length'] ?? 60)}
            value={topic}
            onInput={({ currentTarget }) => setTopic(currentTarget.value)}
          />
        )}
        {typing.length > 0 && <p class="note">{words.conversations.typing(typing.map(nameOf))}</p>}
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={words.conversations.attach}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
            form.current?.querySelector('textarea')?.focus();
          }}
        />
        <WritingArea
          label={label}
          value={text}
          onValue={written}
          onSend={send}
          onUp={editLast}
          onFiles={add}
          hasCommands
          tools={
            <>
              <Button
                kind="quiet"
                icon="file"
                label={words.conversations.attach}
                onClick={() => files.current?.click()}
              />
              {(['poll', 'todo'] as const).map((kind) => (
                <Button
                  key={kind}
                  kind="quiet"
                  class="format"
                  icon={kind === 'poll' ? 'poll' : 'tasks'}
                  label={widgets[kind]}
                  aria-haspopup="dialog"
                  // Widgets are separate messages.
                  disabled={text !== '' || outbox.isBusy}
                  onClick={() => setWidget(kind)}
                />
              ))}
            </>
          }
          ends={
            <>
              <Button
                kind="main"
                type="submit"
                icon="send"
                label={words.conversations.send}
                disabled={outbox.isBusy}
              />
              <Button
                kind="quiet"
                icon="clock"
                label={words.conversations.schedule}
                aria-haspopup="dialog"
                disabled={outbox.isBusy || text.trim() === ''}
                onClick={() => setLater(text)}
              />
            </>
          }
        />
        {outbox.errors.value.map((error) => (
          <p class="error" role="alert">
            {error}
          </p>
        ))}
        {outbox.uploading.value > 0 ? (
          <p class="note">{words.conversations.uploading(outbox.uploading.value)}</p>
        ) : (
          <p class="hint">
            {settings.value['enter_sends'] === true
              ? words.conversations.enterSends
              : words.conversations.ctrlEnterSends}
          </p>
        )}
      </form>
      {widget && (
        <WidgetDialog
          kind={widget}
          onMake={(content) => {
            setText(content);
            void outbox.send(to, content, setText);
          }}
          onClose={() => setWidget(null)}
        />
      )}
      {later !== null && (
        <ScheduleDialog
          place={to}
          content={later}
          onScheduled={(isScheduled) =>
            setText((now) => (isScheduled ? takeOut(later) : putBack(later))(now))
          }
          onClose={() => setLater(null)}
        />
      )}
    </>
  );
}
