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
function newOutbox() {
  const isSending = signal(false);
  const uploading = signal(0);
  const errors = signal<readonly string[]>([]);
  const tell = (place: Place, sentence: string) => {
    errors.value = [...errors.value, sentence];
    if (!outbox.onSent) announce(words.conversations.notSent(placeName(place), sentence));
  };

  /** Sends a text, and takes it out of the draft when it has arrived. */
  const send = async (place: Place, content: string, change: ChangeDraft) => {
    if (content.trim() === '' || outbox.isBusy) return;
    const local_id = `${++count}`;
    let hasArrived = false;
    const arrived = () => {
      // Both the answer and the event tell it.
      if (hasArrived) return;
      hasArrived = true;
      stop();
      isSending.value = false;
      errors.value = [];
      // Keeps what was typed since.
      change((now) => (now.startsWith(content) ? now.slice(content.length) : now));
      outbox.onSent?.();
    };
    const stop = onEvent(({ local_message_id }) => local_message_id === local_id && arrived());
    isSending.value = true;
    errors.value = [];
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
      isSending.value = false;
      tell(place, sentenceOf(error));
    }
  };

  /** Uploads files, and puts links to them into the draft. One that is refused does not keep back the others. */
  const attach = async (place: Place, files: readonly File[], change: ChangeDraft) => {
    if (files.length === 0) return;
    if (!outbox.isBusy) errors.value = [];
    uploading.value += files.length;
    for (const file of files) {
      try {
        const { url, filename } = await upload<{ url: string; filename: string }>('user_uploads', file);
        const name = filename.replace(/[[\]]/g, '');
        change((before) => `${before}${before && !before.endsWith('\n') ? '\n' : ''}[${name}](${url})\n`);
      } catch (error) {
        tell(place, `${file.name}: ${sentenceOf(error)}`);
      }
      uploading.value--;
    }
  };

  const outbox = {
    get isBusy() {
      return isSending.value || uploading.value > 0;
    },
    /** How many files are on their way. */
    uploading,
    errors,
    /** What the page does when something was sent, while it is open. */
    onSent: null as (() => void) | null,
    send,
    attach,
  };
  return outbox;
}

type Outbox = ReturnType<typeof newOutbox>;

const outboxes = new Map<string, Outbox>();

/** The outbox of a page, by the name of its draft. */
export function outboxOf(name: string): Outbox {
  const outbox = outboxes.get(name) ?? newOutbox();
  outboxes.set(name, outbox);
  return outbox;
}
