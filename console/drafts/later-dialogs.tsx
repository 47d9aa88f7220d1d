import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { recipientOf, type Place } from '../connection/place';
import type { Message, ScheduledMessage } from '../connection/records';
import { myId } from '../connection/state';
import { checkLength } from '../conversations/draft';
import { TextArea, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { shownTime } from '../parts/format';
import { announce } from '../parts/status';
import { attempt } from '../parts/task';
import { save, undo } from '../words';
import { useTime } from './time-field';
import { reminders as reminderWords, scheduled as words } from './words';

/** The server's maximum length of notes. */
const LONGEST_NOTE = 1000;

interface ScheduleDialogProperties {
  readonly place: Place;
  readonly content: string;
  /** Called when the message was scheduled, and when that was undone. */
  readonly onScheduled: (isScheduled: boolean) => void;
  readonly onClose: () => void;
}

/** Schedules a message. */
export function ScheduleDialog({ place, content, onScheduled, onClose }: ScheduleDialogProperties) {
  const time = useTime();
  const schedule = async () => {
    checkLength(content);
    const seconds = time.seconds();
    const { scheduled_message_id: id } = await call<{ scheduled_message_id: number }>(
      'POST',
      'scheduled_messages',
      {
        ...recipientOf(place, myId.value),
        content,
        scheduled_delivery_timestamp: seconds,
        read_by_sender: true,
      },
    );
    onScheduled(true);
    const run = () => attempt(call('DELETE', `scheduled_messages/${id}`).then(() => onScheduled(false)));
    announce(words.done(shownTime(seconds)), { label: undo, run });
  };
  return (
    <FormDialog title={words.title} action={words.action} onSubmit={schedule} onClose={onClose}>
      {time.fields}
    </FormDialog>
  );
}

interface EditDialogProperties {
  readonly message: ScheduledMessage;
  readonly onClose: () => void;
}

/** Edits the content and time of a scheduled message. */
export function EditScheduledDialog({ message, onClose }: EditDialogProperties) {
  const [content, setContent] = useState(message.content);
  const time = useTime(message.scheduled_delivery_timestamp);
  const change = async () => {
    checkLength(content);
    const scheduled_delivery_timestamp = time.seconds();
    const isTextNew = content !== message.content;
    await call('PATCH', `scheduled_messages/${message.scheduled_message_id}`, {
      scheduled_delivery_timestamp,
      ...(isTextNew && { content }),
    });
  };
  return (
    <FormDialog title={words.title} action={save} onSubmit={change} onClose={onClose}>
      <TextArea label={words.text} rows={5} required value={content} onValue={setContent} />
      {time.fields}
    </FormDialog>
  );
}

interface RemindDialogProperties {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Schedules a reminder of a message. */
export function RemindDialog({ message: { id }, onClose }: RemindDialogProperties) {
  const [note, setNote] = useState('');
  const time = useTime();
  const remind = async () => {
    const seconds = time.seconds();
    await call('POST', 'reminders', { message_id: id, scheduled_delivery_timestamp: seconds, note });
    announce(reminderWords.done(shownTime(seconds)));
  };
  return (
    <FormDialog title={reminderWords.title} action={reminderWords.title} onSubmit={remind} onClose={onClose}>
      {time.fields}
      <TextField
        label={reminderWords.note}
        autocomplete="off"
        maxLength={LONGEST_NOTE}
        value={note}
        onValue={setNote}
      />
    </FormDialog>
  );
}
