import { ROOT } from '../router';
import { nothingFound } from '../words';
import * as words from './words';

type PageName = keyof typeof words.pages;

const {
  account,
  alertWords,
  app,
  appearance,
  devices,
  firstView,
  keys,
  languages,
  muted,
  notifications,
  passkeys,
  privacy,
  profile,
  reading,
  time,
  topics,
  writing,
} = words;

/** Labels of the settings on each page. */
const LABELS: Record<PageName, readonly string[]> = {
  profile: [profile.picture, profile.name, profile.timeZone],
  account: [account.email, account.password, account.role],
  security: [passkeys.title, app.title, words.security.codesTitle],
  keys: [keys.add],
  devices: [devices.endAll, devices.remembered],
  preferences: [
    appearance.theme,
    appearance.size,
    appearance.lines,
    appearance.wide,
    appearance.contrast,
    time.format,
    writing.enter,
    writing.emoticons,
    writing.keys,
    reading.mark,
    languages.title,
    firstView.title,
    firstView.escape,
  ],
  notifications: [
    notifications.what,
    notifications.wildcards,
    notifications.followedWildcards,
    notifications.text,
    notifications.online,
    notifications.sounds,
    notifications.count,
    alertWords.title,
    notifications.mail,
    notifications.mailText,
    notifications.mailAfter,
    notifications.signIns,
    topics.follow,
    topics.mentioned,
    topics.unmute,
    topics.resolved,
  ],
  privacy: [
    privacy.presence_enabled,
    privacy.send_private_typing_notifications,
    privacy.send_stream_typing_notifications,
    privacy.receives_typing_notifications,
    privacy.send_read_receipts,
    privacy.visibility,
    privacy.allow_private_data_export,
  ],
  muted: [muted.people, muted.topics],
};

/** Links to settings whose names contain all words of a text. */
export function FoundSettings({ text }: { readonly text: string }) {
  const wanted = text.trim().toLowerCase().split(/\s+/);
  const found = (Object.keys(LABELS) as PageName[]).flatMap((page) =>
    LABELS[page]
      .map((label) => ({ page, label }))
      .filter(({ label }) => {
        const name = `${words.pages[page]} ${label}`.toLowerCase();
        return wanted.every((word) => name.includes(word));
      }),
  );
  if (found.length === 0) return <p class="empty">{nothingFound}</p>;
  return (
    <ul class="list">
      {found.map(({ page, label }) => (
        <li key={`${page} ${label}`}>
          <a href={`${ROOT}/settings/${page}?at=${encodeURIComponent(label)}`}>
            <span>{label}</span>
            <span class="note">{words.pages[page]}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const CONTROLS = 'input:not([hidden]), select, textarea, button';

/** Focuses the setting with a name, or the first one of the section with that title. */
export function focusSetting(name: string): void {
  const named = [...document.querySelectorAll<HTMLElement>('main :is(label, h2, th, dt, button)')].find(
    (each) => each.textContent.trim() === name,
  );
  const within = named?.closest('.field, .check') ?? named?.closest('section') ?? named?.parentElement;
  const control = named?.matches('button') ? named : within?.querySelector<HTMLElement>(CONTROLS);
  named?.scrollIntoView({ block: 'center' });
  control?.focus();
}
