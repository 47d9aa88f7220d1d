import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { Check, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import type { Rights } from '../parts/rights';
import { navigate, ROOT } from '../router';
import * as words from '../words';

const PUBLIC = 'can_create_public_channel_group';
const PRIVATE = 'can_create_private_channel_group';

/** Whether the user may create channels of any kind. */
export function mayAddChannel(may: Rights): boolean {
  return (may(PUBLIC) || may(PRIVATE)) ?? false;
}

interface AddDialogProperties {
  readonly may: Rights;
  /** Whether to open the new channel afterwards, instead of its settings. */
  readonly isForReading?: boolean;
  readonly onClose: () => void;
}

/** Creates a channel and opens it. */
export function AddDialog({ may, isForReading, onClose }: AddDialogProperties) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [isPrivate, setPrivate] = useState(!may(PUBLIC));
  const add = async () => {
    const subscriptions = [{ name, description }];
    await call('POST', 'users/me/subscriptions', { subscriptions, invite_only: isPrivate });
    const { stream_id: id } = await call<{ stream_id: number }>('GET', 'get_stream_id', { stream: name });
    navigate(`${ROOT}/${isForReading ? 'channels' : 'channel-settings'}/${id}`);
  };
  return (
    <FormDialog title={words.channels.add} action={words.channels.add} onSubmit={add} onClose={onClose}>
      <TextField label={words.name} value={name} onValue={setName} required maxLength={60} />
      <TextField label={words.description} value={description} onValue={setDescription} />
      <Check
        label={words.channels.privately}
        checked={isPrivate}
        onChecked={setPrivate}
        disabled={!may(PUBLIC) || !may(PRIVATE)}
      />
    </FormDialog>
  );
}
