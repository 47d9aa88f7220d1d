import { signal } from '@preact/signals';
import { call, Refusal, upload } from '../connection/call';
import type { Place } from '../connection/place';
import { announce } from '../parts/status';
import { sentenceOf } from '../parts/task';
import * as words from '../words';
import { checkLength, type ChangeDraft } from './draft';
import { placeName } from './places';
import { drop, hasWaiting, onArrival, prepared, requestFor, takeOut, wait } from './unsent';

/** Sends the messages of one page. It keeps working, and keeps its state, after the user leaves the page. */
function newOutbox() {
  const isSending = signal(false);
  const uploading = signal(0);
  const errors = signal<readonly string[]>([]);
  const tell = (place: Place, sentence: string) => {
    errors.value = [...errors.value, sentence];
    if (!outbox.onSent) announce(words.conversations.notSent(placeName(place), sentence));
  };

  /**
   * Sends a text and clears it from the draft on arrival. A refused text stays in the draft; after a network error the
   * message is queued and retried.
   */
  const send = async (place: Place, content: string, change: ChangeDraft) => {
    if (content.trim() === '' || outbox.isBusy) return;
    errors.value = [];
    try {
      checkLength(content);
    } catch (error) {
      return tell(place, sentenceOf(error));
    }
    const isLater = hasWaiting(place);
    const item = prepared(place, content);
    /** The event may report the arrival before the request fails, when the next message may already be on its way. */
    let hasLeft = false;
    const leave = () => {
      hasLeft = true;
      isSending.value = false;
      change(takeOut(content));
      outbox.onSent?.();
    };
    if (isLater) {
      leave();
      return wait(item);
    }
    isSending.value = true;
    // Both the response and the event report the arrival.
    onArrival(item, leave);
    try {
      await call('POST', 'messages', requestFor(item));
      drop(item);
    } catch (error) {
      if (hasLeft) return;
      if (error instanceof Refusal) {
        onArrival(item, () => undefined);
        drop(item);
        isSending.value = false;
        return tell(place, sentenceOf(error));
      }
      wait(item);
      leave();
      announce(words.unsent.waits);
    }
  };

  /** Uploads files and adds links to the draft. A rejected file does not stop the others. */
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
    /** Number of files being uploaded. */
    uploading,
    errors,
    /** Called after sending, while the page is open. */
    onSent: null as (() => void) | null,
    send,
    attach,
  };
  return outbox;
}

type Outbox = ReturnType<typeof newOutbox>;

const outboxes = new Map<string, Outbox>();

/** Returns the outbox of a page, identified by its draft. */
export function outboxOf(name: string): Outbox {
  const outbox = outboxes.get(name) ?? newOutbox();
  outboxes.set(name, outbox);
  return outbox;
}
