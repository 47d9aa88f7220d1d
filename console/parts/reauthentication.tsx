import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { call, companion, confirmIdentityWith } from '../connection/call';
import * as words from '../words';
import { Button } from './button';
import { TextField } from './field';
import { FormDialog } from './form-dialog';
import { Dialog } from './dialog';
import { Problem } from './problem';
import { hasPasskeys, usePasskey } from './passkey';
import { useFetched, useTask } from './task';

type Way = 'code' | 'password' | 'sign_in';

interface Ways {
  readonly by: Way;
  readonly has_passkey: boolean;
}

interface Providers {
  readonly external_authentication_methods: readonly {
    readonly display_name: string;
    readonly login_url: string;
  }[];
}

const PATH = 'auth/me/reauthentication';

/** Resolves the open question; null if there is none. */
const asked = signal<((isConfirmed: boolean) => void) | null>(null);

confirmIdentityWith(async () => {
  // If several calls are refused at the same time, only the first one asks.
  if (asked.value) return false;
  return new Promise((resolve) => {
    asked.value = (isConfirmed) => {
      asked.value = null;
      resolve(isConfirmed);
    };
  });
});

/** The dialog in which users confirm their identity, opened by any refused call. */
export function Reauthentication() {
  const answer = asked.value;
  return answer && <Ask answer={answer} />;
}

function Ask({ answer }: { readonly answer: (isConfirmed: boolean) => void }) {
  const { value, error } = useFetched(() => companion<Ways>('GET', PATH), []);
  const [text, setText] = useState('');
  const passkey = useTask();
  const close = () => answer(false);
  const title = words.reauthentication.title;
  if (!value && !error) return null;
  if (!value || value.by === 'sign_in') {
    return (
      <Dialog title={title} onClose={close}>
        {value && <ProviderLinks />}
        <Problem text={error} />
      </Dialog>
    );
  }
  const { by } = value;
  const confirm = async (proof: Readonly<Record<string, string>>) => {
    await companion('POST', PATH, proof);
    answer(true);
  };
  return (
    <FormDialog
      title={title}
      action={words.reauthentication.action}
      onSubmit={() => confirm({ [by]: text })}
      onClose={close}
    >
      <p>{words.reauthentication.about}</p>
      {value.has_passkey && hasPasskeys && (
        <>
          <Button
            disabled={passkey.isBusy}
            onClick={() => void passkey.run(async () => confirm(await usePasskey()))}
          >
            {words.passkey.use}
          </Button>
          <Problem text={passkey.error} />
        </>
      )}
      <TextField
        label={words.reauthentication[by]}
        type={by === 'password' ? 'password' : 'text'}
        autocomplete={by === 'password' ? 'current-password' : 'one-time-code'}
        value={text}
        onValue={setText}
        required
      />
    </FormDialog>
  );
}

/** Links to identity providers, which authenticate the user again and return to this page. */
function ProviderLinks() {
  const { value } = useFetched(() => call<Providers>('GET', 'server_settings'), []);
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <>
      <p>{words.reauthentication.signIn}</p>
      {value?.external_authentication_methods.map(({ display_name, login_url }) => (
        <a class="button" key={login_url} href={`${login_url}?next=${next}`}>
          {display_name}
        </a>
      ))}
    </>
  );
}
