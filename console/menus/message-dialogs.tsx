import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import type { Message } from '../connection/records';
import { channels, nameOf, organization } from '../connection/state';
import { topicName } from '../conversations/places';
import { Confirm, Dialog } from '../parts/dialog';
import { SelectField, TextArea } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Moment } from '../parts/moment';
import { PersonName } from '../parts/person';
import { Problem } from '../parts/problem';
import { Rendered } from '../parts/rendered';
import { announce } from '../parts/status';
import { useFetched } from '../parts/task';
import { loading } from '../words';
import * as words from './words';

interface MessageDialogProperties {
  readonly message: Message;
  readonly onClose: () => void;
}

/** An earlier version of a message; the first one is the original. */
interface Version {
  readonly rendered_content: string;
  readonly topic: string;
  readonly prev_topic?: string;
  readonly stream?: number;
  readonly prev_stream?: number;
  readonly timestamp: number;
  readonly user_id: number | null;
}

/** Describes where an edit moved the message; null if it did not. */
function moveIn({ topic, prev_topic, stream, prev_stream }: Version): string | null {
  if (prev_topic === undefined && prev_stream === undefined) return null;
  const name = (channelId: number | undefined, text: string) => {
    const channel = channelId === undefined ? undefined : channels.value.get(channelId);
    return channel ? `#${channel.name} › ${topicName(text)}` : topicName(text);
  };
  return words.message.moved(name(prev_stream, prev_topic ?? topic), name(stream, topic));
}

/** Earlier versions of a message, newest first. */
export function HistoryDialog({ message: { id }, onClose }: MessageDialogProperties) {
  const { value, error } = useFetched(
    () =>
      call<{ message_history: Version[] }>('GET', `messages/${id}/history`, { allow_empty_topic_name: true }),
    [id],
  );
  const versions = value?.message_history.toReversed() ?? [];
  return (
    <Dialog title={words.message.history} onClose={onClose}>
      <Problem text={error} />
      {!value && !error && <p class="empty">{loading}</p>}
      {value && versions.length === 0 && <p class="empty">{words.message.noHistory}</p>}
      <ol class="versions">
        {versions.map((version, index) => (
          <li key={index}>
            <p class="note">
              {version.user_id !== null && `${nameOf(version.user_id)} · `}
              <Moment seconds={version.timestamp} />
              {index === versions.length - 1 && ` · ${words.message.original}`}
            </p>
            {moveIn(version) !== null && <p class="note">{moveIn(version)}</p>}
            <Rendered html={version.rendered_content} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

/** Who has read a message, among users who send read receipts. */
export function ReceiptsDialog({ message: { id }, onClose }: MessageDialogProperties) {
  const { value, error } = useFetched(
    () => call<{ user_ids: number[] }>('GET', `messages/${id}/read_receipts`),
    [id],
  );
  return (
    <Dialog title={words.message.receipts} onClose={onClose}>
      <Problem text={error} />
      {value ? (
        <p>{words.message.readBy(value.user_ids.length)}</p>
      ) : (
        !error && <p class="empty">{loading}</p>
      )}
      <ul class="plain">
        {value?.user_ids.map((userId) => (
          <li key={userId}>
            <PersonName userId={userId} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** A type of report that the server accepts. */
interface ReportType {
  readonly key: string;
  readonly name: string;
}

/** Reports a message to the moderators. */
export function ReportDialog({ message: { id, content }, onClose }: MessageDialogProperties) {
  const types = (organization.value['server_report_message_types'] ?? []) as readonly ReportType[];
  const [type, setType] = useState(types[0]?.key ?? '');
  const [description, setDescription] = useState('');
  const report = async () => {
    await call('POST', `messages/${id}/report`, { report_type: type, description });
    announce(words.message.reported);
  };
  return (
    <FormDialog
      title={words.message.report}
      action={words.message.sendReport}
      onSubmit={report}
      onClose={onClose}
    >
      <blockquote class="preview">
        <Rendered html={content} />
      </blockquote>
      <p>{words.message.reportAbout}</p>
      <SelectField
        label={words.message.reason}
        value={type}
        choices={types.map(({ key, name }) => ({ value: key, label: name }))}
        onValue={setType}
      />
      <TextArea
        label={words.message.explanation}
        value={description}
        onValue={setDescription}
        maxLength={1000}
        rows={3}
        required={type === 'other'}
      />
    </FormDialog>
  );
}

/** Asks for confirmation before deleting a message, which it shows. */
export function EraseDialog({ message: { id, content }, onClose }: MessageDialogProperties) {
  return (
    <Confirm
      title={words.message.erase}
      action={words.message.erase}
      isDangerous
      onConfirm={() => call('DELETE', `messages/${id}`)}
      onClose={onClose}
    >
      <blockquote class="preview">
        <Rendered html={content} />
      </blockquote>
      <p>{words.message.eraseAbout}</p>
    </Confirm>
  );
}
