import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { channels, organization } from '../connection/state';
import { ask } from '../conversations/asking';
import { placeName } from '../conversations/places';
import { Check, SelectField, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { announce } from '../parts/status';
import { attempt } from '../parts/task';
import * as common from '../words';
import * as words from './words';

interface MoveDialogProperties {
  readonly messageId: number;
  readonly channelId: number;
  readonly topic: string;
  /** Whether the whole topic moves, so that there is nothing else to choose. */
  readonly isWhole: boolean;
  readonly onClose: () => void;
}

type Scope = keyof typeof words.moving.scopes;

interface ChannelPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** Whether a topic has no messages. */
async function isEmpty(place: ChannelPlace): Promise<boolean> {
  const { messages } = await ask(place, { anchor: 'newest', num_before: 1, num_after: 0 });
  return messages.length === 0;
}

/** Moves messages to another topic or channel. */
export function MoveDialog({ messageId, channelId, topic, isWhole, onClose }: MoveDialogProperties) {
  const [channel, setChannel] = useState(String(channelId));
  const [name, setName] = useState(topic);
  const [scope, setScope] = useState<Scope>(isWhole ? 'change_all' : 'change_later');
  const [tellsOld, setTellsOld] = useState(false);
  const [tellsNew, setTellsNew] = useState(true);
  const move = async () => {
    const there = { channelId: Number(channel), topic: name };
    // Once merged with other messages, moved ones could no longer be told apart.
    const canUndo = scope === 'change_one' || (await isEmpty(there));
    const goTo = (place: ChannelPlace, mode: Scope, tells: readonly [old: boolean, next: boolean]) =>
      call('PATCH', `messages/${messageId}`, {
        ...(name !== topic && { topic: place.topic }),
        ...(there.channelId !== channelId && { stream_id: place.channelId }),
        propagate_mode: mode,
        send_notification_to_old_thread: tells[0],
        send_notification_to_new_thread: tells[1],
      });
    await goTo(there, scope, [tellsOld, tellsNew]);
    const back = scope === 'change_one' ? scope : 'change_all';
    const undo = {
      label: common.undo,
      run: () => attempt(goTo({ channelId, topic }, back, [false, false])),
    };
    announce(words.moving.moved(placeName(there)), canUndo ? undo : undefined);
  };
  const own = [...channels.value.values()]
    .filter(
      ({ isSubscribed, is_archived, stream_id }) => stream_id === channelId || (isSubscribed && !is_archived),
    )
    .sort((one, other) => one.name.localeCompare(other.name));
  return (
    <FormDialog
      title={isWhole ? words.topic.rename : words.message.move}
      action={words.moving.move}
      onSubmit={move}
      onClose={onClose}
    >
      <SelectField
        label={words.moving.channel}
        value={channel}
        choices={own.map(({ stream_id, name: label }) => ({ value: String(stream_id), label }))}
        onValue={setChannel}
      />
      <TextField
        label={words.moving.topic}
        value={name}
        maxLength={Number(organization.value['max_topic_length'] ?? 60)}
        onValue={setName}
      />
      {!isWhole && (
        <SelectField
          label={words.moving.scope}
          value={scope}
          choices={Object.entries(words.moving.scopes).map(([value, label]) => ({ value, label }))}
          onValue={(value) => setScope(value as Scope)}
        />
      )}
      <Check label={words.moving.tellOld} checked={tellsOld} onChecked={setTellsOld} />
      <Check label={words.moving.tellNew} checked={tellsNew} onChecked={setTellsNew} />
    </FormDialog>
  );
}
