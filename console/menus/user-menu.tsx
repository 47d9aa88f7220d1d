import { useEffect, useState } from 'preact/hooks';
import { myId, statuses } from '../connection/state';
import { quietUntil, setQuiet, tomorrow } from '../notify/quiet';
import { opened } from '../palette/commands';
import { Menu } from '../parts/menu';
import { announce } from '../parts/status';
import { sentenceOf } from '../parts/task';
import { navigate, ROOT } from '../router';
import { settingsTitle } from '../words';
import { StatusDialog } from './status-dialog';
import { user as words } from './words';

const MINUTE_MS = 60_000;

/** Pauses the notifications of this browser, those of the server included, or with 0 has them go on. */
async function setAllQuiet(until: number): Promise<void> {
  setQuiet(until);
  // As `push.ts` notes it: the server is told only where it pushes to this browser.
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
  readonly onClose: () => void;
}

/** What concerns the reader: their status, quiet, and the settings. */
export function UserMenu({ anchor, onClose }: UserMenuProperties) {
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
        { label: settingsTitle, icon: 'edit', run: () => navigate(`${ROOT}/settings/preferences`) },
        { label: words.keys, icon: 'keyboard', run: () => (opened.value = 'keys') },
      ]}
    />
  );
}
