import { useState } from 'preact/hooks';
import { companion } from '../connection/call';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Moment } from '../parts/moment';
import { hasPasskeys, makePasskey } from '../parts/passkey';
import { Problem } from '../parts/problem';
import { Table } from '../parts/table';
import { useFetched } from '../parts/task';
import { action, name as nameWord } from '../words';
import { Section } from './controls';
import { RecoveryCodes } from './recovery-codes';
import { passkeys as words, security } from './words';

const PATH = 'auth/me/passkeys';

interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly site: string;
}

interface Added {
  readonly recovery_codes: readonly string[] | null;
}

interface NameProperties {
  readonly title: string;
  readonly before?: string;
  readonly onSubmit: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for a passkey's name. */
function Name({ title, before = '', onSubmit, onClose }: NameProperties) {
  const [name, setName] = useState(before);
  return (
    <FormDialog title={title} action={title} onSubmit={() => onSubmit(name.trim())} onClose={onClose}>
      <TextField
        label={nameWord}
        hint={words.nameAbout}
        required
        maxLength={60}
        value={name}
        onValue={setName}
      />
    </FormDialog>
  );
}

/** The user's passkeys. @param onChange called when the user's factors may have changed */
export function Passkeys({ onChange }: { readonly onChange: () => void }) {
  const { value, error, reload } = useFetched(
    () => companion<{ items: Passkey[] }>('GET', `${PATH}?page_size=100`),
    [],
  );
  const [open, setOpen] = useState<'new' | Passkey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setOpen(null);
  const changed = () => {
    reload();
    onChange();
  };
  const add = async (name: string) => {
    const made = await makePasskey();
    const added = await companion<Added>('POST', PATH, { name, ...made });
    setCodes(added.recovery_codes);
    changed();
  };
  return (
    <Section title={words.title} about={words.about}>
      <Problem text={error} />
      {value && (
        <Table
          label={words.title}
          rows={value.items}
          keyOf={({ id }) => id}
          empty={words.none}
          columns={[
            { heading: nameWord, cell: ({ name }) => name },
            { heading: words.added, cell: (each) => <Moment seconds={each.created_at} /> },
            {
              heading: words.used,
              cell: (each) => each.last_used_at !== null && <Moment seconds={each.last_used_at} />,
            },
            { heading: words.site, cell: ({ site }) => site },
            {
              heading: action,
              cell: (each) => (
                <>
                  <Button onClick={() => setOpen(each)}>{words.rename}</Button>
                  <Action
                    label={words.remove}
                    question={words.removeAbout}
                    isDangerous
                    run={async () => {
                      await companion('DELETE', `${PATH}/${each.id}`);
                      changed();
                    }}
                  />
                </>
              ),
            },
          ]}
        />
      )}
      <div class="actions">
        {hasPasskeys ? (
          <Button onClick={() => setOpen('new')}>{words.add}</Button>
        ) : (
          <p class="about">{words.unsupported}</p>
        )}
      </div>
      {open === 'new' && <Name title={words.add} onSubmit={add} onClose={close} />}
      {open !== null && open !== 'new' && (
        <Name
          title={words.rename}
          before={open.name}
          onSubmit={async (name) => {
            await companion('PATCH', `${PATH}/${open.id}`, { name });
            reload();
          }}
          onClose={close}
        />
      )}
      {codes && (
        <Dialog title={security.codesTitle} onClose={() => setCodes(null)}>
          <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />
        </Dialog>
      )}
    </Section>
  );
}
