import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { othersOf, type Place } from '../connection/place';
import { serverNow } from '../connection/presence';
import type { ScheduledMessage } from '../connection/records';
import { myId, reminders, scheduled } from '../connection/state';
import { hrefOf, placeName } from '../conversations/places';
import { Button } from '../parts/button';
import { shownTime } from '../parts/format';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { Rendered } from '../parts/rendered';
import { announce } from '../parts/status';
import { attempt } from '../parts/task';
import { reminders as remindersTitle, scheduled as scheduledTitle, undo } from '../words';
import { EditScheduledDialog } from './later-dialogs';
import { reminders as reminderWords, scheduled as words } from './words';

/** Practically now, but still in the future when the request arrives. */
const MOMENT_SECONDS = 2;

const byTime = (
  one: { readonly scheduled_delivery_timestamp: number },
  other: { readonly scheduled_delivery_timestamp: number },
) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp;

interface RowProperties {
  readonly title?: ComponentChildren;
  readonly seconds: number;
  readonly html: string;
  /** Why the message was not sent. */
  readonly problem: string;
  readonly children: ComponentChildren;
}

function LaterRow({ title, seconds, html, problem, children }: RowProperties) {
  return (
    <li class="unsent-row">
      <div class="row-text">
        <span class="row-title">
          {title}
          <span class="note">
            <Moment seconds={seconds} />
          </span>
        </span>
        <Rendered html={html} />
        {problem && <p class="error">{problem}</p>}
      </div>
      <div class="actions">{children}</div>
    </li>
  );
}

function placeOfScheduled({ to, topic }: ScheduledMessage): Place {
  if (typeof to === 'number') return { channelId: to, topic: topic ?? '' };
  return { userIds: othersOf(to, myId.value) };
}

function ScheduledRow({ message }: { readonly message: ScheduledMessage }) {
  const [isOpen, setOpen] = useState(false);
  const { scheduled_message_id: id, type, to, topic, content, scheduled_delivery_timestamp } = message;
  const place = placeOfScheduled(message);
  const name = placeName(place);
  const path = `scheduled_messages/${id}`;
  const erase = async () => {
    await call('DELETE', path);
    const again = { type, to, topic, content, scheduled_delivery_timestamp, read_by_sender: true };
    announce(words.erased, { label: undo, run: () => attempt(call('POST', 'scheduled_messages', again)) });
  };
  // The server sends it, so that it is sent only once even if responses are lost.
  const sendNow = async () => {
    await call('PATCH', path, { scheduled_delivery_timestamp: Math.ceil(serverNow()) + MOMENT_SECONDS });
    announce(words.isSent);
  };
  return (
    <>
      <LaterRow
        title={
          <a class="name" href={hrefOf(place)}>
            {name}
          </a>
        }
        seconds={scheduled_delivery_timestamp}
        html={message.rendered_content}
        problem={message.failed ? words.failed : ''}
      >
        <Button label={words.editIt(name)} onClick={() => setOpen(true)}>
          {words.edit}
        </Button>
        <Button label={words.sendIt(name)} onClick={() => attempt(sendNow())}>
          {words.sendNow}
        </Button>
        <Button kind="quiet" icon="trash" label={words.eraseIt(name)} onClick={() => attempt(erase())} />
      </LaterRow>
      {isOpen && <EditScheduledDialog message={message} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Scheduled messages. */
export function ScheduledPage() {
  const all = [...scheduled.value.values()].sort(byTime);
  return (
    <Page title={scheduledTitle} about={words.about}>
      <ul class="places">
        {all.map((message) => (
          <ScheduledRow key={message.scheduled_message_id} message={message} />
        ))}
      </ul>
      {all.length === 0 && <p class="empty">{words.empty}</p>}
    </Page>
  );
}

/** Reminders of messages. */
export function RemindersPage() {
  const all = [...reminders.value.values()].sort(byTime);
  const erase = async (id: number) => {
    await call('DELETE', `reminders/${id}`);
    announce(reminderWords.erased);
  };
  return (
    <Page title={remindersTitle} about={reminderWords.about}>
      <ul class="places">
        {all.map(({ reminder_id: id, scheduled_delivery_timestamp: seconds, rendered_content, failed }) => (
          <LaterRow
            key={id}
            seconds={seconds}
            html={rendered_content}
            problem={failed ? reminderWords.failed : ''}
          >
            <Button
              kind="quiet"
              icon="trash"
              label={reminderWords.eraseIt(shownTime(seconds))}
              onClick={() => attempt(erase(id))}
            />
          </LaterRow>
        ))}
      </ul>
      {all.length === 0 && <p class="empty">{reminderWords.empty}</p>}
    </Page>
  );
}
