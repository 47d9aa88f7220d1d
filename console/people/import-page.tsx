import { useState } from 'preact/hooks';
import { companion } from '../connection/call';
import { people } from '../connection/state';
import { Button } from '../parts/button';
import { TextArea } from '../parts/field';
import { Page } from '../parts/page';
import { Table } from '../parts/table';
import { sentenceOf } from '../parts/task';
import * as words from '../words';
import { type NamedPerson, peopleOf } from './csv';

/** A password that nobody has to remember: it is replaced by whoever follows the link. */
function passingPassword(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))));
}

/** What became of each address: a link with which the person sets a password, or why there is none. */
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

/** Adds many people from a file, after they were looked at. */
export function ImportPage() {
  const [text, setText] = useState('');
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const [isBusy, setBusy] = useState(false);
  const known = new Set(
    [...people.value.values()]
      .map((each) => (each.delivery_email ?? each.email).toLowerCase())
      .filter((email) => !outcomes.has(email)),
  );
  const all = peopleOf(text, known);
  const good = all.filter((each) => each.problem === null && !outcomes.get(keyOf(each))?.link);
  const addAll = async () => {
    setBusy(true);
    const found = new Map(outcomes);
    for (const person of good) {
      // One after the other, so that whoever leaves the page knows who has been added.
      try {
        found.set(keyOf(person), await add(person));
      } catch (error) {
        found.set(keyOf(person), { error: sentenceOf(error) });
      }
      setOutcomes(new Map(found));
    }
    setBusy(false);
  };
  const outcome = (person: NamedPerson) => {
    const { problem } = person;
    const { link, error } = outcomes.get(keyOf(person)) ?? {};
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
          onChange={({ currentTarget }) => void currentTarget.files?.[0]?.text().then(setText)}
        />
      </div>
      <TextArea
        label={words.adding.text}
        hint={words.adding.example}
        rows={6}
        value={text}
        onValue={setText}
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
            <Button kind="main" disabled={isBusy} onClick={() => void addAll()}>
              {words.adding.add(good.length)}
            </Button>
          )}
        </>
      )}
    </Page>
  );
}
