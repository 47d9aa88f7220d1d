import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { channels, organizationText } from '../connection/state';
import { hrefOf } from '../conversations/places';
import { OrganizationPicture } from '../organization/extras';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { TextArea, TextField } from '../parts/field';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { announce } from '../parts/status';
import { useTask } from '../parts/task';
import { invite } from '../people/invitations-page';
import { navigate, query, ROOT } from '../router';
import { Profile } from '../settings/profile';
import { invitations } from '../words';
import * as words from './words';

type Step = keyof typeof words.steps;

const STEPS = Object.keys(words.steps) as Step[];

/** Opens the next step, or the first channel after the last step. */
function goOn(step: Step): void {
  const next = STEPS[STEPS.indexOf(step) + 1];
  const general = [...channels.value.values()].find(({ name }) => name === 'general');
  if (next) navigate(`${ROOT}/welcome?step=${next}`);
  else navigate(general ? hrefOf({ channelId: general.stream_id }) : ROOT);
}

interface StepProperties {
  readonly step: Step;
  /** Saves the step before the next one opens. */
  readonly work?: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** A step, which can be skipped unless it is the last. */
function OneStep({ step, work, children }: StepProperties) {
  const task = useTask();
  const at = STEPS.indexOf(step);
  const isLast = at === STEPS.length - 1;
  return (
    <Page title={words.steps[step].title} about={words.steps[step].about}>
      <p class="note">{words.progress(at + 1, STEPS.length)}</p>
      <form
        onSubmit={() => {
          void task.run(async () => {
            await work?.();
            goOn(step);
          });
        }}
      >
        {children}
        <Problem text={task.error} />
        <div class="actions">
          <Button kind="main" type="submit" disabled={task.isBusy}>
            {isLast ? words.finish : words.proceed}
          </Button>
          {!isLast && <Button onClick={() => goOn(step)}>{words.skip}</Button>}
        </div>
      </form>
    </Page>
  );
}

function OrganizationStep() {
  const now = organizationText('realm_name');
  const [name, setName] = useState(now);
  const work = async () => {
    if (name.trim() !== now) await call('PATCH', 'realm', { name: name.trim() });
  };
  return (
    <OneStep step="organization" work={work}>
      <TextField label={words.name} value={name} maxLength={40} required onValue={setName} />
      <ul class="pictures">
        <OrganizationPicture kind="icon" />
      </ul>
    </OneStep>
  );
}

/** Not a form, because it contains forms. */
function OwnStep() {
  return (
    <Page title={words.steps.you.title} about={words.steps.you.about}>
      <p class="note">{words.progress(2, STEPS.length)}</p>
      <Profile />
      <div class="actions">
        <Button kind="main" onClick={() => goOn('you')}>
          {words.proceed}
        </Button>
      </div>
    </Page>
  );
}

function ChannelsStep() {
  const [names, setNames] = useState<readonly string[]>(words.suggestions);
  const work = async () => {
    const wanted = names.map((name) => name.trim()).filter((name) => name !== '');
    if (wanted.length === 0) return;
    await call('POST', 'users/me/subscriptions', { subscriptions: wanted.map((name) => ({ name })) });
  };
  return (
    <OneStep step="channels" work={work}>
      {names.map((name, index) => (
        <TextField
          key={index}
          label={words.channel(index + 1)}
          value={name}
          maxLength={60}
          onValue={(value) => setNames(names.map((each, at) => (at === index ? value : each)))}
        />
      ))}
    </OneStep>
  );
}

function InviteStep() {
  const [emails, setEmails] = useState('');
  const [link, setLink] = useState('');
  const task = useTask();
  const work = async () => {
    if (emails.trim() === '') return;
    await invite(emails);
    announce(words.invited);
  };
  const makeLink = async () => {
    const { invite_link: made } = (await invite('')) as { invite_link: string };
    setLink(made);
  };
  return (
    <OneStep step="invite" work={work}>
      <TextArea label={invitations.addresses} rows={3} value={emails} onValue={setEmails} />
      {link === '' ? (
        <p>
          <Button icon="link" disabled={task.isBusy} onClick={() => void task.run(makeLink)}>
            {words.link}
          </Button>
        </p>
      ) : (
        <p class="secret" role="group" aria-label={words.linkLabel}>
          <code>{link}</code> <CopyButton text={link} />
        </p>
      )}
      <Problem text={task.error} />
    </OneStep>
  );
}

const SHOWN: Record<Step, () => ComponentChildren> = {
  organization: OrganizationStep,
  you: OwnStep,
  channels: ChannelsStep,
  invite: InviteStep,
};

/** The first steps of an owner: names and pictures, channels, and people. */
export function WelcomePage() {
  const wanted = query.value.get('step') ?? '';
  const step = STEPS.find((each) => each === wanted) ?? 'organization';
  const Shown = SHOWN[step];
  return <Shown key={step} />;
}
