import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { epoch, settings } from './connection/state';
import { ConversationNavigation } from './conversations/navigation';
import { asked, filtered, forwarded } from './conversations/replying';
import { opened } from './palette/commands';
import { Icon } from './parts/icon';
import { lazy } from './parts/lazy';
import { NotFound, Page } from './parts/page';
import { Reauthentication } from './parts/reauthentication';
import { Status } from './parts/status';
import { matchPath, path } from './router';
import { SCREENS } from './screens';
import { SearchField } from './search/field';
import { isFor, WithAdministration } from './shell/administration';
import { Brand, NewMessage } from './shell/brand';
import { Connection } from './shell/connection';
import { openHome } from './shell/home';
import { SelfButton, SelfMenu } from './shell/self';
import { Tabs } from './shell/tabs';
import * as words from './words';

const Palette = lazy(async () => (await import('./palette')).Palette, false);
const MessageStageDialog = lazy(async () => (await import('./menus')).MessageStageDialog, false);
const SubscriptionDialog = lazy(async () => (await import('./menus')).SubscriptionDialog, false);
const ForwardDialog = lazy(async () => (await import('./menus')).ForwardDialog, false);
const KeyList = lazy(async () => (await import('./palette')).KeyList, false);

/** The page of the current URL. */
function Content() {
  if (epoch.value === 0) return <p class="empty">{words.loading}</p>;
  for (const screen of SCREENS) {
    const { path: pattern, only, show: Show } = screen;
    const parameters = matchPath(pattern, path.value);
    if (!parameters) continue;
    if (only && !isFor(screen)) return <Page title={words.notForYou} about={words.only[only]} />;
    // The key prevents state from carrying over to the page of another person, bot or group.
    return (
      <WithAdministration>
        <Show key={path.value} parameters={parameters} />
      </WithAdministration>
    );
  }
  return <NotFound />;
}

/** A sidebar, or in narrow windows a drawer, which closes after a choice or a click elsewhere. */
function Navigation() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const wide = matchMedia('(min-width: 60rem)');
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
          <div class="narrow-only">
            <NewMessage />
          </div>
          <ConversationNavigation />
        </div>
      </details>
    </nav>
  );
}

/** Dialogs opened by shortcuts. */
function Asked() {
  const close = () => (asked.value = null);
  if (!asked.value) return null;
  if ('message' in asked.value) return <MessageStageDialog {...asked.value} onClose={close} />;
  return <SubscriptionDialog channelId={asked.value.channelId} onClose={close} />;
}

/** The layout around every page. */
export function Frame() {
  useEffect(() => {
    const { style } = document.documentElement;
    const value = (name: string) => settings.value[name];
    // 1 follows the system, 2 is dark, 3 is light.
    const scheme = { 2: 'dark', 3: 'light' }[Number(value('color_scheme'))];
    const flags = { contrast: 'high_contrast_mode', fluid: 'fluid_layout_width' };
    const set = Object.entries(flags).flatMap(([name, setting]) => (value(setting) === true ? [name] : []));
    document.documentElement.className = [scheme, ...set].filter(Boolean).join(' ');
    // The defaults keep the browser's font size and the style sheet's line height.
    style.setProperty('--size', String(Number(value('web_font_size_px') ?? 16) / 16));
    style.setProperty('--lines', String(Number(value('web_line_height_percent') ?? 140) / 140));
  }, [settings.value]);
  useLayoutEffect(() => {
    if (epoch.value > 0) openHome();
  }, [epoch.value > 0]);
  return (
    <>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="bar">
        <Brand />
        <NewMessage />
        <SearchField />
      </header>
      <Navigation />
      <footer class="foot">
        <SelfButton />
      </footer>
      <main id="content" tabIndex={-1}>
        <Content />
        {/* Not next to its button, where the headers of its dialogs would be landmarks. */}
        <SelfMenu />
      </main>
      <Tabs />
      <Connection />
      <Status />
      <Reauthentication />
      {forwarded.value !== null && (
        <ForwardDialog messageId={forwarded.value} onClose={() => (forwarded.value = null)} />
      )}
      <Asked />
      {opened.value === 'palette' && <Palette onClose={() => (opened.value = null)} />}
      {opened.value === 'keys' && <KeyList onClose={() => (opened.value = null)} />}
    </>
  );
}
