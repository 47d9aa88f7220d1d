import { effect } from '@preact/signals';
import { epoch, isOwner, myId, people } from '../connection/state';
import { navigate, path, ROOT } from '../router';

const STORED = 'first steps';

/** Whether the page is one that opens after the first sign-in. */
const isStart = () => path.value === ROOT || /^\/console\/channels\/\d+$/.test(path.value);

/** Opens the first steps for an owner without other users, once per device. */
export function beginFirstRun(): void {
  const end = effect(() => {
    if (epoch.value === 0) return;
    queueMicrotask(() => end());
    const others = [...people.value.values()].some(
      (each) => !each.is_bot && each.is_active !== false && each.user_id !== myId.value,
    );
    if (!isOwner.value || others || !isStart() || localStorage.getItem(STORED)) return;
    localStorage.setItem(STORED, 'shown');
    navigate(`${ROOT}/welcome`);
  });
}
