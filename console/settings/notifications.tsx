import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { organizationText } from '../connection/state';
import { noticeState, playSound } from '../notify/notify';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { Problem } from '../parts/problem';
import { useFetched, useTask } from '../parts/task';
import { remove } from '../words';
import { HintedCheck, named, numbered, Section, SettingCheck, SettingSelect, useSetting } from './controls';
import { Push } from './push';
import { alertWords, notifications as words, topics } from './words';

/** Settings by kind of message and kind of notification. */
const TABLE = {
  personal: {
    desktop: 'enable_desktop_notifications',
    sound: 'enable_sounds',
    push: 'enable_offline_push_notifications',
    email: 'enable_offline_email_notifications',
  },
  followed: {
    desktop: 'enable_followed_topic_desktop_notifications',
    sound: 'enable_followed_topic_audible_notifications',
    push: 'enable_followed_topic_push_notifications',
    email: 'enable_followed_topic_email_notifications',
  },
  channels: {
    desktop: 'enable_stream_desktop_notifications',
    sound: 'enable_stream_audible_notifications',
    push: 'enable_stream_push_notifications',
    email: 'enable_stream_email_notifications',
  },
} as const;

const ROWS = Object.keys(TABLE) as (keyof typeof TABLE)[];
const COLUMNS = Object.keys(words.columns) as (keyof typeof words.columns)[];

function Cell({ name, label }: { readonly name: string; readonly label: string }) {
  const { value, set, error, disabled } = useSetting(name);
  return (
    <td>
      <input
        type="checkbox"
        disabled={disabled}
        aria-label={label}
        checked={value === true}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <Problem text={error} />
    </td>
  );
}

function Matrix() {
  return (
    <div class="table matrix" role="region" aria-label={words.what} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.messages}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {words.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map((row) => (
            <tr key={row}>
              <th scope="row">{words.rows[row]}</th>
              {COLUMNS.map((column) => (
                <Cell
                  key={column}
                  name={TABLE[row][column]}
                  label={words.cell(words.rows[row], words.columns[column])}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Sounds() {
  const { value, set, error, disabled } = useSetting('notification_sound');
  return (
    <HintedCheck
      label={words.sounds}
      {...{ error, disabled }}
      checked={value !== 'none'}
      onChecked={(isOn) => set(isOn ? 'zulip' : 'none')}
    />
  );
}

/** What the user is notified of, and how. */
export function NotifiedOf({ about }: { readonly about?: string }) {
  return (
    <Section title={words.what} {...(about && { about })}>
      <Matrix />
      <SettingCheck name="wildcard_mentions_notify" label={words.wildcards} />
      <SettingCheck name="enable_followed_topic_wildcard_mentions_notify" label={words.followedWildcards} />
      <SettingCheck name="pm_content_in_desktop_notifications" label={words.text} />
      <SettingCheck name="enable_online_push_notifications" label={words.online} />
      <Sounds />
      <SettingSelect name="desktop_icon_count_display" label={words.count} choices={numbered(words.counts)} />
    </Section>
  );
}

/** Words that notify like mentions. */
function AlertWords() {
  const [text, setText] = useState('');
  const task = useTask();
  const path = 'users/me/alert_words';
  const { value, error, reload } = useFetched(() => call<{ alert_words: string[] }>('GET', path), []);
  const change = async (method: 'POST' | 'DELETE', word: string) => {
    const isDone = await task.run(() => call(method, path, { alert_words: [word] }));
    if (isDone) reload();
    return isDone;
  };
  return (
    <Section title={alertWords.title} about={alertWords.about}>
      <Problem text={error} />
      {value && value.alert_words.length > 0 && (
        <ul class="chips" aria-label={alertWords.title}>
          {[...value.alert_words].sort().map((word) => (
            <li key={word} class="chip">
              <bdi>{word}</bdi>
              <Button
                kind="quiet"
                icon="close"
                label={remove(word)}
                disabled={task.isBusy}
                onClick={() => void change('DELETE', word)}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        class="inline"
        onSubmit={() => void change('POST', text.trim()).then((isDone) => isDone && setText(''))}
      >
        <TextField label={alertWords.word} value={text} onValue={setText} maxLength={100} />
        <Button type="submit" disabled={text.trim() === '' || task.isBusy}>
          {alertWords.add}
        </Button>
      </form>
      <Problem text={task.error} />
    </Section>
  );
}

/** Settings of emails about messages; children add other emails. */
export function Mail({ children }: { readonly children?: ComponentChildren }) {
  return (
    <Section title={words.mail} about={words.mailAbout}>
      <SettingCheck name="message_content_in_email_notifications" label={words.mailText} />
      <SettingSelect
        name="email_notifications_batching_period_seconds"
        label={words.mailAfter}
        hint={words.mailAfterHint}
        choices={named(words.delays)}
      />
      {children}
    </Section>
  );
}

/** Which topics are followed or unmuted automatically. */
export function FollowedTopics() {
  return (
    <Section title={topics.title} about={topics.about}>
      <SettingSelect
        name="automatically_follow_topics_policy"
        label={topics.follow}
        choices={numbered(topics.policies)}
      />
      <SettingCheck name="automatically_follow_topics_where_mentioned" label={topics.mentioned} />
      <SettingSelect
        name="automatically_unmute_topics_in_muted_streams_policy"
        label={topics.unmute}
        choices={numbered(topics.policies)}
      />
      <SettingSelect
        name="resolved_topic_notice_auto_read_policy"
        label={topics.resolved}
        choices={named(topics.resolvedPolicies)}
      />
    </Section>
  );
}

/** Notification settings, each saved immediately. */
export function Notifications() {
  const [state, setState] = useState(noticeState());
  const test = () => {
    playSound();
    if (state === 'granted') new Notification(organizationText('realm_name'), { body: words.sample });
  };
  return (
    <>
      <NotifiedOf about={words.about} />
      <AlertWords />
      <Mail>
        <SettingCheck name="enable_login_emails" label={words.signIns} />
      </Mail>
      <Section title={words.title} about={words.states[state]}>
        <div class="actions">
          {state === 'default' && (
            <Button kind="main" onClick={() => void Notification.requestPermission().then(setState)}>
              {words.turnOn}
            </Button>
          )}
          <Button onClick={test}>{words.test}</Button>
        </div>
      </Section>
      <Push />
      <FollowedTopics />
    </>
  );
}
