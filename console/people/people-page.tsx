import { useState } from 'preact/hooks';
import { companion } from '../connection/call';
import { ROLE, type Person } from '../connection/records';
import { people } from '../connection/state';
import { Button } from '../parts/button';
import { SelectField, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Page } from '../parts/page';
import { PersonName } from '../parts/person';
import { announce } from '../parts/status';
import { Table } from '../parts/table';
import { query, ROOT, setQuery } from '../router';
import * as words from '../words';

const SHOWN = 100;

/** Assignable roles, as choices of a list. */
export const roleChoices = Object.entries(ROLE).map(([name, role]) => ({
  value: String(role),
  label: words.people.roles[name as keyof typeof ROLE],
}));

export const roleName = (role: number) =>
  roleChoices.find(({ value }) => value === String(role))?.label ?? String(role);

function fits(person: Person): boolean {
  const [wanted, role, standing] = ['q', 'role', 'standing'].map((name) => query.value.get(name) ?? '');
  const text = `${person.full_name} ${person.delivery_email ?? person.email}`.toLowerCase();
  return (
    !person.is_bot &&
    text.includes(wanted!.toLowerCase()) &&
    (role === '' || String(person.role) === role) &&
    (standing === 'all' || (person.is_active !== false) === (standing !== 'deactivated'))
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState('member');
  const add = async () => {
    await companion('POST', 'auth/users', { full_name: name, email, password, role });
    announce(words.people.added(name));
  };
  return (
    <FormDialog title={words.people.add} action={words.people.add} onSubmit={add} onClose={onClose}>
      <TextField label={words.name} value={name} onValue={setName} required />
      <TextField label={words.email} type="email" value={email} onValue={setEmail} required />
      <TextField
        label={words.people.password}
        hint={words.people.passwordAbout}
        type="password"
        autocomplete="new-password"
        value={password}
        onValue={setPassword}
        required
      />
      <SelectField
        label={words.role}
        value={role}
        choices={Object.entries(words.people.roles).map(([value, label]) => ({ value, label }))}
        onValue={setRole}
      />
    </FormDialog>
  );
}

/** Everyone with an account. */
export function PeoplePage() {
  const [isAdding, setAdding] = useState(false);
  const found = [...people.value.values()]
    .filter(fits)
    .sort((one, other) => one.full_name.localeCompare(other.full_name));
  return (
    <Page
      title={words.people.title}
      about={words.people.count(found.length)}
      actions={
        <>
          <a class="button" href={`${ROOT}/people/invitations`}>
            {words.people.invitations}
          </a>
          <a class="button" href={`${ROOT}/people/import`}>
            {words.people.import}
          </a>
          <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
            {words.people.add}
          </Button>
        </>
      }
    >
      <div class="row">
        <TextField
          label={words.find}
          type="search"
          value={query.value.get('q') ?? ''}
          onValue={(q) => setQuery({ q })}
        />
        <SelectField
          label={words.role}
          value={query.value.get('role') ?? ''}
          choices={[{ value: '', label: words.people.all }, ...roleChoices]}
          onValue={(role) => setQuery({ role })}
        />
        <SelectField
          label={words.people.standing}
          value={query.value.get('standing') ?? ''}
          choices={[
            { value: '', label: words.people.active },
            { value: 'deactivated', label: words.people.inactive },
            { value: 'all', label: words.people.all },
          ]}
          onValue={(standing) => setQuery({ standing })}
        />
      </div>
      <Table
        label={words.people.title}
        rows={found.slice(0, SHOWN)}
        keyOf={({ user_id: id }) => id}
        empty={words.nothingFound}
        columns={[
          {
            heading: words.name,
            cell: ({ user_id: id }) => (
              <a href={`${ROOT}/people/${id}`}>
                <PersonName userId={id} />
              </a>
            ),
          },
          { heading: words.email, cell: (person) => person.delivery_email ?? person.email },
          { heading: words.role, cell: ({ role }) => roleName(role) },
        ]}
      />
      {found.length > SHOWN && <p class="note">{words.more(found.length - SHOWN)}</p>}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
