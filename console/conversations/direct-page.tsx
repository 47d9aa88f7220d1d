import { useState } from 'preact/hooks';
import { othersOf } from '../connection/place';
import { channels, myId, people } from '../connection/state';
import { Button } from '../parts/button';
import { ChannelIcon } from '../parts/channel-icon';
import { TextField } from '../parts/field';
import { NotFound, Page } from '../parts/page';
import { PersonName } from '../parts/person';
import type { ScreenProperties } from '../parts/screen';
import * as words from '../words';
import { Conversation } from './conversation';
import { namesOf, placeName } from './places';
import { reply } from './replying';
import { topicsOf } from './topics';

const SHOWN = 30;
const SHOWN_CHANNELS = 15;

/** A direct conversation, or the user's notes to themselves. */
export function DirectPage({ parameters }: ScreenProperties) {
  const ids = (parameters['people'] ?? '').split(',').map(Number);
  if (!ids.every((id) => people.value.has(id))) return <NotFound />;
  const place = { userIds: othersOf([...new Set(ids)], myId.value) };
  return (
    <Conversation
      title={namesOf(place.userIds)}
      narrow={place}
      empty={words.conversations.emptyDirect}
      place={place}
    />
  );
}

/** A channel or topic that a new message can go to. */
interface Goal {
  readonly place: { readonly channelId: number; readonly topic?: string };
  readonly name: string;
}

/** The user's channels and known topics whose names contain a text. */
function goalsNamed(text: string): Goal[] {
  const wanted = text.replace(/^#/, '');
  const own = [...channels.value.values()].filter(
    ({ isSubscribed, is_archived }) => isSubscribed && !is_archived,
  );
  const inChannels = own.map(({ name, stream_id: channelId }) => ({
    name: `#${name}`,
    place: { channelId },
  }));
  const inTopics = own.flatMap(({ stream_id: channelId }) =>
    (wanted === '' ? [] : (topicsOf.value.get(channelId) ?? [])).map(({ name: topic }) => {
      const place = { channelId, topic };
      return { name: placeName(place), place };
    }),
  );
  return [...inChannels, ...inTopics]
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => one.name.localeCompare(other.name))
    .slice(0, SHOWN_CHANNELS);
}

/** People whose name or email address contains a text. */
function peopleLike(text: string, chosen: readonly number[]): number[] {
  return (
    [...people.value.values()]
      // Nobody reads messages to system bots.
      .filter((each) => each.is_active && !each.is_system_bot && !chosen.includes(each.user_id))
      .filter(
        ({ full_name, delivery_email }) =>
          full_name.toLowerCase().includes(text) || (delivery_email ?? '').toLowerCase().includes(text),
      )
      .sort((one, other) => one.full_name.localeCompare(other.full_name))
      .slice(0, SHOWN)
      .map(({ user_id: id }) => id)
  );
}

interface RecipientsProperties {
  readonly title: string;
  readonly about: string;
  /** Label of the search field. */
  readonly label: string;
  /** Whether a channel or topic can be chosen instead of people. */
  readonly hasChannels?: boolean;
}

/** Chooses where a new message goes. */
function Recipients({ title, about, label, hasChannels }: RecipientsProperties) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const wanted = text.trim().toLowerCase();
  const goals = hasChannels && chosen.length === 0 ? goalsNamed(wanted) : [];
  const found = peopleLike(wanted, chosen);
  const add = (userId: number) => {
    setChosen([...chosen, userId]);
    setText('');
  };
  const begin = () => reply({ userIds: othersOf(chosen, myId.value) });
  return (
    <Page title={title} about={about}>
      {chosen.length > 0 && (
        <ul class="chips">
          {chosen.map((id) => (
            <li key={id} class="chip">
              <PersonName userId={id} />
              <Button
                kind="quiet"
                icon="close"
                label={words.remove(namesOf([id]))}
                onClick={() => setChosen(chosen.filter((each) => each !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        class="row"
        onSubmit={() => {
          if (wanted !== '' && goals[0]) reply(goals[0].place);
          else if (wanted !== '' && found[0] !== undefined) add(found[0]);
          else if (chosen.length > 0) begin();
        }}
      >
        <TextField label={label} value={text} onValue={setText} autocomplete="off" />
        <Button kind="main" disabled={chosen.length === 0} onClick={begin}>
          {words.conversations.write}
        </Button>
      </form>
      <ul class="list">
        {goals.map(({ name, place }) => (
          <li key={name}>
            <button onClick={() => reply(place)}>
              <span class="person">
                <ChannelIcon channel={channels.value.get(place.channelId)} />
                {name.replace(/^#/, '')}
              </span>
            </button>
          </li>
        ))}
        {found.map((id) => (
          <li key={id}>
            <button onClick={() => add(id)}>
              <PersonName userId={id} />
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** Chooses the recipients of a new direct conversation. */
export function NewDirectPage() {
  const { newDirect, newDirectAbout, findPeople } = words.conversations;
  return <Recipients title={newDirect} about={newDirectAbout} label={findPeople} />;
}

/** Chooses where a new message goes: to a channel, a topic, or people. */
export function NewMessagePage() {
  const { newMessage, newMessageAbout, findRecipient } = words.conversations;
  return <Recipients title={newMessage} about={newMessageAbout} label={findRecipient} hasChannels />;
}
