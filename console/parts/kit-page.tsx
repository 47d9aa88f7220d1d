import { useState } from 'preact/hooks';
import { myId } from '../connection/state';
import { Action } from './action';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { Dialog } from './dialog';
import { Check, SelectField, TextArea, TextField } from './field';
import { FormDialog } from './form-dialog';
import { Icon, ICONS } from './icon';
import { Menu, MenuButton } from './menu';
import { Moment } from './moment';
import { Page } from './page';
import { Avatar, PersonName } from './person';
import { Picker } from './picker';
import { Problem } from './problem';
import { announce } from './status';
import { Table } from './table';
import { Tabs } from './tabs';

const CHOICES = ['First', 'Second'].map((label) => ({ value: label, label }));
const ROWS = [
  { name: 'Ada', count: 3 },
  { name: 'Ben', count: 12 },
];
const settled = () => Promise.resolve();

/** Fields and choices. */
function Fields() {
  const [text, setText] = useState('');
  const [choice, setChoice] = useState('First');
  const [isOn, setOn] = useState(true);
  const value = { value: text, onValue: setText };
  return (
    <>
      <TextField label="Text field" hint="What one should know" {...value} />
      <TextField label="Refused field" error="Why it can’t stay as it is" {...value} />
      <TextField label="Disabled field" disabled {...value} />
      <TextArea label="Text area" rows={2} {...value} />
      <SelectField label="Select field" value={choice} choices={CHOICES} onValue={setChoice} />
      <Check label="Check" checked={isOn} onChecked={setOn} />
      <Check label="Switch" hint="Takes effect at once" isSwitch checked={isOn} onChecked={setOn} />
      <Check label="Disabled switch" isSwitch disabled checked={isOn} onChecked={setOn} />
    </>
  );
}

/** Dialogs and status messages. */
function Windows() {
  const [open, setOpen] = useState<'dialog' | 'form' | null>(null);
  const close = () => setOpen(null);
  const items = [
    { label: 'Plain item', icon: 'edit', run: () => announce('Plain item') },
    { label: 'Chosen item', isChosen: true, run: () => announce('Chosen item') },
    null,
    { label: 'Dangerous item', isDangerous: true, run: () => announce('Dangerous item') },
  ] as const;
  return (
    <div class="actions">
      <MenuButton
        label="Menu"
        menu={(anchor, onClose) => <Menu label="Menu" {...{ anchor, items, onClose }} />}
      />
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('form')}>Form dialog</Button>
      <Action label="Dangerous action" isDangerous question="Really?" run={settled} />
      <Button onClick={() => announce('A toast', { label: 'Undo', run: () => announce('Undone') })}>
        Toast
      </Button>
      {open === 'dialog' && (
        <Dialog title="Dialog" onClose={close}>
          <p>A window above the page</p>
        </Dialog>
      )}
      {open === 'form' && (
        <FormDialog title="Form dialog" action="Send" onSubmit={settled} onClose={close}>
          <Fields />
        </FormDialog>
      )}
    </div>
  );
}

/** All components once, in light or dark colors. */
function Specimens({ scheme, id }: { readonly scheme: 'light' | 'dark'; readonly id: string }) {
  return (
    <section class={`kit ${scheme}`} aria-labelledby={id}>
      <h2 id={id}>{scheme}</h2>
      <div class="actions">
        <Button kind="main">Main</Button>
        <Button>Button</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger">Danger</Button>
        <Button disabled>Disabled</Button>
        <Button aria-pressed>Pressed</Button>
        <Button kind="quiet" icon="edit" label="Icon" />
        <CopyButton text={scheme} />
      </div>
      <Windows />
      <Tabs label={`Tabs, ${scheme}`} tabs={{ first: 'First', second: 'Second' }} />
      <Fields />
      <div class="field">
        <label for={`${id}-picker`}>Picker</label>
        <Picker
          id={`${id}-picker`}
          label={`Picker, ${scheme}`}
          placeholder="Type to choose"
          picks={() => CHOICES.map(({ value, label }) => ({ id: value, label }))}
          onPick={announce}
        />
      </div>
      <p>
        <Avatar userId={myId.value} /> <PersonName userId={myId.value} /> · <Moment seconds={0} /> ·{' '}
        <a href="#kit">Link</a> · <kbd>Ctrl+K</kbd> · <code>code</code>
      </p>
      <Problem text="What went wrong" />
      <p class="note">A note</p>
      <p class="empty">Nothing here yet</p>
      <Table
        label={`Table, ${scheme}`}
        rows={ROWS}
        keyOf={({ name }) => name}
        empty="No rows"
        columns={[
          { heading: 'Name', cell: ({ name }) => name },
          { heading: 'Count', cell: ({ count }) => count, isNumber: true },
        ]}
      />
      <p>
        {ICONS.map((name) => (
          <span key={name} title={name}>
            <Icon name={name} />
          </span>
        ))}
      </p>
    </section>
  );
}

/** Shows every component, for developers and tests. In English only, since no one else opens it. */
export function KitPage() {
  return (
    <Page title="Components">
      <Specimens scheme="light" id="light" />
      <Specimens scheme="dark" id="dark" />
    </Page>
  );
}
