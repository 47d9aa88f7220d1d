import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { channels, me } from '../connection/state';
import { Button } from '../parts/button';
import { Check, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Page } from '../parts/page';
import { Table } from '../parts/table';
import { query, ROOT, setQuery } from '../router';
import { words } from '../words';

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [isPrivate, setPrivate] = useState(false);
  const add = () =>
    call('POST', 'users/me/subscriptions', {
      subscriptions: [{ name, description }],
      invite_only: isPrivate,
    });
  return (
    <FormDialog title={words.channels.add} action={words.add} onSubmit={add} onClose={onClose}>
      <TextField label={words.name} value={name} onValue={setName} required maxLength={60} />
      <TextField label={words.description} value={description} onValue={setDescription} />
      <Check label={words.channels.privately} checked={isPrivate} onChecked={setPrivate} />
    </FormDialog>
  );
}

/** All channels that one knows of. */
export function ChannelsPage() {
  const [isAdding, setAdding] = useState(false);
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
        !me.value?.is_guest && (
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
        rows={found}
        keyOf={({ stream_id: id }) => id}
        empty={words.nothingFound}
        columns={[
          {
            heading: words.name,
            cell: ({ stream_id: id, name }) => <a href={`${ROOT}/channel-settings/${id}`}>#{name}</a>,
          },
          { heading: words.channels.kind, cell: kind },
          { heading: words.description, cell: ({ description }) => description },
        ]}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
