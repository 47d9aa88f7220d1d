import { effect } from '@preact/signals';
import { epoch } from '../connection/state';

/** Renews the push subscription of this browser, if it is recorded, once the user is known. */
export function renewPush(): void {
  let isDone = false;
  effect(() => {
    if (isDone || epoch.value === 0) return;
    isDone = true;
    // The key is set by `push.ts`, which few pages need.
    if (localStorage.getItem('push')) void import('./push').then(({ renew }) => renew());
  });
}
