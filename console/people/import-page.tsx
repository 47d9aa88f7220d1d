import { signal } from '@preact/signals';
import { companion } from '../connection/call';
import { people } from '../connection/state';
import { Button } from '../parts/button';
import { TextArea } from '../parts/field';
import { Page } from '../parts/page';
import { Table } from '../parts/table';
import { sentenceOf } from '../parts/task';
import * as words from '../words';
import { type NamedPerson, peopleOf } from './csv';

/** A temporary password, which the user replaces through the link. */
function passingPassword(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))));
}

/** The outcome for each address: a link for setting a password, or an error. */
type Outcomes = ReadonlyMap<string, { readonly link?: string; readonly error?: string }>;

const keyOf = ({ email }: NamedPerson) => email.toLowerCase();

async function add({ name, email, role }: NamedPerson) {
  const password = passingPassword();
  const { user_id: id } = await companion<{ user_id: number }>('POST', 'auth/users', {
    full_name: name,
    email,
    role,
    password,
  });
  const { url } = await companion<{ url: string }>('POST', `auth/users/${id}/password-link`);
  return { link: url };
}

// Outlasts the page, because the created links are shown nowhere else.
const text = signal('');
const outcomes = signal<Outcomes>(new Map());
const isBusy = signal(false);

/** Adds many people from a file, after a preview. */
export function ImportPage() {
  const known = new Set(
    [...people.value.values()]
      .map((each) => (each.delivery_email ?? each.email).toLowerCase())
      .filter((email) => !outcomes.value.has(email)),
  );
  const all = peopleOf(text.value, known);
  const good = all.filter((each) => each.problem === null && !outcomes.value.get(keyOf(each))?.link);
  const addAll = async () => {
    isBusy.value = true;
    for (const person of good) {
      // One by one, so that if the window is closed it is clear who has been added.
      const outcome = await add(person).catch((error: unknown) => ({ error: sentenceOf(error) }));
      outcomes.value = new Map(outcomes.value).set(keyOf(person), outcome);
    }
    isBusy.value = false;
  };
  const outcome = (person: NamedPerson) => {
    const { problem } = person;
    const { link, error } = outcomes.value.get(keyOf(person)) ?? {};
    if (link && !problem) return <code>{link}</code>;
    if (error || problem)
      return <span class="error">✗ {problem ? words.adding.problems[problem] : error}</span>;
    return `✓ ${words.adding.ready}`;
  };
  return (
    <Page title={words.people.import} about={words.adding.about}>
      <div class="field">
        <label for="file">{words.adding.file}</label>
        <input
          id="file"
          type="file"
          accept=".csv,text/csv,text/plain"
          onChange={({ currentTarget }) =>
            void currentTarget.files?.[0]?.text().then((read) => (text.value = read))
          }
        />
      </div>
      <TextArea
        label={words.adding.text}
        hint={words.adding.example}
        rows={6}
        value={text.value}
        onValue={(entered) => (text.value = entered)}
      />
      {all.length > 0 && (
        <>
          <h2>{words.adding.preview}</h2>
          <Table
            label={words.adding.preview}
            rows={all}
            keyOf={({ line }) => line}
            empty=""
            columns={[
              { heading: words.name, cell: ({ name }) => name },
              { heading: words.email, cell: ({ email }) => email },
              { heading: words.role, cell: ({ role }) => role },
              { heading: words.result, cell: outcome },
            ]}
          />
          {good.length > 0 && (
            <Button kind="main" disabled={isBusy.value} onClick={() => void addAll()}>
              {words.adding.add(good.length)}
            </Button>
          )}
        </>
      )}
    </Page>
  );
}
