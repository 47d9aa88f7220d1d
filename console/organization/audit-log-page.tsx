import { useEffect, useState } from 'preact/hooks';
import { companion } from '../connection/call';
import { Button } from '../parts/button';
import { SelectField, TextField } from '../parts/field';
import { shownClock } from '../parts/format';
import { PersonField } from '../parts/person-field';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { useFetched, useTask } from '../parts/task';
import { query, setQuery } from '../router';
import * as words from '../words';
import type * as auditWords from '../words/audit';
import { detailsOf, type Entry, Sentence } from './audit-sentence';

type AuditWords = typeof auditWords;

const FILTERS = ['action', 'actor_id', 'target_user_id', 'since', 'until'] as const;

const days = new Intl.DateTimeFormat(words.language, { dateStyle: 'full' });

/** Midnight of a date in the user's time zone, optionally some days later, in UNIX seconds. */
function midnightOf(date: string, later = 0): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return String(new Date(year, month - 1, day + later).getTime() / 1000);
}

/** The server's query for the filters in the URL. */
function questionOf(filters: Readonly<Record<string, string>>): string {
  const { since, until, ...rest } = filters;
  const question = new URLSearchParams(Object.entries(rest).filter(([, value]) => value));
  if (since) question.set('since', midnightOf(since));
  if (until) question.set('until', midnightOf(until, 1));
  return String(question);
}

function Line({ entry, texts }: { readonly entry: Entry; readonly texts: AuditWords }) {
  const at = new Date(entry.created_at * 1000);
  const from = [
    [texts.page.address, entry.address],
    [texts.page.client, entry.client],
  ] as const;
  const details = [...detailsOf(entry, texts), ...from.filter(([, value]) => value)];
  return (
    <li>
      <time dateTime={at.toISOString()}>{shownClock(at)}</time>
      <div>
        <p>
          <Sentence {...{ entry, texts }} />
        </p>
        {details.length > 0 && (
          <details>
            <summary>{texts.page.details}</summary>
            <dl>
              {details.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </li>
  );
}

/** Matching entries by day, newest first. */
function Entries({ question, texts }: { readonly question: string; readonly texts: AuditWords }) {
  const [entries, setEntries] = useState<readonly Entry[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const task = useTask();
  const read = (cursor: string) =>
    task.run(async () => {
      const page = await companion<{ items: Entry[]; next_cursor: string | null }>(
        'GET',
        `auth/audit-log?${question}&order=newest&page_size=50${cursor}`,
      );
      setEntries((known) => [...(known ?? []), ...page.items]);
      setNext(page.next_cursor);
    });
  useEffect(() => void read(''), []);
  const byDay = new Map<string, Entry[]>();
  for (const entry of entries ?? []) {
    const day = days.format(entry.created_at * 1000);
    const some = byDay.get(day);
    if (some) some.push(entry);
    else byDay.set(day, [entry]);
  }
  return (
    <>
      <Problem text={task.error} />
      {!entries && !task.error && <p class="empty">{words.loading}</p>}
      {entries?.length === 0 && <p class="empty">{words.nothingFound}</p>}
      {[...byDay].map(([day, some]) => (
        <section key={day}>
          <h2>{day}</h2>
          <ul class="audit">
            {some.map((entry) => (
              <Line key={entry.id} {...{ entry, texts }} />
            ))}
          </ul>
        </section>
      ))}
      {next && (
        <Button disabled={task.isBusy} onClick={() => void read(`&cursor=${encodeURIComponent(next)}`)}>
          {words.older}
        </Button>
      )}
    </>
  );
}

/** A sentence without its names. */
const shortened = (sentence: string) => sentence.replace(/^\{actor\},? /, '').replace(/\{\w+\}/g, '…');

function Filters({
  filters,
  texts,
}: {
  readonly filters: Readonly<Record<string, string>>;
  readonly texts: AuditWords;
}) {
  const { action = '', since = '', until = '' } = filters;
  const [area = ''] = action.split('.');
  const actions = Object.entries(texts.sentences).filter(([name]) => name.startsWith(`${area}.`));
  const everything = { value: '', label: texts.page.all };
  return (
    <div class="row">
      <SelectField
        label={texts.page.area}
        value={area}
        choices={[everything, ...Object.entries(texts.areas).map(([value, label]) => ({ value, label }))]}
        onValue={(chosen) => setQuery({ action: chosen })}
      />
      {actions.length > 1 && (
        <SelectField
          label={texts.page.action}
          value={action}
          choices={[
            { ...everything, value: area },
            ...actions.map(([value, sentence]) => ({ value, label: shortened(sentence) })),
          ]}
          onValue={(chosen) => setQuery({ action: chosen })}
        />
      )}
      {(['actor_id', 'target_user_id'] as const).map((name) => (
        <PersonField
          key={name}
          label={words.audit.filters[name]}
          value={filters[name] ?? ''}
          onValue={(chosen) => setQuery({ [name]: chosen })}
        />
      ))}
      <TextField
        label={texts.page.since}
        type="date"
        value={since}
        onValue={(chosen) => setQuery({ since: chosen })}
      />
      <TextField
        label={texts.page.until}
        type="date"
        value={until}
        onValue={(chosen) => setQuery({ until: chosen })}
      />
      {Object.values(filters).some(Boolean) && (
        <Button onClick={() => setQuery(Object.fromEntries(FILTERS.map((name) => [name, ''])))}>
          {texts.page.clear}
        </Button>
      )}
    </div>
  );
}

/** The audit log, in sentences. */
export function AuditLogPage() {
  const { value: texts, error } = useFetched<AuditWords>(() => import('../words/audit'), []);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.value.get(name) ?? '']));
  const question = questionOf(filters);
  return (
    <Page title={words.audit.title} about={words.audit.about}>
      <Problem text={error} />
      {texts && (
        <>
          <Filters {...{ filters, texts }} />
          {/* The key discards late responses and errors of an earlier query, along with their component. */}
          <Entries key={question} {...{ question, texts }} />
        </>
      )}
    </Page>
  );
}
