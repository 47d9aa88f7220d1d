import { useEffect } from 'preact/hooks';
import { placeKey, type Place } from '../connection/place';
import type { Message } from '../connection/records';
import { epoch, myId } from '../connection/state';
import { Button } from '../parts/button';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { useTask } from '../parts/task';
import { query, setQuery } from '../router';
import * as words from '../words';
import { latest, loadMore, reach } from './latest';
import { unreadIn } from './unread-counts';
import { isNamed, PlaceFilters, PlaceRow } from './place-row';
import { isMutedPlace, placeOf } from './places';

/** Maximum number of conversations shown; the filter finds others. */
const SHOWN = 200;
const FACES = 4;

interface RecentPlace {
  readonly place: Place;
  readonly newest: Message;
  /** Senders, the latest first. */
  readonly people: ReadonlySet<number>;
}

/** All conversations among the known messages, newest first. */
function recentPlaces(messages: ReadonlyMap<number, Message>, from: number): RecentPlace[] {
  const byKey = new Map<string, { place: Place; newest: Message; people: Set<number> }>();
  const known = [...messages.values()].filter(({ id }) => id >= from);
  for (const message of known.sort((one, other) => other.id - one.id)) {
    const place = placeOf(message);
    const key = placeKey(place);
    const found = byKey.get(key);
    if (found) found.people.add(message.sender_id);
    else byKey.set(key, { place, newest: message, people: new Set([message.sender_id]) });
  }
  return [...byKey.values()];
}

type Filter = keyof typeof TESTS;

/** Conditions of the filters. */
const TESTS = {
  unread: ({ place }: RecentPlace) => unreadIn(placeKey(place)) > 0,
  participated: ({ people }: RecentPlace) => people.has(myId.value),
  direct: ({ place }: RecentPlace) => 'userIds' in place,
};

/** All conversations, newest first, whether or not they have unread messages. */
export function RecentPage() {
  const task = useTask();
  const load = () => void task.run(loadMore);
  useEffect(load, [epoch.value]);
  const hasBegun = reach.value !== null;
  // After the first conversations are shown, loads more of what most people look for.
  useEffect(() => {
    if (!hasBegun) return undefined;
    const timer = setTimeout(load, 500);
    return () => clearTimeout(timer);
  }, [hasBegun]);
  const { unread, participated, direct, muted } = words.overviews.filters;
  const filters = { unread, participated, direct, muted };
  const chosen = new Set(Object.keys(filters).filter((name) => query.value.get(name) === 'true'));
  const text = query.value.get('q') ?? '';
  const tests = (Object.keys(TESTS) as Filter[]).filter((name) => chosen.has(name));
  const found = recentPlaces(latest.value, reach.value?.from ?? Infinity).filter(
    (each) =>
      (chosen.has('muted') || !isMutedPlace(each.place)) &&
      tests.every((name) => TESTS[name](each)) &&
      isNamed(each.place, text),
  );
  return (
    <Page title={words.overviews.recent}>
      <PlaceFilters
        text={text}
        onText={(q) => setQuery({ q })}
        filters={filters}
        chosen={chosen}
        onToggle={(name) => setQuery({ [name]: chosen.has(name) ? '' : 'true' })}
      />
      <Problem text={task.error} />
      <ul class="places" aria-busy={!hasBegun && !task.error}>
        {found.slice(0, SHOWN).map(({ place, newest, people }) => (
          <PlaceRow
            key={placeKey(place)}
            place={place}
            message={newest}
            withChannel
            people={[...people].slice(0, FACES)}
          />
        ))}
      </ul>
      {hasBegun && found.length === 0 && <p class="empty">{words.overviews.noneFit}</p>}
      {found.length > SHOWN && <p class="note">{words.more(found.length - SHOWN)}</p>}
      {(task.error || reach.value?.hasMore) && (
        <Button disabled={task.isBusy} onClick={load}>
          {task.error ? words.tryAgain : words.overviews.loadOlder}
        </Button>
      )}
    </Page>
  );
}
