import { useState } from 'preact/hooks';
import { channels } from '../connection/state';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { Page } from '../parts/page';
import { Rendered } from '../parts/rendered';
import { useRights } from '../parts/rights';
import { Table } from '../parts/table';
import { query, ROOT, setQuery } from '../router';
import * as words from '../words';
import { AddDialog, mayAddChannel } from './add-dialog';

const SHOWN = 100;
/** Lists all channels visible to the user. */
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
        mayAddChannel(may) && (
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
