import { useState } from 'preact/hooks';
import { isAdministrator, myId, nameOf, people } from '../connection/state';
import { ROOT } from '../router';
import * as words from '../words';
import { Button } from './button';
import { SelectField, TextField } from './field';
import { PersonName } from './person';
import { Problem } from './problem';
import type { RightsTo } from './rights';
import { announce } from './status';
import { Table } from './table';
import { attempt, useTask } from './task';

const SHOWN = 200;

interface MembersProperties {
  readonly userIds: readonly number[];
  /** The group or channel. */
  readonly about: RightsTo;
  /** What the user may do with others and with themselves. */
  readonly may: Readonly<Record<'add' | 'remove' | 'join' | 'leave', boolean | undefined>>;
  readonly add: (userId: number) => Promise<unknown>;
  readonly remove: (userId: number) => Promise<unknown>;
}

/** Lists members, with controls to add and remove people. */
export function Members({ userIds, about, may, add, remove }: MembersProperties) {
  const [chosen, setChosen] = useState('');
  const [wanted, setWanted] = useState('');
  const task = useTask();
  const others = [...people.value.values()]
    .filter(({ user_id: id }) => may.add || (may.join && id === myId.value))
    .filter(({ user_id: id, is_active: isActive }) => isActive && !userIds.includes(id))
    // Bots without an owner are system bots.
    .filter(({ is_bot: isBot, bot_owner_id: owner }) => !isBot || owner)
    .sort((one, other) => one.full_name.localeCompare(other.full_name));
  const found = userIds
    .filter((id) => nameOf(id).toLowerCase().includes(wanted.toLowerCase()))
    .sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  const removeMember = async (id: number) => {
    await remove(id);
    const mayReturn = may.add || (id === myId.value && may.join);
    const undo = { label: words.undo, run: () => attempt(add(id)) };
    announce(words.members.removed(nameOf(id)), mayReturn ? undo : undefined);
  };
  return (
    <>
      <form
        class="row"
        onSubmit={() => {
          if (chosen) void task.run(async () => void (await add(Number(chosen)), setChosen('')));
        }}
      >
        <TextField label={words.find} type="search" value={wanted} onValue={setWanted} />
        {others.length > 0 && (
          <>
            <SelectField
              label={words.members.add}
              value={chosen}
              choices={[
                { value: '', label: words.members.choose },
                ...others.map((each) => ({ value: String(each.user_id), label: each.full_name })),
              ]}
              onValue={setChosen}
            />
            <Button kind="main" type="submit" disabled={task.isBusy || chosen === ''}>
              {words.add}
            </Button>
          </>
        )}
      </form>
      <Problem text={task.error} />
      <Table
        label={words.members.title}
        rows={found.slice(0, SHOWN)}
        keyOf={(id) => id}
        empty={words.none}
        columns={[
          { heading: words.name, cell: (id) => <PersonName userId={id} /> },
          {
            heading: words.action,
            cell: (id) => (
              <div class="actions">
                {(isAdministrator.value || id === myId.value) && (
                  <a class="button" href={`${ROOT}/why?user=${id}&${about}`}>
                    {words.why.title}
                  </a>
                )}
                {(may.remove || (may.leave && id === myId.value)) && (
                  <Button
                    label={words.remove(nameOf(id))}
                    disabled={task.isBusy}
                    onClick={() => void task.run(() => removeMember(id))}
                  >
                    {words.members.remove}
                  </Button>
                )}
              </div>
            ),
          },
        ]}
      />
      {found.length > SHOWN && <p class="note">{words.more(found.length - SHOWN)}</p>}
    </>
  );
}
