import { useState } from 'preact/hooks';
import { companion, Refusal } from '../connection/call';
import { channels, me, myId, nameOf, people } from '../connection/state';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { ChosenField } from '../parts/group-setting-field';
import { Check, SelectField, TextField } from '../parts/field';
import { Moment } from '../parts/moment';
import { Problem } from '../parts/problem';
import { SecretDialog } from '../parts/secret-dialog';
import { Table } from '../parts/table';
import { useFetched, useTask } from '../parts/task';
import { action, cancel, name as nameWord } from '../words';
import { named } from './controls';
import { account, keys as words, wrongPassword } from './words';

/** An API key as listed; the key itself is only shown once. */
interface NamedKey {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly scopes: string;
  readonly channel_ids: string | null;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly last_address: string | null;
}

type NewKey = NamedKey & { readonly api_key: string };

const SCOPES = Object.keys(words.names);

const namesOf = (scopes: string) =>
  scopes
    .split(' ')
    .map((scope) => words.names[scope] ?? scope)
    .join(', ');

const channelName = (id: number) => channels.value.get(id)?.name ?? String(id);

/** Names of the channels that a key is limited to. */
const channelNames = (ids: string) =>
  ids
    .split(' ')
    .map((id) => channelName(Number(id)))
    .join(', ');

/** A configuration file with which programs sign in by the key. */
function fileOf({ user_id, api_key }: NewKey): string {
  const owner = people.value.get(user_id);
  const email = owner?.delivery_email ?? owner?.email ?? '';
  return `[api]\nemail=${email}\nkey=${api_key}\nsite=${location.origin}\n`;
}

function Create({
  onClose,
  onMade,
}: {
  readonly onClose: () => void;
  readonly onMade: (key: NewKey) => void;
}) {
  const [name, setName] = useState('');
  const [owner, setOwner] = useState(String(myId.value));
  const [scopes, setScopes] = useState<readonly string[]>(['read']);
  const [only, setOnly] = useState<readonly number[]>([]);
  const [days, setDays] = useState('90');
  const [password, setPassword] = useState('');
  const task = useTask();
  const bots = [...people.value.values()].filter(
    (each) => each.is_bot && each.is_active && each.bot_owner_id === myId.value,
  );
  const create = async () => {
    if (scopes.length === 0) throw new Refusal(words.noScope);
    const made = await companion<NewKey>('POST', 'auth/keys', {
      name,
      scopes: scopes.join(' '),
      ...(only.length > 0 && { channel_ids: only.join(' ') }),
      expires_in_days: Number(days),
      ...(owner !== String(myId.value) && { bot_id: Number(owner) }),
      ...(password !== '' && { password }),
    });
    onMade(made);
  };
  const isOfPassword = task.error === wrongPassword;
  return (
    <Dialog title={words.add} onClose={onClose}>
      <form onSubmit={() => void task.run(create)}>
        <TextField
          label={nameWord}
          hint={words.nameAbout}
          required
          maxLength={60}
          value={name}
          onValue={setName}
        />
        {bots.length > 0 && (
          <SelectField
            label={words.account}
            value={owner}
            choices={[me.value!, ...bots].map((each) => ({
              value: String(each.user_id),
              label: each.full_name,
            }))}
            onValue={setOwner}
          />
        )}
        <fieldset class="field">
          <legend>{words.scopesLabel}</legend>
          {SCOPES.map((scope) => (
            <div key={scope}>
              <Check
                label={words.names[scope]}
                hint={words.abouts[scope]}
                checked={scopes.includes(scope)}
                onChecked={(isOn) =>
                  setScopes(SCOPES.filter((each) => (each === scope ? isOn : scopes.includes(each))))
                }
              />
            </div>
          ))}
        </fieldset>
        <ChosenField
          label={words.channels}
          hint={words.channelsAbout}
          placeholder={words.chooseChannel}
          picks={() =>
            [...channels.value.values()]
              .filter((each) => !each.is_archived && !only.includes(each.stream_id))
              .map((each) => ({ id: String(each.stream_id), label: each.name }))
              .sort((one, other) => one.label.localeCompare(other.label))
          }
          onPick={(id) => setOnly([...only, Number(id)])}
          chosen={only.map((id) => ({
            key: String(id),
            name: <bdi>{channelName(id)}</bdi>,
            label: channelName(id),
            onDrop: () => setOnly(only.filter((each) => each !== id)),
          }))}
        />
        <SelectField
          label={words.lifetime}
          value={days}
          choices={named(words.lifetimes, words.lifetimeOrder)}
          onValue={setDays}
        />
        <input type="hidden" name="username" autocomplete="username" value={me.value?.delivery_email ?? ''} />
        <TextField
          label={account.currentPassword}
          hint={words.passwordAbout}
          type="password"
          autocomplete="current-password"
          value={password}
          onValue={setPassword}
          error={isOfPassword ? task.error : undefined}
        />
        <Problem text={isOfPassword ? '' : task.error} />
        <div class="actions">
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="main" type="submit" disabled={task.isBusy}>
            {words.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The named API keys of the user and of their bots. */
export function Keys() {
  const { value, error, reload } = useFetched(
    () => companion<{ items: NamedKey[] }>('GET', 'auth/keys?page_size=100'),
    [],
  );
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<NewKey>();
  const revoke = async (id: number) => {
    await companion('DELETE', `auth/keys/${id}`);
    reload();
  };
  return (
    <>
      <div class="actions">
        <Button kind="main" onClick={() => setCreating(true)}>
          {words.add}
        </Button>
      </div>
      <Problem text={error} />
      {value && (
        <Table
          label={words.key}
          rows={value.items}
          keyOf={({ id }) => id}
          empty={words.none}
          columns={[
            { heading: nameWord, cell: (each) => each.name },
            { heading: words.account, cell: (each) => nameOf(each.user_id) },
            { heading: words.scopes, cell: (each) => namesOf(each.scopes) },
            {
              heading: words.channels,
              cell: (each) =>
                each.channel_ids === null ? words.allChannels : <bdi>{channelNames(each.channel_ids)}</bdi>,
            },
            {
              heading: words.expires,
              cell: (each) => (each.expires_at === null ? words.never : <Moment seconds={each.expires_at} />),
            },
            {
              heading: words.used,
              cell: (each) =>
                each.last_used_at === null ? (
                  words.notUsed
                ) : (
                  <span title={each.last_address ?? ''}>
                    <Moment seconds={each.last_used_at} />
                  </span>
                ),
            },
            {
              heading: action,
              cell: (each) => (
                <Action
                  label={words.revoke}
                  question={words.revokeAbout(each.name)}
                  isDangerous
                  run={() => revoke(each.id)}
                />
              ),
            },
          ]}
        />
      )}
      {isCreating && (
        <Create
          onClose={() => setCreating(false)}
          onMade={(key) => {
            setCreating(false);
            setMade(key);
            reload();
          }}
        />
      )}
      {made && (
        <SecretDialog
          title={words.shownTitle}
          about={words.shownAbout}
          texts={[
            [words.key, made.api_key],
            [words.file, fileOf(made)],
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}
