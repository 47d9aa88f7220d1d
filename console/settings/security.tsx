import { useState } from 'preact/hooks';
import { companion } from '../connection/call';
import { me } from '../connection/state';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Dialog } from '../parts/dialog';
import { TextField } from '../parts/field';
import { Problem } from '../parts/problem';
import { useFetched, useTask } from '../parts/task';
import { cancel } from '../words';
import { Section } from './controls';
import { Passkeys } from './passkeys';
import { QrCode } from './qr-code';
import { RecoveryCodes } from './recovery-codes';
import { account, app, security as words } from './words';

const PATH = 'auth/me/second-factor';

interface Factor {
  readonly is_on: boolean;
  readonly has_app: boolean;
  readonly recovery_codes_left: number;
}

/** From this number on, the user is told that few codes are left. */
const FEW_CODES = 3;

interface StepProperties {
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'text' | 'password';
  readonly action: string;
  readonly onSubmit: (value: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for one value, and shows the error at its field. */
function Step({ label, hint, type = 'text', action, onSubmit, onClose }: StepProperties) {
  const [value, setValue] = useState('');
  const task = useTask();
  return (
    <form onSubmit={() => void task.run(() => onSubmit(value.trim()))}>
      {type === 'password' && (
        // For password managers.
        <input type="hidden" name="username" autocomplete="username" value={me.value?.delivery_email ?? ''} />
      )}
      <TextField
        {...{ label, hint, type, value }}
        autocomplete={type === 'password' ? 'current-password' : 'one-time-code'}
        required
        onValue={setValue}
        error={task.error || undefined}
      />
      <div class="actions">
        <Button onClick={onClose}>{cancel}</Button>
        <Button kind="main" type="submit" disabled={task.isBusy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Sets up the app: first the password, then the key and a code, then the recovery codes. */
function SetUp({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const [begun, setBegun] = useState<{ readonly secret: string; readonly address: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) {
    return (
      <Dialog title={words.codesTitle} onClose={onDone}>
        <RecoveryCodes codes={codes} onKept={onDone} />
      </Dialog>
    );
  }
  return (
    <Dialog title={words.setUpTitle} onClose={onClose}>
      {begun ? (
        <>
          <p>{words.scan}</p>
          <QrCode text={begun.address} label={words.picture} />
          <div class="secret">
            <span>{words.key}</span>
            <code>{begun.secret.match(/.{1,4}/g)?.join(' ')}</code>
            <CopyButton text={begun.secret} />
          </div>
          <Step
            key="code"
            label={words.code}
            hint={words.codeAbout}
            action={words.turnOn}
            onSubmit={async (code) => {
              const answer = await companion<{ recovery_codes: string[] }>('POST', `${PATH}/confirm`, {
                code,
              });
              setCodes(answer.recovery_codes);
            }}
            onClose={onClose}
          />
        </>
      ) : (
        <Step
          key="password"
          type="password"
          label={account.currentPassword}
          action={words.proceed}
          onSubmit={async (password) => setBegun(await companion('POST', PATH, { password }))}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** The user's second factors: passkeys, and an authenticator app. */
export function Security() {
  const { value, error, reload } = useFetched(() => companion<Factor>('GET', PATH), []);
  const [open, setOpen] = useState<'on' | 'off' | null>(null);
  const close = () => setOpen(null);
  const done = () => {
    close();
    reload();
  };
  return (
    <>
      <Problem text={error} />
      {value && (
        <>
          <p class={value.is_on ? 'good' : undefined}>{value.is_on ? words.on : words.off}</p>
          {value.is_on && (
            <p class="about">
              {words.left(value.recovery_codes_left)}
              {value.recovery_codes_left <= FEW_CODES && `. ${words.few}`}
            </p>
          )}
          <Section title={app.title}>
            <p>{value.has_app ? app.on : app.off}</p>
            <div class="actions">
              {value.has_app ? (
                <Button onClick={() => setOpen('off')}>{words.turnOff}</Button>
              ) : (
                <Button kind="main" onClick={() => setOpen('on')}>
                  {words.setUp}
                </Button>
              )}
            </div>
          </Section>
        </>
      )}
      <Passkeys onChange={reload} />
      {open === 'on' && <SetUp onClose={close} onDone={done} />}
      {open === 'off' && (
        <Dialog title={words.turnOffTitle} onClose={close}>
          <Step
            label={words.anyCode}
            action={words.turnOff}
            onSubmit={async (code) => {
              await companion('POST', `${PATH}/remove`, { code });
              done();
            }}
            onClose={close}
          />
        </Dialog>
      )}
    </>
  );
}
