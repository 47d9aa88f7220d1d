import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import type { Message } from '../connection/records';
import { myId, nameOf } from '../connection/state';
import { isMine } from '../conversations/message-window';
import { Button } from '../parts/button';
import { Check } from '../parts/field';
import { Problem } from '../parts/problem';
import { Rendered } from '../parts/rendered';
import { useTask } from '../parts/task';
import { cancel, save } from '../words';
import { widgetOf } from './content';
import { poll as pollWords, todo as todoWords } from './words';

/** Maximum length of texts in other clients. */
const LONGEST = 500;

/** Changes a widget, with data in the format of all clients. */
type Act = (data: Readonly<Record<string, unknown>>) => Promise<boolean>;

interface HeadProperties {
  readonly text: string;
  readonly label: string;
  /** Changes the text; null if the user may not. */
  readonly onChange: ((text: string) => Promise<boolean>) | null;
}

/** The question of a poll or the title of a list, which its author can change. */
function Head({ text, label, onChange }: HeadProperties) {
  const [next, setNext] = useState<string | null>(null);
  if (next === null || !onChange) {
    return (
      <p class="widget-head">
        <strong dir="auto">{text}</strong>
        {onChange && <Button kind="quiet" icon="edit" label={label} onClick={() => setNext(text)} />}
      </p>
    );
  }
  const change = async () => {
    if (await onChange(next)) setNext(null);
  };
  return (
    <form class="inline" onSubmit={() => void change()}>
      <input
        aria-label={label}
        maxLength={LONGEST}
        required
        value={next}
        onInput={({ currentTarget }) => setNext(currentTarget.value)}
      />
      <Button type="submit">{save}</Button>
      <Button onClick={() => setNext(null)}>{cancel}</Button>
    </form>
  );
}

interface AddFormProperties {
  /** Labels of the fields; the first one is required. */
  readonly fields: readonly string[];
  readonly action: string;
  readonly onAdd: (texts: readonly string[]) => Promise<boolean>;
}

function AddForm({ fields, action, onAdd }: AddFormProperties) {
  const [texts, setTexts] = useState(fields.map(() => ''));
  const add = async () => {
    if (texts[0]!.trim() === '') return;
    if (await onAdd(texts.map((text) => text.trim()))) setTexts(fields.map(() => ''));
  };
  return (
    <form class="inline" onSubmit={() => void add()}>
      {fields.map((label, index) => (
        <input
          key={label}
          aria-label={label}
          placeholder={label}
          maxLength={LONGEST}
          autocomplete="off"
          value={texts[index]}
          onInput={({ currentTarget }) =>
            setTexts(texts.map((text, at) => (at === index ? currentTarget.value : text)))
          }
        />
      ))}
      <Button type="submit">{action}</Button>
    </form>
  );
}

interface PartProperties<Kind> {
  readonly widget: Extract<NonNullable<ReturnType<typeof widgetOf>>, { kind: Kind }>;
  readonly isAuthor: boolean;
  readonly act: Act;
}

function Poll({ widget: { question, options, next }, isAuthor, act }: PartProperties<'poll'>) {
  const most = Math.max(1, ...[...options.values()].map(({ voters }) => voters.size));
  return (
    <section class="widget" aria-label={pollWords.label}>
      <Head
        text={question || pollWords.noQuestion}
        label={pollWords.editQuestion}
        onChange={isAuthor ? (text) => act({ type: 'question', question: text }) : null}
      />
      <ul class="plain">
        {[...options].map(([key, { text, voters }]) => {
          const isChosen = voters.has(myId.value);
          return (
            <li key={key} class="poll-option">
              <button
                type="button"
                class="button vote"
                aria-pressed={isChosen}
                aria-label={pollWords.vote(text, voters.size)}
                onClick={() => void act({ type: 'vote', key, vote: isChosen ? -1 : 1 })}
              >
                {voters.size}
              </button>
              <div class="poll-result">
                <span>
                  <bdi>{text}</bdi> <span class="note">{[...voters].map(nameOf).join(', ')}</span>
                </span>
                <span class="poll-bar" aria-hidden="true">
                  <span style={{ width: `${(100 * voters.size) / most}%` }} />
                </span>
              </div>
            </li>
          );
        })}
      </ul>
      <AddForm
        fields={[pollWords.newOption]}
        action={pollWords.add}
        onAdd={([option]) => act({ type: 'new_option', idx: next, option })}
      />
    </section>
  );
}

function TodoList({ widget: { title, tasks, next }, isAuthor, act }: PartProperties<'todo'>) {
  return (
    <section class="widget" aria-label={todoWords.label}>
      <Head
        text={title || todoWords.noTitle}
        label={todoWords.editTitle}
        onChange={isAuthor ? (text) => act({ type: 'new_task_list_title', title: text }) : null}
      />
      <ul class="plain">
        {[...tasks].map(([key, { task, description, isDone }]) => (
          <li key={key} class={isDone ? 'task done' : 'task'}>
            <Check
              label={
                <>
                  <bdi class="task-name">{task}</bdi> {description && <bdi class="note">{description}</bdi>}
                </>
              }
              checked={isDone}
              onChecked={() => void act({ type: 'strike', key })}
            />
          </li>
        ))}
      </ul>
      <AddForm
        fields={[todoWords.newTask, todoWords.description]}
        action={todoWords.add}
        onAdd={([task, desc]) => act({ type: 'new_task', key: next, task, desc, completed: false })}
      />
    </section>
  );
}

/** Shows a message as a poll or to-do list; other messages as text, whatever their submessages are. */
export function Widget({ message }: { readonly message: Message }) {
  const task = useTask();
  const widget = widgetOf(message);
  if (!widget) return <Rendered html={message.content} />;
  const act: Act = (data) =>
    task.run(() =>
      call('POST', 'submessage', {
        message_id: message.id,
        msg_type: 'widget',
        content: JSON.stringify(data),
      }),
    );
  const isAuthor = isMine(message);
  return (
    <>
      {widget.kind === 'poll' ? (
        <Poll {...{ widget, isAuthor, act }} />
      ) : (
        <TodoList {...{ widget, isAuthor, act }} />
      )}
      <Problem text={task.error} />
    </>
  );
}
