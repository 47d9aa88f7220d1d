import { useState } from 'preact/hooks';
import { companion, Refusal } from '../connection/call';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { SecretDialog } from '../parts/secret-dialog';
import { Table } from '../parts/table';
import { useFetched } from '../parts/task';
import * as words from '../words';

const PATH = 'directories/keys';

/** A key with which a directory calls. The key itself is shown once. */
interface DirectoryKey {
  readonly id: number;
  readonly directory: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

function Create({
  onMade,
  onClose,
}: {
  readonly onMade: (key: string) => void;
  readonly onClose: () => void;
}) {
  const [directory, setDirectory] = useState('');
  const create = async () => {
    if (!/^[a-z0-9-]+$/.test(directory)) throw new Refusal(words.directories.otherName);
    onMade((await companion<{ key: string }>('POST', PATH, { directory })).key);
  };
  return (
    <FormDialog
      title={words.directories.add}
      action={words.directories.add}
      onSubmit={create}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        hint={words.directories.nameAbout}
        required
        maxLength={30}
        value={directory}
        onValue={setDirectory}
      />
    </FormDialog>
  );
}

/** Lists the keys of directories, creates and revokes them. */
export function DirectoriesPage() {
  const { value, error, reload } = useFetched(() => companion<{ keys: DirectoryKey[] }>('GET', PATH), []);
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<string>();
  const revoke = async (id: number) => {
    await companion('DELETE', `${PATH}/${id}`);
    reload();
  };
  return (
    <Page
      title={words.directories.title}
      about={words.directories.about}
      actions={
        <Button kind="main" icon="plus" onClick={() => setCreating(true)}>
          {words.directories.add}
        </Button>
      }
    >
      <Problem text={error} />
      {value && (
        <Table
          label={words.directories.title}
          rows={value.keys}
          keyOf={({ id }) => id}
          empty={words.noneYet.directories}
          columns={[
            { heading: words.name, cell: ({ directory }) => directory },
            { heading: words.directories.created, cell: (each) => <Moment seconds={each.created_at} /> },
            {
              heading: words.directories.used,
              cell: ({ last_used_at: at }) =>
                at === null ? words.directories.notUsed : <Moment seconds={at} />,
            },
            {
              heading: words.action,
              cell: ({ id, directory }) => (
                <Action
                  label={words.directories.revoke}
                  question={words.directories.revokeAbout(directory)}
                  isDangerous
                  run={() => revoke(id)}
                />
              ),
            },
          ]}
        />
      )}
      {isCreating && (
        <Create
          onMade={(key) => {
            setMade(key);
            reload();
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {made !== undefined && (
        <SecretDialog
          title={words.directories.key}
          about={words.directories.shownAbout}
          texts={[
            [words.directories.address, `${location.origin}/scim/v2`],
            [words.directories.key, made],
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
    </Page>
  );
}
