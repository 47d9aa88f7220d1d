import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { organizationText, settings } from '../connection/state';
import { noticeState, playSound } from '../notify/notify';
import { Button } from '../parts/button';
import { Check, SelectField } from '../parts/field';
import { Problem } from '../parts/problem';
import { announce } from '../parts/status';
import { useTask } from '../parts/task';
import { notifications as words, saved } from '../words';
import { Push } from './push';

const NAMES = Object.keys(words.settings) as (keyof typeof words.settings)[];

/** What one is told of, and how; each is saved at once. */
export function Notifications() {
  const [state, setState] = useState(noticeState());
  const task = useTask();
  const set = (name: string, value: unknown) =>
    void task.run(async () => {
      await call('PATCH', 'settings', { [name]: value });
      announce(saved);
    });
  const test = () => {
    playSound();
    if (state === 'granted') new Notification(organizationText('realm_name'), { body: words.sample });
  };
  return (
    <>
      <h2>{words.title}</h2>
      <p class="about">{words.states[state]}</p>
      <div class="actions">
        {state === 'default' && (
          <Button kind="main" onClick={() => void Notification.requestPermission().then(setState)}>
            {words.turnOn}
          </Button>
        )}
        <Button onClick={test}>{words.test}</Button>
      </div>
      <Problem text={task.error} />
      <Push />
      <h2>{words.what}</h2>
      {NAMES.map((name) => (
        <Check
          key={name}
          label={words.settings[name]}
          checked={settings.value[name] === true}
          onChecked={(value) => set(name, value)}
        />
      ))}
      <SelectField
        label={words.count}
        value={String(Number(settings.value['desktop_icon_count_display'] ?? 1))}
        choices={words.counts.map((label, index) => ({ value: String(index + 1), label }))}
        onValue={(value) => set('desktop_icon_count_display', Number(value))}
      />
    </>
  );
}
