import { useState } from 'preact/hooks';
import { othersOf } from '../connection/place';
import { myId, people } from '../connection/state';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { NotFound, Page } from '../parts/page';
import { PersonName } from '../parts/person';
import { navigate } from '../router';
import type { ScreenProperties } from '../parts/screen';
import * as words from '../words';
import { Conversation } from './conversation';
import { hrefOf, namesOf } from './places';

const SHOWN = 30;

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

/** Chooses the recipients of a new conversation. */
export function NewDirectPage() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const wanted = text.trim().toLowerCase();
  const found = [...people.value.values()]
    // Nobody reads messages to system bots.
    .filter((each) => each.is_active && !each.is_system_bot && !chosen.includes(each.user_id))
    .filter(
      ({ full_name, delivery_email }) =>
        full_name.toLowerCase().includes(wanted) || (delivery_email ?? '').toLowerCase().includes(wanted),
    )
    .sort((one, other) => one.full_name.localeCompare(other.full_name))
    .slice(0, SHOWN);
  const add = (userId: number) => {
    setChosen([...chosen, userId]);
    setText('');
  };
  const begin = () => navigate(hrefOf({ userIds: othersOf(chosen, myId.value) }));
  return (
    <Page title={words.conversations.newDirect} about={words.conversations.newDirectAbout}>
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
          if (wanted !== '' && found[0]) add(found[0].user_id);
          else if (chosen.length > 0) begin();
        }}
      >
        <TextField label={words.conversations.findPeople} value={text} onValue={setText} autocomplete="off" />
        <Button kind="main" disabled={chosen.length === 0} onClick={begin}>
          {words.conversations.write}
        </Button>
      </form>
      <ul class="list">
        {found.map(({ user_id: id }) => (
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
