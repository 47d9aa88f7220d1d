import { useRef, useState } from 'preact/hooks';
import { call, upload } from '../connection/call';
import type { AllowedDomain } from '../connection/records';
import { isAdministrator, isOwner, organization, organizationText } from '../connection/state';
import { Button } from '../parts/button';
import { Check, TextField } from '../parts/field';
import { Problem } from '../parts/problem';
import { useSaved } from '../parts/setting';
import { announce } from '../parts/status';
import { useTask } from '../parts/task';
import { ROOT } from '../router';
import { Appearance, Reading, Writing } from '../settings/preferences';
import { FollowedTopics, Mail, NotifiedOf } from '../settings/notifications';
import { Privacy } from '../settings/privacy';
import { SettingsOf, Section } from '../settings/controls';
import { ownersOnly, remove, saved } from '../words';
import { FactorRequirement } from './factor-requirement';
import { domains, invitations, methods, pictures as words, welcome } from './words';

const KINDS = ['icon', 'logo', 'night_logo'] as const;

/** An image of the organization, with buttons to replace and remove it. */
export function OrganizationPicture({ kind }: { readonly kind: (typeof KINDS)[number] }) {
  const file = useRef<HTMLInputElement>(null);
  const task = useTask();
  const path = kind === 'icon' ? 'realm/icon' : `realm/logo?night=${kind === 'night_logo'}`;
  const name = words[kind];
  const run = (work: () => Promise<unknown>) =>
    void task.run(async () => {
      await work();
      announce(saved);
    });
  return (
    <li class={`picture of-${kind}`}>
      <img src={organizationText(`realm_${kind}_url`)} alt={name} />
      {isAdministrator.value && (
        <div class="actions">
          <input
            ref={file}
            type="file"
            accept="image/*"
            hidden
            aria-label={words.upload(name)}
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? [];
              if (chosen) run(() => upload(path, chosen));
              currentTarget.value = '';
            }}
          />
          <Button disabled={task.isBusy} onClick={() => file.current?.click()}>
            {words.upload(name)}
          </Button>
          {organizationText(`realm_${kind}_source`) === 'U' && (
            <Button disabled={task.isBusy} onClick={() => run(() => call('DELETE', path))}>
              {words.remove(name)}
            </Button>
          )}
        </div>
      )}
      <Problem text={task.error} />
    </li>
  );
}

/** The icon and the logos. */
export function Pictures() {
  return (
    <Section title={words.title} about={words.about}>
      <ul class="pictures">
        {KINDS.map((kind) => (
          <OrganizationPicture key={kind} kind={kind} />
        ))}
      </ul>
    </Section>
  );
}

function Domain({ domain: { domain, allow_subdomains } }: { readonly domain: AllowedDomain }) {
  const path = `realm/domains/${encodeURIComponent(domain)}`;
  const { value, set, error } = useSaved(allow_subdomains, (value) =>
    call('PATCH', path, { allow_subdomains: value }),
  );
  const removal = useTask();
  return (
    <li>
      <bdi>{domain}</bdi>
      <Check
        isSwitch
        label={<span aria-label={domains.subdomainsOf(domain)}>{domains.subdomains}</span>}
        disabled={!isOwner.value}
        checked={value === true}
        onChecked={set}
      />
      {isOwner.value && (
        <Button
          label={remove(domain)}
          disabled={removal.isBusy}
          onClick={() => void removal.run(async () => void (await call('DELETE', path), announce(saved)))}
        >
          {domains.remove}
        </Button>
      )}
      <Problem text={error ?? removal.error} />
    </li>
  );
}

/** The allowed domains for new email addresses. */
export function Domains() {
  const [domain, setDomain] = useState('');
  const task = useTask();
  const listed = (organization.value['realm_domains'] ?? []) as readonly AllowedDomain[];
  const add = async () => {
    await call('POST', 'realm/domains', { domain, allow_subdomains: false });
    setDomain('');
    announce(saved);
  };
  return (
    <Section title={domains.title} {...(!isOwner.value && isAdministrator.value && { about: ownersOnly })}>
      {listed.length === 0 && <p class="empty">{domains.none}</p>}
      <ul class="domains">
        {listed.map((each) => (
          <Domain key={each.domain} domain={each} />
        ))}
      </ul>
      {isOwner.value && (
        <form class="inline" onSubmit={() => void task.run(add)}>
          <TextField
            label={domains.domain}
            placeholder="example.com"
            value={domain}
            onValue={setDomain}
            error={task.error || undefined}
          />
          <Button type="submit" disabled={task.isBusy || domain.trim() === ''}>
            {domains.add}
          </Button>
        </form>
      )}
    </Section>
  );
}

/** Sends the user the welcome message that new users get. */
export function WelcomeTest() {
  const task = useTask();
  const text = organizationText('realm_welcome_message_custom_text');
  const send = async () => {
    await call('POST', 'realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text });
    announce(welcome.sent);
  };
  if (!isAdministrator.value) return null;
  return (
    <>
      <div class="actions">
        <Button disabled={task.isBusy || text === ''} onClick={() => void task.run(send)}>
          {welcome.test}
        </Button>
      </div>
      <Problem text={task.error} />
    </>
  );
}

/** Links to the page of unused invitations. */
export const Invitations = () =>
  isAdministrator.value ? (
    <p>
      <a href={`${ROOT}/people/invitations`}>{invitations}</a>
    </p>
  ) : null;

/** Default settings of new users, with the same controls as the personal settings. */
export function Defaults() {
  const source = {
    values: () => organization.value['realm_user_settings_defaults'] as Readonly<Record<string, unknown>>,
    save: (changes: Readonly<Record<string, unknown>>) =>
      call('PATCH', 'realm/user_settings_defaults', changes),
    isDisabled: !isAdministrator.value,
  };
  return (
    <SettingsOf.Provider value={source}>
      <Appearance />
      <Writing />
      <Reading />
      <NotifiedOf />
      <FollowedTopics />
      <Mail />
      <Privacy />
    </SettingsOf.Provider>
  );
}

type Methods = Readonly<Record<string, { readonly enabled: boolean }>>;

function Method({ name, isOn }: { readonly name: string; readonly isOn: boolean }) {
  const { value, set, error } = useSaved(isOn, (value) =>
    call('PATCH', 'realm', { authentication_methods: { [name]: value } }),
  );
  return (
    <div class="field">
      <Check
        isSwitch
        label={methods.names[name] ?? name}
        disabled={!isOwner.value}
        checked={value === true}
        onChecked={set}
      />
      <Problem text={error ?? ''} />
    </div>
  );
}

/** Sign-in methods, and who needs a second factor. */
export function SignIn() {
  const known = Object.entries((organization.value['realm_authentication_methods'] ?? {}) as Methods);
  return (
    <>
      <Section title={methods.title} about={methods.about}>
        {known.map(([name, { enabled }]) => (
          <Method key={name} name={name} isOn={enabled} />
        ))}
        {isAdministrator.value && !isOwner.value && <p class="hint">{ownersOnly}</p>}
      </Section>
      {isAdministrator.value && <FactorRequirement />}
    </>
  );
}
