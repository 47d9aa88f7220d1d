import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { nameOf, people } from '../connection/state';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Moment } from '../parts/moment';
import { NotFound, Page } from '../parts/page';
import type { ScreenProperties } from '../parts/screen';
import { Table } from '../parts/table';
import { useFetched, useTask } from '../parts/task';
import * as words from '../words';
import { BOT_KINDS, botKind } from './bots-page';

interface Delivery {
  readonly id: number;
  readonly message_id: number;
  readonly called_at: number;
  readonly duration_ms: number;
  readonly attempt: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** The API key, fetched only on demand because each access is recorded in the audit log. */
function Key({ botId, email }: { readonly botId: number; readonly email: string }) {
  const [key, setKey] = useState('');
  const task = useTask();
  const path = `bots/${botId}/api_key`;
  const show = async () => setKey((await call<{ api_key: string }>('GET', path)).api_key);
  const renew = async () => setKey((await call<{ api_key: string }>('POST', `${path}/regenerate`)).api_key);
  return (
    <section>
      <h2>{words.bots.key}</h2>
      {task.error && <p class="error">{task.error}</p>}
      {key && (
        <pre class="code" tabIndex={0} role="region" aria-label={words.bots.key}>
          {`[api]\nemail=${email}\nkey=${key}\nsite=${location.origin}`}
        </pre>
      )}
      <div class="actions">
        {key ? (
          <CopyButton text={key} />
        ) : (
          <Button onClick={() => void task.run(show)}>{words.bots.showKey}</Button>
        )}
        <Action label={words.bots.newKey} isDangerous question={words.bots.newKeyAbout} run={renew} />
      </div>
    </section>
  );
}

function Deliveries({ botId }: { readonly botId: number }) {
  const { value, error, reload } = useFetched(
    () => call<{ deliveries: Delivery[] }>('GET', `bots/${botId}/deliveries`),
    [botId],
  );
  return (
    <section>
      <h2>{words.bots.deliveries}</h2>
      {error && <p class="error">{error}</p>}
      {value && (
        <Table
          label={words.bots.deliveries}
          rows={value.deliveries}
          keyOf={({ id }) => id}
          empty={words.bots.noDeliveries}
          columns={[
            { heading: words.time, cell: (each) => <Moment seconds={each.called_at} /> },
            { heading: words.bots.message, cell: (each) => each.message_id },
            { heading: words.bots.attempt, cell: (each) => each.attempt, isNumber: true },
            { heading: 'ms', cell: (each) => each.duration_ms, isNumber: true },
            {
              heading: words.result,
              cell: (each) =>
                each.error === null ? (
                  `✓ ${each.status}`
                ) : (
                  <>
                    <span class="error">✗ {each.error}</span>
                    {each.answer && (
                      <details>
                        <summary>{words.bots.answer}</summary>
                        <code>{each.answer}</code>
                      </details>
                    )}
                  </>
                ),
            },
          ]}
        />
      )}
      <Button onClick={reload}>{words.reload}</Button>
    </section>
  );
}

/** One bot: its key, and the deliveries of its webhook. */
export function BotPage({ parameters }: ScreenProperties) {
  const bot = people.value.get(Number(parameters['bot']));
  if (!bot?.bot_owner_id) return <NotFound />;
  const { user_id: id, full_name: name } = bot;
  const isActive = bot.is_active !== false;
  return (
    <Page
      title={name}
      about={`${botKind(bot.bot_type)} · ${words.bots.ownedBy(nameOf(bot.bot_owner_id))}${isActive ? '' : ` · ${words.people.deactivated}`}`}
      actions={
        isActive ? (
          <Action
            label={words.people.deactivate}
            isDangerous
            question={words.bots.deactivateAbout(name)}
            run={() => call('DELETE', `bots/${id}`)}
          />
        ) : (
          <Action
            label={words.people.reactivate}
            question={words.bots.reactivateAbout(name)}
            run={() => call('POST', `users/${id}/reactivate`)}
          />
        )
      }
    >
      {isActive && <Key botId={id} email={bot.delivery_email ?? bot.email} />}
      {bot.bot_type === BOT_KINDS.outgoing && <Deliveries botId={id} />}
    </Page>
  );
}
