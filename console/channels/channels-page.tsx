import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { channels } from '../connection/state';
import { Button } from '../parts/button';
import { Check, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Page } from '../parts/page';
import { Rendered } from '../parts/rendered';
import { useRights, type Rights } from '../parts/rights';
import { Table } from '../parts/table';
import { query, ROOT, setQuery } from '../router';
import * as words from '../words';

const SHOWN = 100;
const PUBLIC = 'can_create_public_channel_group';
const PRIVATE = 'can_create_private_channel_group';

function AddDialog({ may, onClose }: { readonly may: Rights; readonly onClose: () => void }) {
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

/** All channels that one knows of. */
export function ChannelsPage() {
  const [isAdding, setAdding] = useState(false);
  const may = useRights('');
  const wanted = (query.value.get('q') ?? '').toLowerCase();
  const found = [...channels.value.values()]
    .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
    .sort((one, other) => one.name.localeCompare(other.name));
  const kind = (each: (typeof found)[number]) =>
    each.is_archived
      ? words.channels.archived
      : each.invite_only
        ? words.channels.private
        : each.is_web_public
          ? words.channels.webPublic
          : words.channels.public;
  return (
    <Page
      title={words.channels.title}
      actions={
        (may(PUBLIC) || may(PRIVATE)) && (
          <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
            {words.channels.add}
          </Button>
        )
      }
    >
      <TextField
        label={words.find}
        type="search"
        value={query.value.get('q') ?? ''}
        onValue={(q) => setQuery({ q })}
      />
      <Table
        label={words.channels.title}
        rows={found.slice(0, SHOWN)}
        keyOf={({ stream_id: id }) => id}
        empty={words.nothingFound}
        columns={[
          {
            heading: words.name,
            cell: ({ stream_id: id, name }) => <a href={`${ROOT}/channel-settings/${id}`}>#{name}</a>,
          },
          { heading: words.channels.kind, cell: kind },
          {
            heading: words.description,
            cell: ({ rendered_description: html }) => <Rendered html={html} />,
          },
        ]}
      />
      {found.length > SHOWN && <p class="note">{words.more(found.length - SHOWN)}</p>}
      {isAdding && <AddDialog may={may} onClose={() => setAdding(false)} />}
    </Page>
  );
}
