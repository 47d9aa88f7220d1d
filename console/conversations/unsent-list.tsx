import { placeKey, type Place } from '../connection/place';
import { Button } from '../parts/button';
import * as words from '../words';
import { placeName } from './places';
import { drop, editUnsent, resending, sendAgain, unsent, type Unsent } from './unsent';

interface UnsentListProperties {
  /** Limits the list to a conversation or channel. */
  readonly place?: Place | { readonly channelId: number };
}

function UnsentItem({ item, isNamed }: { readonly item: Unsent; readonly isNamed: boolean }) {
  const isBusy = resending.value === item;
  const { place, content, refusal } = item;
  return (
    <li class="unsent-row">
      <div class="row-text">
        {isNamed && <span class="row-title">{placeName(place)}</span>}
        <p class="unsent-text" dir="auto">
          {content}
        </p>
        {isBusy ? (
          <p class="note">{words.unsent.sending}</p>
        ) : (
          <p class="error">{refusal ? words.unsent.refused(refusal) : words.unsent.waits}</p>
        )}
      </div>
      <div class="actions">
        <Button disabled={isBusy} onClick={() => sendAgain(item)}>
          {words.unsent.again}
        </Button>
        <Button disabled={isBusy} onClick={() => editUnsent(item)}>
          {words.unsent.edit}
        </Button>
        <Button disabled={isBusy} onClick={() => drop(item)}>
          {words.unsent.discard}
        </Button>
      </div>
    </li>
  );
}

/** Messages that could not be sent, with actions for each. */
export function UnsentList({ place }: UnsentListProperties) {
  const shown = unsent.value.filter((item) => {
    if (!item.isShown || !place) return item.isShown;
    if ('userIds' in place || 'topic' in place) return placeKey(item.place) === placeKey(place);
    return 'channelId' in item.place && item.place.channelId === place.channelId;
  });
  if (shown.length === 0) return null;
  return (
    <ul class="unsent" aria-label={words.unsent.title}>
      {shown.map((item) => (
        <UnsentItem key={`${item.queueId} ${item.localId}`} item={item} isNamed={!place} />
      ))}
    </ul>
  );
}
