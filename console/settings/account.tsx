import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { ROLE } from '../connection/records';
import { me } from '../connection/state';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { TextField } from '../parts/field';
import { announce } from '../parts/status';
import { useTask } from '../parts/task';
import { cancel, people } from '../words';
import { isFixed } from './profile';
import { account as words, wrongPassword } from './words';

/** Properties of a dialog that changes the email address or password. */
interface ChangeProperties {
  readonly title: string;
  readonly about?: string;
  readonly kind: 'email' | 'password';
  readonly label: string;
  readonly hint?: string;
  readonly said: string;
  readonly onClose: () => void;
}

/** Asks for a new value and the current password, and shows errors at the field they belong to. */
function ChangeDialog({ title, about, kind, label, hint, said, onClose }: ChangeProperties) {
  const [value, setValue] = useState('');
  const [password, setPassword] = useState('');
  const task = useTask();
  const submit = async () => {
    const changed = kind === 'email' ? { email: value.trim() } : { new_password: value };
    const isDone = await task.run(() => call('PATCH', 'settings', { ...changed, old_password: password }));
    if (!isDone) return;
    announce(said);
    onClose();
  };
  const isOfPassword = task.error === wrongPassword;
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={() => void submit()}>
        {/* For password managers. */}
        <input type="hidden" name="username" autocomplete="username" value={me.value?.delivery_email ?? ''} />
        <TextField
          label={words.currentPassword}
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onValue={setPassword}
          error={isOfPassword ? task.error : undefined}
        />
        <TextField
          {...{ label, hint, value }}
          type={kind}
          autocomplete={kind === 'email' ? 'email' : 'new-password'}
          required
          onValue={setValue}
          error={isOfPassword ? undefined : task.error || undefined}
        />
        {about && <p class="about">{about}</p>}
        <div class="actions">
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="main" type="submit" disabled={task.isBusy}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Email address, password and role of the user. */
export function Account() {
  const [open, setOpen] = useState<'email' | 'password' | null>(null);
  const close = () => setOpen(null);
  const role = Object.entries(ROLE).find(([, number]) => number === me.value!.role)?.[0];
  return (
    <>
      <dl class="facts">
        <div>
          <dt>{words.email}</dt>
          <dd>
            {me.value!.delivery_email}
            {isFixed('email') && <p class="hint">{words.fixedEmail}</p>}
          </dd>
          {!isFixed('email') && (
            <dd>
              <Button onClick={() => setOpen('email')}>{words.changeEmail}</Button>
            </dd>
          )}
        </div>
        <div>
          <dt>{words.password}</dt>
          <dd aria-hidden="true">••••••••</dd>
          <dd>
            <Button onClick={() => setOpen('password')}>{words.changePassword}</Button>
          </dd>
        </div>
        <div>
          <dt>{words.role}</dt>
          <dd>{role && people.roles[role as keyof typeof ROLE]}</dd>
        </div>
      </dl>
      {open === 'email' && (
        <ChangeDialog
          title={words.changeEmail}
          kind="email"
          label={words.newEmail}
          said={words.emailChanged}
          onClose={close}
        />
      )}
      {open === 'password' && (
        <ChangeDialog
          title={words.changePassword}
          about={words.passwordEffect}
          kind="password"
          label={words.newPassword}
          hint={words.passwordAbout}
          said={words.passwordChanged}
          onClose={close}
        />
      )}
    </>
  );
}
