import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { mutedUsers, myId, nameOf, people, topicNames, topicPolicies } from '../connection/state';
import { channelName, hrefOf, topicName } from '../conversations/places';
import { Button } from '../parts/button';
import { SelectField } from '../parts/field';
import { PersonName } from '../parts/person';
import { Problem } from '../parts/problem';
import { Table } from '../parts/table';
import { useTask } from '../parts/task';
import { action, name } from '../words';
import { numbered, Section } from './controls';
import { muted as words } from './words';

const byName = (one: number, other: number) => nameOf(one).localeCompare(nameOf(other));

function MutedPeople() {
  const [chosen, setChosen] = useState('');
  const task = useTask();
  const change = (method: 'POST' | 'DELETE', id: number | string) =>
    task.run(() => call(method, `users/me/muted_users/${id}`));
  const others = [...people.value.values()]
    .filter(({ user_id: id, is_active }) => is_active && id !== myId.value && !mutedUsers.value.has(id))
    .map(({ user_id: id }) => id)
    .sort(byName);
  return (
    <Section title={words.people} about={words.peopleAbout}>
      <Table
        label={words.people}
        rows={[...mutedUsers.value].sort(byName)}
        keyOf={(id) => id}
        empty={words.noPeople}
        columns={[
          { heading: name, cell: (id) => <PersonName userId={id} /> },
          {
            heading: action,
            cell: (id) => (
              <Button disabled={task.isBusy} onClick={() => void change('DELETE', id)}>
                {words.unmute}
              </Button>
            ),
          },
        ]}
      />
      <form
        class="inline"
        onSubmit={() => void change('POST', chosen).then((isDone) => isDone && setChosen(''))}
      >
        <SelectField
          label={words.add}
          value={chosen}
          choices={[
            { value: '', label: words.choose },
            ...others.map((id) => ({ value: String(id), label: nameOf(id) })),
          ]}
          onValue={setChosen}
        />
        <Button type="submit" disabled={chosen === '' || task.isBusy}>
          {words.mute}
        </Button>
      </form>
      <Problem text={task.error} />
    </Section>
  );
}

function MutedTopics() {
  const task = useTask();
  const rows = [...topicPolicies.value]
    .flatMap(([key, policy]) => {
      const known = topicNames.value.get(key);
      return known ? [{ key, policy, ...known }] : [];
    })
    .map((row) => ({ ...row, title: `#${channelName(row.channelId)} › ${topicName(row.topic)}` }))
    .sort((one, other) => one.title.localeCompare(other.title));
  // The API counts from 0.
  const choices = numbered(words.policies).map(({ label }, value) => ({ value: String(value), label }));
  return (
    <Section title={words.topics} about={words.topicsAbout}>
      <Table
        label={words.topics}
        rows={rows}
        keyOf={({ key }) => key}
        empty={words.noTopics}
        columns={[
          { heading: words.topic, cell: (row) => <a href={hrefOf(row)}>{row.title}</a> },
          {
            heading: words.notified,
            cell: ({ channelId, topic, policy, title }) => (
              <select
                aria-label={words.policy(title)}
                value={String(policy)}
                onChange={({ currentTarget }) =>
                  void task.run(() =>
                    call('POST', 'user_topics', {
                      stream_id: channelId,
                      topic,
                      visibility_policy: Number(currentTarget.value),
                    }),
                  )
                }
              >
                {choices.map(({ value, label }) => (
                  <option key={value} value={value} selected={value === String(policy)}>
                    {label}
                  </option>
                ))}
              </select>
            ),
          },
        ]}
      />
      <Problem text={task.error} />
    </Section>
  );
}

/** Muted people, and the user's policies for topics. */
export function Muted() {
  return (
    <>
      <MutedPeople />
      <MutedTopics />
    </>
  );
}
