import { signal } from '@preact/signals';
import { call, Refusal, upload } from '../connection/call';
import type { Place } from '../connection/place';
import { myId, onEvent, queueId } from '../connection/state';
import { announce } from '../parts/status';
import { sentenceOf } from '../parts/task';
import * as words from '../words';
import { checkLength, type ChangeDraft } from './draft';
import { placeName } from './places';

/** How many messages were sent; each has a number, by which events tell that it has arrived. */
let count = 0;

/** What is sent from one page. It goes on when the page is left, and one finds it so when one comes back. */
export class Outbox {
  private readonly isSending = signal(false);
  /** How many files are on their way. */
  readonly uploading = signal(0);
  readonly errors = signal<readonly string[]>([]);
  /** What the page does when something was sent, while it is open. */
  onSent: (() => void) | null = null;

  get isBusy(): boolean {
    return this.isSending.value || this.uploading.value > 0;
  }

  /** Sends a text, and takes it out of the draft when it has arrived. */
  async send(place: Place, content: string, change: ChangeDraft): Promise<void> {
    if (content.trim() === '' || this.isBusy) return;
    const local_id = `${++count}`;
    let hasArrived = false;
    const arrived = () => {
      // Both the answer and the event tell it.
      if (hasArrived) return;
      hasArrived = true;
      stop();
      this.isSending.value = false;
      this.errors.value = [];
      // What was written meanwhile stays.
      change((now) => (now.startsWith(content) ? now.slice(content.length) : now));
      this.onSent?.();
    };
    const stop = onEvent(({ local_message_id }) => local_message_id === local_id && arrived());
    this.isSending.value = true;
    this.errors.value = [];
    try {
      checkLength(content);
      const to =
        'userIds' in place
          ? { type: 'direct', to: place.userIds.length > 0 ? place.userIds : [myId.value] }
          : { type: 'channel', to: place.channelId, topic: place.topic };
      const echo = { queue_id: queueId.value, local_id };
      await call('POST', 'messages', { ...to, content, read_by_sender: true, ...echo });
      arrived();
    } catch (error) {
      if (hasArrived) return;
      // Where only the answer was lost, the event may still come.
      if (error instanceof Refusal) stop();
      this.isSending.value = false;
      this.tell(place, sentenceOf(error));
    }
  }

  /** Uploads files, and puts links to them into the draft. One that is refused does not keep back the others. */
  async upload(place: Place, files: readonly File[], change: ChangeDraft): Promise<void> {
    if (files.length === 0) return;
    if (!this.isBusy) this.errors.value = [];
    this.uploading.value += files.length;
    for (const file of files) {
      try {
        const { url, filename } = await upload<{ url: string; filename: string }>('user_uploads', file);
        const name = filename.replace(/[[\]]/g, '');
        change((before) => `${before}${before && !before.endsWith('\n') ? '\n' : ''}[${name}](${url})\n`);
      } catch (error) {
        this.tell(place, `${file.name}: ${sentenceOf(error)}`);
      }
      this.uploading.value--;
    }
  }

  private tell(place: Place, sentence: string): void {
    this.errors.value = [...this.errors.value, sentence];
    if (!this.onSent) announce(words.conversations.notSent(placeName(place), sentence));
  }
}

const outboxes = new Map<string, Outbox>();

/** The outbox of a page, by the name of its draft. */
export function outboxOf(name: string): Outbox {
  const outbox = outboxes.get(name) ?? new Outbox();
  outboxes.set(name, outbox);
  return outbox;
}
