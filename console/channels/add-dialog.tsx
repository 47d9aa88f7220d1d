import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { Check, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import type { Rights } from '../parts/rights';
import * as words from '../words';

const PUBLIC = 'can_create_public_channel_group';
const PRIVATE = 'can_create_private_channel_group';

/** Whether the reader may create channels of any kind. */
export function mayAddChannel(may: Rights): boolean {
  return (may(PUBLIC) || may(PRIVATE)) ?? false;
}

/** Creates a channel. */
export function AddDialog({ may, onClose }: { readonly may: Rights; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [isPrivate, setPrivate] = useState(!may(PUBLIC));
  const add = () =>
    call('POST', 'users/me/subscriptions', {
      subscriptions: [{ name, description }],
      invite_only: isPrivate,
    });
  return (
    <FormDialog title={words.channels.add} action={words.add} onSubmit={add} onClose={onClose}>
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
