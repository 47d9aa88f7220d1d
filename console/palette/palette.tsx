import { useId, useMemo, useState } from 'preact/hooks';
import { channels, people } from '../connection/state';
import { hrefOf, topicName } from '../conversations/places';
import { topicsOf } from '../conversations/topics';
import { Dialog } from '../parts/dialog';
import { navigate, ROOT } from '../router';
import { SCREENS } from '../screens';
import { fitting } from '../search/fitting';
import { hrefOfSearch } from '../search/terms';
import { pages } from '../settings/words';
import * as common from '../words';
import * as words from './words';

interface Goal {
  readonly name: string;
  readonly about: string;
  readonly href: string;
}

const SHOWN = 10;

const goal = (name: string, about: string, href: string): Goal => ({ name, about, href });

/** All possible destinations, nearest first. */
function allGoals(): Goal[] {
  const { kinds } = words.palette;
  const { inbox, mentions, starred, newDirect } = common.conversations;
  const own = [...channels.value.values()].filter(
    ({ isSubscribed, is_archived }) => isSubscribed && !is_archived,
  );
  return [
    goal(inbox, kinds.page, ROOT),
    goal(common.overviews.recent, kinds.page, `${ROOT}/recent`),
    goal(common.overviews.feed, kinds.page, `${ROOT}/feed`),
    goal(mentions, kinds.page, `${ROOT}/mentions`),
    goal(starred, kinds.page, `${ROOT}/starred`),
    goal(common.drafts, kinds.page, `${ROOT}/drafts`),
    goal(common.scheduled, kinds.page, `${ROOT}/scheduled`),
    goal(common.reminders, kinds.page, `${ROOT}/reminders`),
    goal(common.browsing.title, kinds.page, `${ROOT}/channels`),
    goal(newDirect, kinds.page, `${ROOT}/direct`),
    ...own.map(({ name, stream_id: channelId }) => goal(`#${name}`, kinds.channel, hrefOf({ channelId }))),
    ...[...topicsOf.value].flatMap(([channelId, topics]) =>
      topics.map(({ name }) =>
        goal(
          `#${channels.value.get(channelId)?.name ?? ''} › ${topicName(name)}`,
          kinds.topic,
          hrefOf({ channelId, topic: name }),
        ),
      ),
    ),
    ...[...people.value.values()]
      .filter((person) => person.is_active)
      .map(({ full_name, user_id }) => goal(full_name, kinds.person, hrefOf({ userIds: [user_id] }))),
    ...Object.entries(pages).map(([name, title]) => goal(title, kinds.settings, `${ROOT}/settings/${name}`)),
    ...SCREENS.flatMap(({ label, path }) => (label ? [goal(label, kinds.page, path)] : [])),
  ];
}

/** The best matches, and a search for the text. */
function found(goals: readonly Goal[], written: string): Goal[] {
  const text = written.trim();
  const best = fitting(goals, text, SHOWN, { nameOf: ({ name }) => name });
  return text === '' ? best : [...best, goal(words.palette.search(text), '', hrefOfSearch(text))];
}

/** Opens a conversation or page by part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const goals = useMemo(allGoals, []);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const shown = found(goals, text);
  const go = ({ href }: Goal, isElsewhere: boolean) => {
    onClose();
    if (isElsewhere) window.open(href, '_blank', 'noopener');
    else navigate(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = shown[at];
    if (by !== undefined) setAt((at + by + shown.length) % shown.length);
    else if (event.key === 'Enter' && chosen) go(chosen, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={words.palette.title} onClose={onClose}>
      <input
        class="palette-field"
        type="text"
        role="combobox"
        autofocus
        aria-label={words.palette.field}
        placeholder={words.palette.field}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={`${id}-${at}`}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="palette" role="listbox" id={id} aria-label={words.palette.results}>
        {shown.map((each, index) => (
          <li
            key={each.href}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={(event) => go(each, event.ctrlKey || event.metaKey)}
          >
            <span class="name">{each.name}</span>
            <span class="note">{each.about}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
