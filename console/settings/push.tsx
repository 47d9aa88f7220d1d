import { useState } from 'preact/hooks';
import { canPush, pushRecords, removePush, testPush, turnOnPush } from '../notify/push';
import * as words from '../notify/words';
import { Button } from '../parts/button';
import { Moment } from '../parts/moment';
import { Problem } from '../parts/problem';
import { announce } from '../parts/status';
import { Table } from '../parts/table';
import { useFetched, useTask } from '../parts/task';
import { action, done } from '../words';

/** Push notifications of this browser and of the user's others. */
export function Push() {
  const { value, error, reload } = useFetched(pushRecords, []);
  const task = useTask();
  const [told, setTold] = useState('');
  const run = (work: () => Promise<unknown>) =>
    void task.run(async () => {
      setTold('');
      await work();
      announce(done);
      reload();
    });
  const isOn = value?.subscriptions.some((each) => each.is_current);
  return (
    <>
      <h2>{words.title}</h2>
      <p class="about">{canPush() ? words.about : words.missing}</p>
      {value && canPush() && !isOn && (
        <div class="actions">
          <Button kind="main" disabled={task.isBusy} onClick={() => run(turnOnPush)}>
            {words.turnOn}
          </Button>
        </div>
      )}
      <Problem text={task.error || error} />
      {told && <p role="status">{told}</p>}
      {value && (
        <Table
          label={words.devices}
          rows={value.subscriptions}
          keyOf={({ id }) => id}
          empty={words.none}
          columns={[
            {
              heading: words.device,
              cell: (each) => (each.is_current ? words.thisBrowser(each.service) : each.service),
            },
            { heading: words.since, cell: (each) => <Moment seconds={each.created_at} /> },
            {
              heading: action,
              cell: (each) => (
                <span class="actions">
                  <Button
                    disabled={task.isBusy}
                    onClick={() =>
                      void task.run(async () => {
                        setTold(await testPush(each));
                        reload();
                      })
                    }
                  >
                    {words.test}
                  </Button>
                  <Button disabled={task.isBusy} onClick={() => run(() => removePush(each))}>
                    {words.turnOff}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
    </>
  );
}
