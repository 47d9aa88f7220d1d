import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ConversationNavigation } from './conversations/navigation';
import { unsent } from './conversations/unsent';
import { asked, filtered, forwarded } from './conversations/replying';
import { SearchField } from './search/field';
import { call, Refusal } from './connection/call';
import { connection } from './connection/live';
import { epoch, isAdministrator, isOwner, me, organizationText, settings } from './connection/state';
import { endDrafts } from './drafts/sync';
import { matchPath, path, ROOT } from './router';
import { SCREENS } from './screens';
import * as words from './words';
import { quietUntil } from './notify/quiet';
import { opened } from './palette/commands';
import { Icon } from './parts/icon';
import { shownTime } from './parts/format';
import { Confirm } from './parts/dialog';
import { attempt } from './parts/task';
import { lazy } from './parts/lazy';
import { NotFound, Page } from './parts/page';
import { Avatar, StatusEmoji } from './parts/person';
import { Reauthentication } from './parts/reauthentication';
import type { Screen } from './parts/screen';
import { Status } from './parts/status';

const Palette = lazy(async () => (await import('./palette')).Palette, false);
const UserMenu = lazy(async () => (await import('./menus')).UserMenu, false);
const MessageStageDialog = lazy(async () => (await import('./menus')).MessageStageDialog, false);
const SubscriptionDialog = lazy(async () => (await import('./menus')).SubscriptionDialog, false);
const ForwardDialog = lazy(async () => (await import('./menus')).ForwardDialog, false);
const KeyList = lazy(async () => (await import('./palette')).KeyList, false);

/** Whether a page is for the signed-in user. */
const isFor = ({ only }: Screen) => !only || (only === 'owners' ? isOwner : isAdministrator).value;

/** The page that the address names. */
function Content() {
  if (epoch.value === 0) return <p class="empty">{words.loading}</p>;
  for (const screen of SCREENS) {
    const { path: pattern, only, show: Show } = screen;
    const parameters = matchPath(pattern, path.value);
    if (!parameters) continue;
    if (only && !isFor(screen)) return <Page title={words.notForYou} about={words.only[only]} />;
    // Nothing of a page is left on that of another person, bot or group.
    return <Show key={path.value} parameters={parameters} />;
  }
  return <NotFound />;
}

function Administration() {
  const lines = SCREENS.filter((screen) => screen.label && isFor(screen));
  return (
    <>
      <h2>{words.sections.administration}</h2>
      <ul>
        {lines.map((screen) => (
          <li key={screen.path}>
            <a href={screen.path} aria-current={path.value.startsWith(screen.path) ? 'page' : undefined}>
              {screen.label}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The sign-out form, while the user decides about unsent messages. */
const leaving = signal<HTMLFormElement | null>(null);

/** Signs out. Drafts leave this device only once the server answers this page. */
async function signOut(form: HTMLFormElement): Promise<void> {
  await call('POST', 'users/me/presence', { status: 'active', ping_only: true }).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code === 'CSRF_FAILED') throw error;
  });
  sessionStorage.clear();
  endDrafts();
  form.submit();
}

/** A form, so that it works as signing in does: by a request that leaves the page. */
function SignOut() {
  const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content;
  return (
    <form
      method="post"
      action="/accounts/logout/"
      onSubmit={(event) => {
        event.preventDefault();
        if (unsent.value.length > 0) leaving.value = event.currentTarget;
        else attempt(signOut(event.currentTarget));
      }}
    >
      <input type="hidden" name="csrfmiddlewaretoken" value={token} />
      <button class="button quiet">{words.signOut}</button>
    </form>
  );
}

/** What opened the menu of the reader, while it is open. */
const selfAnchor = signal<Element | null>(null);

/** The reader, with the button of the menu of what concerns them. */
function Self() {
  if (!me.value) return null;
  const { user_id: userId, full_name: name } = me.value;
  const until = quietUntil.value;
  const quiet = until > 0 ? words.quietUntil(shownTime(until / 1000)) : '';
  return (
    <button
      type="button"
      class="person self button quiet"
      aria-haspopup="menu"
      aria-expanded={selfAnchor.value !== null}
      onClick={({ currentTarget }) => (selfAnchor.value = selfAnchor.value ? null : currentTarget)}
    >
      <Avatar userId={userId} />
      <span class="name">{name}</span>
      <StatusEmoji userId={userId} />
      {quiet && (
        <span class="is-quiet" title={quiet}>
          <Icon name="mute" />
          <span class="unseen">{quiet}</span>
        </span>
      )}
    </button>
  );
}

function Header() {
  return (
    <header class="bar">
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <a class="brand" href={ROOT}>
        {organizationText('realm_name')}
      </a>
      <SearchField />
      <span class={`connection ${connection.value}`}>{words.connection[connection.value]}</span>
      <Self />
      <SignOut />
    </header>
  );
}

/** Beside the content, or over it where the window is narrow; there it closes when one has chosen, or turns away. */
function Navigation() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const wide = matchMedia('(min-width: 48rem)');
    const follow = () => void (details.current && (details.current.open = wide.matches));
    const leave = ({ target }: Event) => void (details.current?.contains(target as Node) || follow());
    follow();
    wide.addEventListener('change', follow);
    document.addEventListener('pointerdown', leave);
    return () => {
      wide.removeEventListener('change', follow);
      document.removeEventListener('pointerdown', leave);
    };
  }, [path.value]);
  useLayoutEffect(() => {
    if (filtered.value && details.current) details.current.open = true;
  }, [filtered.value]);
  return (
    <nav aria-label={words.navigation}>
      <details ref={details}>
        <summary>
          <Icon name="menu" /> {words.menu}
        </summary>
        <div class="drawer">
          <ConversationNavigation />
          <Administration />
          <SignOut />
        </div>
      </details>
    </nav>
  );
}

/** What a key has asked for. */
function Asked() {
  const close = () => (asked.value = null);
  if (!asked.value) return null;
  if ('message' in asked.value) return <MessageStageDialog {...asked.value} onClose={close} />;
  return <SubscriptionDialog channelId={asked.value.channelId} onClose={close} />;
}

/** What every page stands in. */
export function Frame() {
  useEffect(() => {
    const { style } = document.documentElement;
    const value = (name: string) => settings.value[name];
    // 1 follows the system, 2 is dark, 3 is light.
    const scheme = { 2: 'dark', 3: 'light' }[Number(value('color_scheme'))];
    const flags = { contrast: 'high_contrast_mode', fluid: 'fluid_layout_width' };
    const set = Object.entries(flags).flatMap(([name, setting]) => (value(setting) === true ? [name] : []));
    document.documentElement.className = [scheme, ...set].filter(Boolean).join(' ');
    // The usual values leave the browser's own size of letters, and the height of the style.
    style.setProperty('--size', String(Number(value('web_font_size_px') ?? 16) / 16));
    style.setProperty('--lines', String(Number(value('web_line_height_percent') ?? 140) / 140));
  }, [settings.value]);
  return (
    <>
      <Header />
      <Navigation />
      <main id="content" tabIndex={-1}>
        <Content />
        {/* Not in the header, where the heads of its windows would be landmarks. */}
        {selfAnchor.value && <UserMenu anchor={selfAnchor.value} onClose={() => (selfAnchor.value = null)} />}
      </main>
      <Status />
      <Reauthentication />
      {leaving.value && (
        <Confirm
          title={words.signOut}
          action={words.signOut}
          isDangerous
          onConfirm={() => signOut(leaving.value!)}
          onClose={() => (leaving.value = null)}
        >
          <p>{words.unsent.signOut}</p>
        </Confirm>
      )}
      {forwarded.value !== null && (
        <ForwardDialog messageId={forwarded.value} onClose={() => (forwarded.value = null)} />
      )}
      <Asked />
      {opened.value === 'palette' && <Palette onClose={() => (opened.value = null)} />}
      {opened.value === 'keys' && <KeyList onClose={() => (opened.value = null)} />}
    </>
  );
}
