import { effect } from '@preact/signals';
import { mentions, organizationText, settings, topicPolicies, unread } from '../connection/state';
import { topicKey } from '../connection/place';
import { TOPIC_POLICY } from '../connection/records';
import { isMutedTopic } from '../conversations/places';
import { pageTitle } from '../parts/page';

/** Values of the setting for the unread count. */
const COUNTS = { all: 1, followed: 2, direct: 3, none: 4 } as const;

/** The number of unread messages to show on the window. */
function counted(): number {
  const kind = Number(settings.value['desktop_icon_count_display'] ?? COUNTS.all);
  if (kind === COUNTS.none) return 0;
  let count = 0;
  for (const [id, place] of unread.value) {
    if ('userIds' in place || mentions.value.has(id)) count++;
    else if (kind === COUNTS.all) count += isMutedTopic(place.channelId, place.topic) ? 0 : 1;
    else if (kind === COUNTS.followed) {
      const policy = topicPolicies.value.get(topicKey(place.channelId, place.topic));
      count += policy === TOPIC_POLICY.followed ? 1 : 0;
    }
  }
  return count;
}

const SIZE = 32;

/** The page's icon with a number; the server's icon for zero. */
function sign(count: number): string {
  if (count === 0) return '/favicon.ico';
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIZE;
  const drawn = canvas.getContext('2d');
  if (!drawn) return '/favicon.ico';
  drawn.fillStyle = '#3558c8';
  drawn.beginPath();
  drawn.roundRect(0, 0, SIZE, SIZE, 8);
  drawn.fill();
  drawn.fillStyle = '#fff';
  drawn.font = `bold ${count > 99 ? 15 : 20}px sans-serif`;
  drawn.textAlign = 'center';
  drawn.textBaseline = 'middle';
  drawn.fillText(count > 99 ? '99+' : String(count), SIZE / 2, SIZE / 2 + 1);
  return canvas.toDataURL();
}

/** Shows the unread count in the title and icon of the window while the page is open. */
export function showCount(): void {
  let shown = 0;
  effect(() => {
    const count = counted();
    const name = [pageTitle.value, organizationText('realm_name')].filter(Boolean).join(' · ');
    if (name !== '') document.title = count > 0 ? `(${count}) ${name}` : name;
    if (count === shown) return;
    shown = count;
    // The badge of the installed app; browsers reject the call from ordinary pages.
    navigator.setAppBadge?.(count).catch(() => undefined);
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (!link) return;
    link.type = count === 0 ? 'image/svg+xml' : 'image/png';
    link.href = sign(count);
  });
}
