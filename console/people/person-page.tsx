import { useState } from 'preact/hooks';
import { call, companion } from '../connection/call';
import type { Person } from '../connection/records';
import { groups, myId, people } from '../connection/state';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { SelectField, TextField } from '../parts/field';
import { groupName } from '../parts/group-setting-field';
import { NotFound, Page } from '../parts/page';
import { PersonName } from '../parts/person';
import type { ScreenProperties } from '../parts/screen';
import { Sessions } from '../parts/sessions';
import { announce } from '../parts/status';
import { useTask } from '../parts/task';
import { ROOT } from '../router';
import * as words from '../words';
import { roleChoices } from './people-page';

/** A form that shows changes by others, except in fields being edited. */
function Details({ person }: { readonly person: Person }) {
  const [name, setName] = useState<string>();
  const [role, setRole] = useState<string>();
  const task = useTask();
  const save = async () => {
    await call('PATCH', `users/${person.user_id}`, { full_name: name, role });
    setName((now) => (now === name ? undefined : now));
    setRole((now) => (now === role ? undefined : now));
    announce(words.saved);
  };
  return (
    <form onSubmit={() => void task.run(save)}>
      <TextField
        label={words.name}
        value={name ?? person.full_name}
        onValue={setName}
        error={task.error || undefined}
      />
      <SelectField
        label={words.role}
        hint={person.user_id === myId.value ? undefined : words.people.roleAbout}
        value={role ?? String(person.role)}
        choices={roleChoices}
        onValue={setRole}
      />
      <Button kind="main" type="submit" disabled={task.isBusy}>
        {words.save}
      </Button>
    </form>
  );
}

/** Creates a link for setting a new password, which the administrator passes on. */
function PasswordLink({ personId }: { readonly personId: number }) {
  const [url, setUrl] = useState('');
  const task = useTask();
  const make = async () => {
    const made = await companion<{ url: string }>('POST', `auth/users/${personId}/password-link`);
    setUrl(made.url);
  };
  return (
    <section>
      <h2>{words.people.link}</h2>
      <p class="about">{words.people.linkAbout}</p>
      {task.error && <p class="error">{task.error}</p>}
      {url ? (
        <>
          <pre class="code" tabIndex={0} role="region" aria-label={words.people.link}>
            {url}
          </pre>
          <CopyButton text={url} />
        </>
      ) : (
        <Button disabled={task.isBusy} onClick={() => void task.run(make)}>
          {words.people.makeLink}
        </Button>
      )}
    </section>
  );
}

/** A user's page for administrators. */
export function PersonPage({ parameters }: ScreenProperties) {
  const person = people.value.get(Number(parameters['person']));
  if (!person || person.is_bot) return <NotFound />;
  const { user_id: id, full_name: name } = person;
  const isActive = person.is_active !== false;
  const bots = [...people.value.values()].filter((each) => each.bot_owner_id === id);
  const own = [...groups.value.values()].filter((each) => !each.is_system_group && each.members.includes(id));
  return (
    <Page
      title={name}
      about={`${person.delivery_email ?? person.email}${isActive ? '' : ` · ${words.people.deactivated}`}`}
      actions={
        <>
          <a class="button" href={`${ROOT}/why?user=${id}`}>
            {words.why.title}
          </a>
          {isActive && id !== myId.value && (
            <Action
              label={words.people.deactivate}
              isDangerous
              question={words.people.deactivateAbout(name)}
              run={() => call('DELETE', `users/${id}`)}
            />
          )}
          {!isActive && (
            <Action
              label={words.people.reactivate}
              question={words.people.reactivateAbout(name)}
              run={() => call('POST', `users/${id}/reactivate`)}
            />
          )}
        </>
      }
    >
      <Details person={person} />
      {isActive && (
        <section>
          <h2>{words.people.sessions}</h2>
          <Sessions path={`auth/users/${id}/sessions`} endAll={words.people.endAll} />
        </section>
      )}
      {isActive && <PasswordLink personId={id} />}
      <section>
        <h2>{words.bots.title}</h2>
        {bots.length === 0 && <p class="empty">{words.none}</p>}
        <ul class="list">
          {bots.map((bot) => (
            <li key={bot.user_id}>
              <a href={`${ROOT}/bots/${bot.user_id}`}>
                <PersonName userId={bot.user_id} />
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{words.groups.groups}</h2>
        {own.length === 0 && <p class="empty">{words.none}</p>}
        <ul class="list">
          {own.map((group) => (
            <li key={group.id}>
              <a href={`${ROOT}/groups/${group.id}`}>{groupName(group)}</a>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}
