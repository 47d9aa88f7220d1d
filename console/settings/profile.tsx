import { useRef, useState } from 'preact/hooks';
import { call, upload } from '../connection/call';
import { isAdministrator, me, organization, settings } from '../connection/state';
import { Button } from '../parts/button';
import { SelectField, TextField } from '../parts/field';
import { Avatar } from '../parts/person';
import { Problem } from '../parts/problem';
import { announce } from '../parts/status';
import { useTask } from '../parts/task';
import { save, saved } from '../words';
import { Section, useSaving } from './controls';
import { profile as words } from './words';

/** Whether only administrators may change something. */
export const isFixed = (name: string) =>
  organization.value[`realm_${name}_changes_disabled`] === true && !isAdministrator.value;

/** The user's profile picture. */
function Picture() {
  const file = useRef<HTMLInputElement>(null);
  const task = useTask();
  const run = (work: () => Promise<unknown>) =>
    void task.run(async () => {
      await work();
      announce(saved);
    });
  return (
    <Section title={words.picture} about={isFixed('avatar') ? words.fixedPicture : words.pictureAbout}>
      <div class="picture">
        <Avatar userId={me.value!.user_id} />
        {!isFixed('avatar') && (
          <div class="actions">
            <input
              ref={file}
              type="file"
              accept="image/*"
              hidden
              aria-label={words.upload}
              onChange={({ currentTarget }) => {
                const [chosen] = currentTarget.files ?? [];
                if (chosen) run(() => upload('users/me/avatar', chosen));
                currentTarget.value = '';
              }}
            />
            <Button disabled={task.isBusy} onClick={() => file.current?.click()}>
              {words.upload}
            </Button>
            {me.value!.avatar_source === 'U' && (
              <Button disabled={task.isBusy} onClick={() => run(() => call('DELETE', 'users/me/avatar'))}>
                {words.remove}
              </Button>
            )}
          </div>
        )}
      </div>
      <Problem text={task.error} />
    </Section>
  );
}

function Name() {
  const [name, setName] = useState<string>();
  const task = useTask();
  const submit = () =>
    void task.run(async () => {
      await call('PATCH', 'settings', { full_name: name });
      setName(undefined);
      announce(saved);
    });
  return (
    <form class="inline" onSubmit={submit}>
      <TextField
        label={words.name}
        name="name"
        autocomplete="name"
        maxLength={100}
        hint={isFixed('name') ? words.fixedName : undefined}
        disabled={isFixed('name')}
        value={name ?? me.value!.full_name}
        onValue={setName}
        error={task.error || undefined}
      />
      {!isFixed('name') && (
        <Button type="submit" disabled={task.isBusy || name === undefined}>
          {save}
        </Button>
      )}
    </form>
  );
}

function TimeZone() {
  const { save: store, error } = useSaving();
  const zone = typeof settings.value['timezone'] === 'string' ? settings.value['timezone'] : '';
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = new Set([zone, ...Intl.supportedValuesOf('timeZone')].filter((each) => each !== ''));
  const choices = [
    { value: '', label: words.noTimeZone },
    ...[...zones].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  ];
  return (
    <>
      <SelectField
        label={words.timeZone}
        hint={words.timeZoneAbout}
        value={zone}
        choices={choices}
        onValue={(timezone) => store({ timezone })}
        error={error || undefined}
      />
      {here && here !== zone && (
        <Button onClick={() => store({ timezone: here })}>
          {words.useDevice(here.replaceAll('_', ' '))}
        </Button>
      )}
    </>
  );
}

/** The user's profile, as others see it. */
export function Profile() {
  return (
    <>
      <Picture />
      <Section title={words.details}>
        <Name />
        <TimeZone />
      </Section>
    </>
  );
}
