import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { nameOf, people } from '../connection/state';
import { Button } from '../parts/button';
import { SelectField, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Page } from '../parts/page';
import { PersonName } from '../parts/person';
import { Table } from '../parts/table';
import { navigate, ROOT } from '../router';
import * as words from '../words';

/** Bot types by their numbers in the API. */
export const BOT_KINDS = { generic: 1, incoming: 2, outgoing: 3 } as const;

const kindChoices = Object.entries(BOT_KINDS).map(([name, kind]) => ({
  value: String(kind),
  label: words.bots.kinds[name as keyof typeof BOT_KINDS],
}));

export const botKind = (kind: number | null | undefined) =>
  kindChoices.find(({ value }) => value === String(kind))?.label ?? '–';

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('1');
  const [url, setUrl] = useState('');
  const add = async () => {
    const short = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$|-bot$/g, '');
    const { user_id: id } = await call<{ user_id: number }>('POST', 'bots', {
      full_name: name,
      short_name: short || 'bot',
      bot_type: Number(kind),
      ...(kind === '3' && { payload_url: JSON.stringify(url) }),
    });
    navigate(`${ROOT}/bots/${id}`);
  };
  return (
    <FormDialog title={words.bots.add} action={words.bots.add} onSubmit={add} onClose={onClose}>
      <TextField label={words.name} value={name} onValue={setName} required />
      <SelectField label={words.bots.kind} value={kind} choices={kindChoices} onValue={setKind} />
      {kind === '3' && (
        <TextField
          label={words.bots.url}
          hint={words.bots.urlAbout}
          type="url"
          value={url}
          onValue={setUrl}
          required
        />
      )}
    </FormDialog>
  );
}

/** All bots of the organization. */
export function BotsPage() {
  const [isAdding, setAdding] = useState(false);
  const bots = [...people.value.values()]
    .filter(({ is_bot: isBot, bot_owner_id: owner }) => isBot && owner)
    .sort((one, other) => one.full_name.localeCompare(other.full_name));
  return (
    <Page
      title={words.bots.title}
      about={words.bots.about}
      actions={
        <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
          {words.bots.add}
        </Button>
      }
    >
      <Table
        label={words.bots.title}
        rows={bots}
        keyOf={({ user_id: id }) => id}
        empty={words.noneYet.bots}
        columns={[
          {
            heading: words.name,
            cell: ({ user_id: id }) => (
              <a href={`${ROOT}/bots/${id}`}>
                <PersonName userId={id} />
              </a>
            ),
          },
          { heading: words.bots.kind, cell: (bot) => botKind(bot.bot_type) },
          { heading: words.bots.owner, cell: (bot) => nameOf(bot.bot_owner_id ?? 0) },
          {
            heading: words.people.standing,
            cell: (bot) => (bot.is_active === false ? words.people.deactivated : words.people.active),
          },
        ]}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
