import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { groups, myId } from '../connection/state';
import { Button } from '../parts/button';
import { Check, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Page } from '../parts/page';
import { useRights } from '../parts/rights';
import { Table } from '../parts/table';
import { groupName } from '../parts/group-setting-field';
import { navigate, query, ROOT, setQuery } from '../router';
import * as words from '../words';
import { GroupGraph } from './graph';

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const add = async () => {
    const parameters = { name, description, members: [myId.value] };
    const { group_id: id } = await call<{ group_id: number }>('POST', 'user_groups/create', parameters);
    navigate(`${ROOT}/groups/${id}`);
  };
  return (
    <FormDialog title={words.groups.add} action={words.groups.add} onSubmit={add} onClose={onClose}>
      <TextField label={words.name} value={name} onValue={setName} required />
      <TextField label={words.description} value={description} onValue={setDescription} />
    </FormDialog>
  );
}

/** All groups, as a graph and as a list. */
export function GroupsPage() {
  const [isAdding, setAdding] = useState(false);
  const may = useRights('');
  const isWithRoles = query.value.get('roles') === 'yes';
  const all = [...groups.value.values()].filter(({ name }) => name !== 'role:internet');
  const own = all.filter(({ is_system_group: isSystem, deactivated }) => !isSystem && !deactivated);
  const holds = ({ direct_subgroup_ids: ids }: (typeof all)[number]) => ids.length > 0;
  const drawn = isWithRoles ? all.filter(({ deactivated }) => !deactivated) : own;
  return (
    <Page
      title={words.groups.groups}
      about={words.groups.about}
      actions={
        may('can_create_groups') && (
          <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
            {words.groups.add}
          </Button>
        )
      }
    >
      <Check
        label={words.groups.withRoles}
        checked={isWithRoles}
        onChecked={(checked) => setQuery({ roles: checked ? 'yes' : '' })}
      />
      {drawn.length > 0 && <GroupGraph groups={drawn} />}
      <Table
        label={words.groups.groups}
        rows={all.filter(({ is_system_group: isSystem }) => !isSystem)}
        keyOf={({ id }) => id}
        empty={words.noneYet.groups}
        columns={[
          {
            heading: words.name,
            cell: (group) => (
              <>
                <a href={`${ROOT}/groups/${group.id}`}>{groupName(group)}</a>{' '}
                {group.deactivated && <span class="badge">{words.people.deactivated}</span>}
              </>
            ),
          },
          { heading: words.description, cell: ({ description }) => description },
          { heading: words.members.title, cell: ({ members }) => members.length, isNumber: true },
          {
            heading: words.groups.inside,
            cell: (group) => (holds(group) ? group.direct_subgroup_ids.length : '–'),
            isNumber: true,
          },
        ]}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
