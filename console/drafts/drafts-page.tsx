import { useState } from 'preact/hooks';
import type { SavedDraft } from '../connection/records';
import { draftNames, draftText } from '../conversations/draft';
import { channelName, hrefOf, placeName } from '../conversations/places';
import { UnsentList } from '../conversations/unsent-list';
import { wantsToWrite } from '../conversations/replying';
import { Button } from '../parts/button';
import { shownTime, shownWhen } from '../parts/format';
import { Page } from '../parts/page';
import { announce } from '../parts/status';
import { attempt } from '../parts/task';
import { navigate } from '../router';
import { drafts as title, undo } from '../words';
import { nameFor, placeOfName, topicFieldOf, type DraftPlace } from './places';
import { otherDrafts, removeDraft, restoreDraft } from './sync';
import { drafts as words } from './words';

/** A draft of this device, or another one stored on the server. */
interface Listed {
  readonly key: string | number;
  /** Name of the composer that shows the draft; null if it has no recipient yet. */
  readonly name: string | null;
  readonly saved: SavedDraft | null;
  readonly text: string;
  readonly topic: string;
}

/** Display name of a draft's place. */
function titleOf(place: DraftPlace, topic: string): string {
  if ('userIds' in place || 'topic' in place) return placeName(place);
  return topic === '' ? `#${channelName(place.channelId)}` : placeName({ ...place, topic });
}

function listed(): Listed[] {
  const own = [...draftNames.value].map((name) => {
    const topic = draftText(topicFieldOf(name));
    return { key: name, name, saved: null, text: draftText(name), topic };
  });
  const others = otherDrafts.value.map((saved) => ({
    key: saved.id,
    name: nameFor(saved),
    saved,
    text: saved.content,
    topic: saved.topic,
  }));
  return [...own, ...others.sort((one, other) => other.saved.timestamp - one.saved.timestamp)];
}

function DraftRow({ draft: { name, saved, text, topic } }: { readonly draft: Listed }) {
  const place = name === null ? null : placeOfName(name);
  const title = place ? titleOf(place, topic) : words.nowhere;
  const open = async () => {
    if (saved) await restoreDraft(name!, saved);
    navigate(hrefOf(place!));
    wantsToWrite.value = true;
  };
  const erase = async () => {
    const restore = await removeDraft(saved ?? name!);
    announce(words.erased, { label: undo, run: () => attempt(restore()) });
  };
  return (
    <li class="unsent-row">
      <div class="row-text">
        <span class="row-title">
          <span class="name">{title}</span>
          {saved && (
            <time
              class="note"
              dateTime={new Date(saved.timestamp * 1000).toISOString()}
              title={shownTime(saved.timestamp)}
            >
              {shownWhen(saved.timestamp)}
            </time>
          )}
        </span>
        <p class="unsent-text" dir="auto">
          {text}
        </p>
      </div>
      <div class="actions">
        {place && (
          <Button label={words.openIt(title)} onClick={() => attempt(open())}>
            {words.open}
          </Button>
        )}
        <Button kind="quiet" icon="trash" label={words.eraseIt(title)} onClick={() => attempt(erase())} />
      </div>
    </li>
  );
}

/** All drafts, of this device and others. */
export function DraftsPage() {
  const [wanted, setWanted] = useState('');
  const all = listed();
  const sought = wanted.trim().toLowerCase();
  const shown = all.filter(({ name, text, topic }) => {
    const title = name === null ? '' : titleOf(placeOfName(name), topic);
    return `${title} ${text}`.toLowerCase().includes(sought);
  });
  return (
    <Page title={title} about={words.about}>
      <UnsentList />
      {all.length > 0 && (
        <input
          type="search"
          aria-label={words.filter}
          placeholder={words.filter}
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      )}
      <ul class="places">
        {shown.map((draft) => (
          <DraftRow key={draft.key} draft={draft} />
        ))}
      </ul>
      {shown.length === 0 && <p class="empty">{all.length === 0 ? words.empty : words.noneFit}</p>}
    </Page>
  );
}
