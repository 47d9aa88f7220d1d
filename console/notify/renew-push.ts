import { effect } from '@preact/signals';
import { epoch } from '../connection/state';

/** Once the page knows whose it is, sees to the push subscription of this browser, if it is noted to have one. */
export function renewPush(): void {
  let isDone = false;
  effect(() => {
    if (isDone || epoch.value === 0) return;
    isDone = true;
    // As `push.ts` notes it, which few pages need.
    if (localStorage.getItem('push')) void import('./push').then(({ renew }) => renew());
  });
}
