import { effect } from '@preact/signals';
import { epoch, isOwner, myId, people } from '../connection/state';
import { navigate, path, ROOT } from '../router';

const STORED = 'first steps';

/** Where one comes to by signing in for the first time. */
const isStart = () => path.value === ROOT || /^\/console\/channels\/\d+$/.test(path.value);

/** Leads an owner who is alone to the first steps, once on this device. */
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
