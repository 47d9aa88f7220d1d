import { useEffect, useState } from 'preact/hooks';
import { call } from '../connection/call';
import { isAdministrator, isOwner, myId, settings, statuses } from '../connection/state';
import { quietUntil, setQuiet, tomorrow } from '../notify/quiet';
import { opened } from '../palette/commands';
import { Menu } from '../parts/menu';
import { announce } from '../parts/status';
import { attempt, sentenceOf } from '../parts/task';
import { isNarrow } from '../parts/window';
import { navigate, ROOT } from '../router';
import { sections, settingsTitle, signOut } from '../words';
import { StatusDialog } from './status-dialog';
import { user as words } from './words';

const MINUTE_MS = 60_000;

/** Values of the theme setting. */
const SCHEMES = { system: 1, dark: 2, light: 3 };

/** Pauses all notifications of this browser, including push notifications; 0 resumes them. */
async function setAllQuiet(until: number): Promise<void> {
  setQuiet(until);
  // The key is set by `push.ts` if the server sends push notifications to this browser.
  if (localStorage.getItem('push')) await (await import('../notify/push')).tellQuiet();
}

function pause(until: number): void {
  setAllQuiet(until).then(
    () => announce(until === 0 ? words.resumed : words.paused),
    (error: unknown) => announce(sentenceOf(error)),
  );
}

interface UserMenuProperties {
  readonly anchor: Element;
  /** Where the administration starts for the user, if they have one. */
  readonly administration: string | undefined;
  readonly onSignOut: () => void;
  readonly onClose: () => void;
}

/** The user's own menu: status, quiet time, and settings. */
export function UserMenu({ anchor, administration, onSignOut, onClose }: UserMenuProperties) {
  const [stage, setStage] = useState<'menu' | 'status' | null>('menu');
  useEffect(() => {
    if (stage === null) onClose();
  }, [stage]);
  if (stage === 'status') return <StatusDialog onClose={() => setStage(null)} />;
  if (stage === null) return null;
  const isQuiet = quietUntil.value > 0;
  return (
    <Menu
      anchor={anchor}
      label={words.menu}
      onClose={() => setStage((now) => (now === 'menu' ? null : now))}
      items={[
        {
          label: statuses.value.has(myId.value) ? words.changeStatus : words.setStatus,
          icon: 'smile',
          run: () => setStage('status'),
        },
        null,
        ...(isQuiet ? [{ label: words.resume, icon: 'bell' as const, run: () => pause(0) }] : []),
        {
          label: words.pause.halfHour,
          icon: 'mute',
          run: () => pause(Date.now() + 30 * MINUTE_MS),
        },
        { label: words.pause.hour, icon: 'mute', run: () => pause(Date.now() + 60 * MINUTE_MS) },
        { label: words.pause.tomorrow, icon: 'mute', run: () => pause(tomorrow()) },
        null,
        { label: words.profile, icon: 'person', run: () => navigate(`${ROOT}/settings/profile`) },
        {
          label: settingsTitle,
          icon: 'edit',
          run: () => navigate(`${ROOT}/settings${isNarrow.value ? '' : '/preferences'}`),
        },
        null,
        ...(['light', 'dark', 'system'] as const).map((name) => ({
          label: words.theme[name],
          isChosen: (settings.value['color_scheme'] ?? SCHEMES.system) === SCHEMES[name],
          run: () => attempt(call('PATCH', 'settings', { color_scheme: SCHEMES[name] })),
        })),
        null,
        { label: words.keys, icon: 'keyboard', run: () => (opened.value = 'keys') },
        ...(isAdministrator.value
          ? [
              {
                label: words.invite,
                icon: 'plus' as const,
                run: () => navigate(`${ROOT}/people/invitations`),
              },
            ]
          : []),
        ...(isOwner.value
          ? [{ label: words.firstSteps, icon: 'tasks' as const, run: () => navigate(`${ROOT}/welcome`) }]
          : []),
        ...(administration === undefined
          ? []
          : [{ label: sections.administration, icon: 'lock' as const, run: () => navigate(administration) }]),
        null,
        { label: signOut, icon: 'leave', run: onSignOut },
      ]}
    />
  );
}
