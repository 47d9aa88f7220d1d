import { signal } from '@preact/signals';
import { call, Refusal } from '../connection/call';
import { presenceOf } from '../connection/presence';
import { me, myId } from '../connection/state';
import { unsent } from '../conversations/unsent';
import { endDrafts } from '../drafts/sync';
import { quietUntil } from '../notify/quiet';
import { Confirm } from '../parts/dialog';
import { shownTime } from '../parts/format';
import { Icon } from '../parts/icon';
import { lazy } from '../parts/lazy';
import { Avatar, StatusEmoji, statusOf } from '../parts/person';
import { attempt } from '../parts/task';
import * as words from '../words';
import { administrationPath } from './administration';

const UserMenu = lazy(async () => (await import('../menus')).UserMenu, false);

/** The button that opened the user's own menu, while it is open. */
const anchor = signal<Element | null>(null);

/** Whether the user is asked about unsent messages before signing out. */
const isLeaving = signal(false);

/** Leaves the page by submitting the sign-out form. */
function sendForm(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/accounts/logout/';
  const token = document.createElement('input');
  token.type = 'hidden';
  token.name = 'csrfmiddlewaretoken';
  token.value = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? '';
  form.append(token);
  document.body.append(form);
  form.submit();
}

/** Signs out. Deletes drafts from this device only after the server has responded. */
async function signOut(): Promise<void> {
  await call('POST', 'users/me/presence', { status: 'active', ping_only: true }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code === 'CSRF_FAILED') throw error;
  });
  sessionStorage.clear();
  endDrafts();
  sendForm();
}

/** The user's picture with their presence. */
function Face() {
  const presence = presenceOf(myId.value);
  return (
    <span class="face">
      <Avatar userId={myId.value} />
      <span class={`presence ${presence}`} title={words.presence[presence]}>
        <span class="unseen">{words.presence[presence]}</span>
      </span>
    </span>
  );
}

/** A button with the user's picture, name and status, which opens their menu. */
export function SelfButton({ isTab }: { readonly isTab?: boolean }) {
  if (!me.value) return null;
  const { user_id: userId, full_name: name } = me.value;
  const until = quietUntil.value;
  const quiet = until > 0 ? words.quietUntil(shownTime(until / 1000)) : '';
  const status = statusOf(userId)?.text;
  return (
    <button
      type="button"
      class={isTab ? 'self' : 'self button quiet'}
      aria-haspopup="menu"
      aria-expanded={anchor.value !== null}
      onClick={({ currentTarget }) => (anchor.value = anchor.value ? null : currentTarget)}
    >
      <Face />
      {isTab ? (
        <span class="tab-name">{words.tabs.you}</span>
      ) : (
        <span class="self-text">
          <span class="name">{name}</span>
          {status && <span class="name note">{status}</span>}
        </span>
      )}
      {!isTab && <StatusEmoji userId={userId} />}
      {quiet && (
        <span class="is-quiet" title={quiet}>
          <Icon name="mute" />
          <span class="unseen">{quiet}</span>
        </span>
      )}
    </button>
  );
}

/** The user's own menu while it is open, and the confirmation before signing out. */
export function SelfMenu() {
  return (
    <>
      {anchor.value && (
        <UserMenu
          anchor={anchor.value}
          administration={administrationPath()}
          onSignOut={() => {
            if (unsent.value.length > 0) isLeaving.value = true;
            else attempt(signOut());
          }}
          onClose={() => (anchor.value = null)}
        />
      )}
      {isLeaving.value && (
        <Confirm
          title={words.signOut}
          action={words.signOut}
          isDangerous
          onConfirm={() => signOut()}
          onClose={() => (isLeaving.value = false)}
        >
          <p>{words.unsent.signOut}</p>
        </Confirm>
      )}
    </>
  );
}
