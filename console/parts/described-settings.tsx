import { useState } from 'preact/hooks';
import { Refusal } from '../connection/call';
import type { GroupSetting } from '../connection/records';
import * as words from '../words';
import { Button } from './button';
import { Check, SelectField, TextArea, TextField } from './field';
import { GroupSettingField } from './group-setting-field';
import { Problem } from './problem';
import { announce } from './status';
import { useFetched, useTask } from './task';

/** What the description of the interface says of a parameter. */
interface Described {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly maxLength?: number;
  readonly oneOf?: readonly { readonly type: string }[];
  readonly $ref?: string;
}

type DescribedForm = Readonly<Record<string, Described>>;
type Values = Readonly<Record<string, unknown>>;

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly requestBody: {
              readonly content: Readonly<
                Record<string, { readonly schema: { readonly properties: DescribedForm } }>
              >;
            };
          }
        >
      >
    >
  >;
}

let asked: Promise<Description> | null = null;

/** The parameters of an endpoint that changes something. The description is large: it is fetched once, when it is needed. */
async function parametersOf(path: string): Promise<DescribedForm> {
  asked ??= fetch('/api/docs-json').then((answer) => answer.json() as Promise<Description>);
  asked.catch(() => (asked = null));
  const { content } = (await asked).paths[path]!['patch']!.requestBody;
  return Object.values(content)[0]!.schema.properties;
}

/** Parameters with which nothing can be changed. */
const isOfUse = ({ description = '', type }: Described) =>
  type !== 'object' && !/the only value|^Another name of|refused, as|Only `false`/.test(description);

const isPermission = ({ $ref }: Described) => $ref?.endsWith('GroupSettingChange') === true;

/** `can_move_messages_group` as people write it. */
function label(name: string): string {
  const text = name.replace(/_group$|^new_/g, '').replaceAll('_', ' ');
  return text[0]!.toUpperCase() + text.slice(1);
}

/** The description says what numbers stand for: `0 unspecified, 30 or 35 education`. */
function choiceName({ description = '' }: Described, choice: string | number): string {
  const named = new RegExp(`\\b${choice}(?: or \\d+)? ([a-z][^,;.]*)`).exec(description)?.[1];
  return label(typeof choice === 'number' && named ? named : String(choice));
}

/** The description, without what numbers stand for where the choices say so. */
const inWords = ({ description = '', enum: choices }: Described) =>
  (choices ? description.replace(/: \d+(?: or \d+)? [a-z][^.]*/i, '') : description)
    .replaceAll('`', '“')
    .replace(/“([^“]*)“/g, '“$1”');

interface SettingProperties {
  readonly name: string;
  readonly about: Described;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
}

/** The control that fits what the parameter takes. */
function Setting({ name, about, value, onValue }: SettingProperties) {
  const common = { label: label(name), hint: inWords(about) };
  if (isPermission(about)) {
    return <GroupSettingField {...common} value={value as GroupSetting} onValue={onValue} />;
  }
  if (about.type === 'boolean') {
    return (
      <div class="field">
        <Check label={common.label} checked={value === true} onChecked={onValue} />
        <p class="hint">{common.hint}</p>
      </div>
    );
  }
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}` : '';
  if (about.enum) {
    const choices = about.enum.map((each) => ({ value: String(each), label: choiceName(about, each) }));
    const read = (chosen: string) => about.enum!.find((each) => String(each) === chosen);
    return (
      <SelectField {...common} value={text} choices={choices} onValue={(chosen) => onValue(read(chosen))} />
    );
  }
  if (about.oneOf) {
    // Numbers for which there may be no bound.
    const shown = Number(text) < 0 || text === 'unlimited' ? '' : text;
    return (
      <TextField
        {...common}
        type="number"
        value={shown}
        placeholder={words.settings.unlimited}
        onValue={(entered) => onValue(entered === '' ? 'unlimited' : Number(entered))}
      />
    );
  }
  if (about.type === 'integer') {
    return (
      <TextField {...common} type="number" value={text} onValue={(entered) => onValue(Number(entered))} />
    );
  }
  const Control = (about.maxLength ?? 0) > 400 ? TextArea : TextField;
  return <Control {...common} value={text} onValue={onValue} />;
}

/** A new value for a setting, and the one it replaces. */
interface Change {
  readonly new: unknown;
  readonly old: unknown;
}

interface DescribedProperties {
  /** The path that takes changes, as the description of the interface names it. */
  readonly endpoint: string;
  /** What is so, by the names of the parameters. */
  readonly values: Values;
  readonly save: (changes: Values) => Promise<unknown>;
  /** Permissions, or everything else. */
  readonly kind: 'permissions' | 'properties';
  /** Whether the reader may change anything; undefined, and treated as no, until known. */
  readonly isAllowed?: boolean | undefined;
  /** Only parameters whose name or description holds this text. */
  readonly filter?: string;
}

/** A form of the settings that an endpoint takes, with what the description of the interface says of each. */
export function DescribedSettings({
  endpoint,
  values,
  save,
  kind,
  isAllowed = false,
  filter = '',
}: DescribedProperties) {
  const { value: form, error } = useFetched(() => parametersOf(endpoint), [endpoint]);
  const [changes, setChanges] = useState<Readonly<Record<string, Change>>>({});
  const task = useTask();
  if (!form) return <p class={error ? 'error' : 'empty'}>{error || words.loading}</p>;
  const shown = Object.entries(form).filter(
    ([name, about]) =>
      isOfUse(about) &&
      isPermission(about) === (kind === 'permissions') &&
      values[name] !== undefined &&
      `${label(name)} ${about.description}`.toLowerCase().includes(filter.toLowerCase()),
  );
  /** Lets go of changes, or has them begin at something else. */
  const settle = (rest: (change: Change, name: string) => Change | false) =>
    setChanges((now) => {
      const entries = Object.entries(now).map(([name, change]) => [name, rest(change, name)] as const);
      return Object.fromEntries(entries.filter(([, change]) => change)) as Record<string, Change>;
    });
  const submit = async () => {
    // Permissions are refused if they were changed elsewhere in the meantime.
    const sent = Object.entries(changes).map(([name, change]) => [
      name,
      isPermission(form[name]!) ? change : change.new,
    ]);
    try {
      await save(Object.fromEntries(sent) as Values);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'EXPECTATION_MISMATCH') throw error;
      settle((change, name) => JSON.stringify(change.old) === JSON.stringify(values[name]) && change);
      throw new Refusal(words.settings.changed, error.status, error.code);
    }
    // Keeps what was changed since.
    settle((change, name) => {
      const saved = changes[name];
      return change !== saved && { ...change, old: saved ? saved.new : change.old };
    });
    announce(words.saved);
  };
  return (
    <form onSubmit={() => void task.run(submit)}>
      {shown.length === 0 && <p class="empty">{words.nothingFound}</p>}
      <fieldset disabled={!isAllowed}>
        {shown.map(([name, about]) => (
          <Setting
            key={name}
            name={name}
            about={about}
            value={changes[name] ? changes[name].new : values[name]}
            onValue={(value) =>
              setChanges((now) => ({ ...now, [name]: { old: values[name], ...now[name], new: value } }))
            }
          />
        ))}
      </fieldset>
      <Problem text={task.error} />
      <div class="actions sticky">
        <Button kind="main" type="submit" disabled={task.isBusy || Object.keys(changes).length === 0}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
